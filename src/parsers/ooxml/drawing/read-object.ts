import type { Block, ParseEvent } from '../../parse-event.ts'
import { cutBlock } from '../office-block.ts'
import type { OfficeObject, ReadEmbedded } from '../office-event.ts'
import type { OfficePackage } from '../package/office-package.ts'
import type { Relationship } from '../package/relationships.ts'
import { readChart } from './read-chart.ts'
import { readDiagram } from './read-diagram.ts'

/** Where objects are looked up. `readEmbedded` is `null` inside a file that is itself embedded. */
export type ObjectSources = {
  pkg: OfficePackage
  relationships: readonly Relationship[]
  readEmbedded: ReadEmbedded | null
}

/** An embedded file is read into memory; larger ones are left out with a warning. */
const MAX_EMBEDDED_BYTES = 64 * 1024 * 1024

/** The blocks of a chart, a diagram or an embedded file. Nothing for one that is not in the package, or was given before. */
export async function* readObject(
  object: OfficeObject,
  { pkg, relationships, readEmbedded }: ObjectSources,
): AsyncGenerator<ParseEvent> {
  const part = relationships.find(({ id }) => id === object.id)?.part ?? null
  if (part === null || !pkg.has(part) || !pkg.takeOnce(part)) return
  const events = object.kind === 'embedded' ? embeddedEvents(pkg, part, readEmbedded) : drawnEvents(pkg, part, object)
  for await (const event of events) {
    if ('warning' in event) yield event
    if (!('block' in event)) continue
    const block = asPartOf(object, event.block)
    for (const piece of cutBlock(block)) yield { block: piece }
  }
}

/** Pages and sections of an embedded file are not those of the document. */
function asPartOf({ page }: OfficeObject, block: Block): Block {
  const { text } = block
  const kind = block.kind === 'heading' ? 'paragraph' : block.kind
  return page === undefined ? { text, kind } : { text, kind, page }
}

async function* drawnEvents(pkg: OfficePackage, part: string, { kind }: OfficeObject): AsyncGenerator<ParseEvent> {
  const blocks = kind === 'chart' ? await readChart(pkg, part) : await readDiagram(pkg, part)
  for (const block of blocks) yield { block }
}

async function* embeddedEvents(
  pkg: OfficePackage,
  part: string,
  readEmbedded: ReadEmbedded | null,
): AsyncGenerator<ParseEvent> {
  if (readEmbedded === null) return
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of pkg.read(part)) {
    bytes += piece.length
    if (bytes > MAX_EMBEDDED_BYTES) {
      yield { warning: `The embedded file ${part} is larger than 64 MB and was not read.` }
      return
    }
    pieces.push(piece)
  }
  yield* readEmbedded(Buffer.concat(pieces))
}
