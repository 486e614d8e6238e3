import type { Block, ParseEvent } from '../parse-event.ts'
import { cutBlock, listItemOf, type OfficeObject, type ReadEmbedded } from './office-block.ts'
import type { OfficePackage, Relationship } from './package/office-package.ts'
import { type Attributes, getAttribute, getNumber, type XmlHandler } from './package/read-xml.ts'
import { readChart } from './read-chart.ts'

/** Where objects are looked up. `readEmbedded` is `null` inside a file that is itself embedded. */
type ObjectSources = {
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

/** The model of a diagram: texts by point, and which point belongs to which, in order. */
type Model = { texts: Map<string, string[]>; children: Map<string, { id: string; order: number }[]>; roots: string[] }

/** The words of a SmartArt diagram, parents before their children. None when the part is absent. */
async function readDiagram(pkg: OfficePackage, part: string): Promise<Block[]> {
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

/** Calls `onParagraph` with the text of each DrawingML paragraph (`a:p`) of a part, whatever stands around it. */
export function createParagraphTexts(onParagraph: (text: string) => void): XmlHandler {
  let text = ''
  let isText = false
  return {
    open(name) {
      if (name === 't') isText = true
      else if (name === 'br') text += '\n'
      else if (name === 'p') text = ''
      return name === 'fld'
    },
    close(name) {
      if (name === 't') isText = false
      if (name !== 'p') return
      if (text.trim() !== '') onParagraph(text.trim())
      text = ''
    },
    text(piece) {
      if (isText) text += piece
    },
  }
}
