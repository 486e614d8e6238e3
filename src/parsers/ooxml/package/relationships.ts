import { readWholeXml } from '../xml/read-xml.ts'
import { getAttribute } from '../xml/xml-handler.ts'
import { resolvePart } from './part-names.ts'

/** What a part refers to. */
export type Relationship = {
  id: string
  /** Last segment of the type, which both sets of namespaces share: `slide`, `officeDocument`. */
  type: string
  /** Name of the part; `null` for what lies outside of the file. */
  part: string | null
}

/** A part with more relationships than this is no document. */
const MAX_RELATIONSHIPS = 100_000

/** Reads a list of relationships of the part `source`, in the order of the file. */
export async function readRelationships(
  source: string,
  part: string,
  pieces: AsyncIterable<Buffer>,
): Promise<Relationship[]> {
  const relationships: Relationship[] = []
  await readWholeXml(part, pieces, {
    open(name, attributes) {
      if (name !== 'Relationship' || relationships.length >= MAX_RELATIONSHIPS) return false
      const target = getAttribute(attributes, 'Target') ?? ''
      const isOutside = getAttribute(attributes, 'TargetMode') === 'External' || target.startsWith('#')
      relationships.push({
        id: getAttribute(attributes, 'Id') ?? '',
        type: (getAttribute(attributes, 'Type') ?? '').split('/').at(-1) ?? '',
        part: isOutside ? null : resolvePart(source, target),
      })
      return false
    },
    close() {},
    text() {},
  })
  return relationships
}
