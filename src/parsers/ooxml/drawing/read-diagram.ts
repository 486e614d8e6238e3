import type { Block } from '../../parse-event.ts'
import { listItemOf } from '../office-block.ts'
import type { OfficePackage } from '../package/office-package.ts'
import { type Attributes, getAttribute, getNumber } from '../xml/xml-handler.ts'
import { createParagraphTexts } from './paragraph-texts.ts'

/** The model of a diagram: texts by point, and which point belongs to which, in order. */
type Model = { texts: Map<string, string[]>; children: Map<string, { id: string; order: number }[]>; roots: string[] }

/** The words of a SmartArt diagram, parents before their children. None when the part is absent. */
export async function readDiagram(pkg: OfficePackage, part: string): Promise<Block[]> {
  const model: Model = { texts: new Map(), children: new Map(), roots: [] }
  let point: string | null = null
  const paragraphs = createParagraphTexts((text) => {
    if (point !== null) model.texts.get(point)?.push(text)
  })
  await pkg.tryFeed(part, {
    open(name, attributes) {
      if (name === 'pt') point = addPoint(model, attributes)
      else if (name === 'cxn') addConnection(model, attributes)
      return paragraphs.open(name, attributes)
    },
    close: paragraphs.close,
    text: paragraphs.text,
  })
  return [...listTexts(model)].map(listItemOf).filter((block) => block !== null)
}

/** Points of presentation repeat the text of others. */
function addPoint(model: Model, attributes: Attributes): string | null {
  const id = getAttribute(attributes, 'modelId')
  const type = getAttribute(attributes, 'type')
  if (id === null || type === 'pres') return null
  model.texts.set(id, [])
  if (type === 'doc') model.roots.push(id)
  return id
}

function addConnection({ children }: Model, attributes: Attributes): void {
  const from = getAttribute(attributes, 'srcId')
  const id = getAttribute(attributes, 'destId')
  if (from === null || id === null || (getAttribute(attributes, 'type') ?? 'parOf') !== 'parOf') return
  const siblings = children.get(from) ?? []
  siblings.push({ id, order: getNumber(attributes, 'srcOrd') ?? 0 })
  children.set(from, siblings)
}

/** What no connection reaches comes last, in the order of the file. */
function* listTexts({ texts, children, roots }: Model): Generator<string> {
  const waiting = [...texts.keys()].reverse().concat([...roots].reverse())
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const own = texts.get(id)
    if (own === undefined) continue
    texts.delete(id)
    yield* own
    const inOrder = (children.get(id) ?? []).sort((a, b) => b.order - a.order)
    for (const child of inOrder) waiting.push(child.id)
  }
}
