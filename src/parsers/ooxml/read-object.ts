import type { Block, ParseEvent } from '../parse-event.ts'
import type { DateSystem } from './number-format/format-date.ts'
import { type NumberFormat, readNumberFormat } from './number-format/number-format.ts'
import {
  type OfficeObject,
  type ReadEmbedded,
  splitBlock,
  toListItem,
  toParagraph,
  toTable,
  toTableRow,
} from './office-block.ts'
import type { OfficePackage, Relationship } from './package/office-package.ts'
import { type Attributes, getAttribute, getIntAttribute, isSwitchedOn, type XmlHandler } from './package/read-xml.ts'

/** Context for object lookup. `readEmbedded` is `null` inside an embedded file. */
type ObjectContext = {
  pkg: OfficePackage
  relationships: readonly Relationship[]
  readEmbedded: ReadEmbedded | null
}

/** Embedded files are read into memory; larger files are skipped with a warning. */
const MAX_EMBEDDED_BYTES = 64 * 1024 * 1024

/**
 * Yields the blocks of a chart, diagram or embedded file. Yields nothing for a missing part or a
 * part read before.
 */
export async function* readObject(
  object: OfficeObject,
  { pkg, relationships, readEmbedded }: ObjectContext,
): AsyncGenerator<ParseEvent> {
  const part = relationships.find(({ id }) => id === object.id)?.part ?? null
  if (part === null || !pkg.has(part) || !pkg.claimPart(part)) return
  const isFile = object.kind === 'embedded' || object.kind === 'imported'
  const events = isFile
    ? embeddedEvents(pkg, { part, isImported: object.kind === 'imported' }, readEmbedded)
    : drawingEvents(pkg, part, object)
  for await (const event of events) {
    if ('warning' in event) yield event
    if (!('block' in event)) continue
    const block = toHostBlock(object, event.block)
    for (const piece of splitBlock(block)) yield { block: piece }
  }
}

/**
 * Pages and headings of an embedded file do not apply to the host document. Headings of an imported
 * part do.
 */
function toHostBlock({ kind, page }: OfficeObject, block: Block): Block {
  const { text } = block
  const place = page === undefined ? {} : { page }
  if (kind === 'imported') {
    const { page: _, ...own } = block
    return { ...own, ...place }
  }
  return { text, kind: block.kind === 'heading' ? 'paragraph' : block.kind, ...place }
}

async function* drawingEvents(pkg: OfficePackage, part: string, { kind }: OfficeObject): AsyncGenerator<ParseEvent> {
  const blocks = kind === 'chart' ? await readChart(pkg, part) : await readDiagram(pkg, part)
  for (const block of blocks) yield { block }
}

/** An embedded file. An imported one (`altChunk`) is read as a file with the name of its part. */
type EmbeddedPart = { part: string; isImported: boolean }

/** Yields the events of an embedded file. Yields a warning for one that is too large. */
export async function* embeddedEvents(
  pkg: { read(part: string): AsyncIterable<Buffer> },
  { part, isImported }: EmbeddedPart,
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
  yield* readEmbedded(Buffer.concat(pieces), isImported ? part : null)
}

/** Data model of a diagram: texts by point, and child points in order. */
type DiagramModel = {
  texts: Map<string, string[]>
  children: Map<string, { id: string; order: number }[]>
  roots: string[]
}

/**
 * Reads the texts of a SmartArt diagram, parents before children. Empty when the part is absent.
 */
async function readDiagram(pkg: OfficePackage, part: string): Promise<Block[]> {
  const model: DiagramModel = { texts: new Map(), children: new Map(), roots: [] }
  let point: string | null = null
  const paragraphs = createDrawingTextHandler((text) => {
    if (point !== null) model.texts.get(point)?.push(text)
  })
  await pkg.parseOptional(part, {
    open(name, attributes) {
      if (name === 'pt') point = addPoint(model, attributes)
      else if (name === 'cxn') addConnection(model, attributes)
      return paragraphs.open(name, attributes)
    },
    close: paragraphs.close,
    text: paragraphs.text,
  })
  return [...listPointTexts(model)].map(toListItem).filter((block) => block !== null)
}

/** Presentation points repeat the text of other points. */
function addPoint(model: DiagramModel, attributes: Attributes): string | null {
  const id = getAttribute(attributes, 'modelId')
  const type = getAttribute(attributes, 'type')
  if (id === null || type === 'pres') return null
  model.texts.set(id, [])
  if (type === 'doc') model.roots.push(id)
  return id
}

function addConnection({ children }: DiagramModel, attributes: Attributes): void {
  const from = getAttribute(attributes, 'srcId')
  const id = getAttribute(attributes, 'destId')
  if (from === null || id === null || (getAttribute(attributes, 'type') ?? 'parOf') !== 'parOf') return
  const siblings = children.get(from) ?? []
  siblings.push({ id, order: getIntAttribute(attributes, 'srcOrd') ?? 0 })
  children.set(from, siblings)
}

/** Unconnected points come last, in file order. */
function* listPointTexts({ texts, children, roots }: DiagramModel): Generator<string> {
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

/** Calls `onParagraph` with the text of each DrawingML paragraph (`a:p`) of a part. */
export function createDrawingTextHandler(onParagraph: (text: string) => void): XmlHandler {
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

/** A chart series with values by point index. Category levels start with the innermost. */
export type ChartSeries = { name: string; categories: string[][]; values: string[] }

/** Charts of measurements also have their numbers in a sheet. */
export const MAX_POINTS = 2_000
export const MAX_SERIES = 250
/** Limits on category levels and on the repeated text of outer levels. */
const MAX_LEVELS = 10
const MAX_REPEATED_CHARACTERS = 200
/** Per chart. */
const MAX_REPEATED_TOTAL = 50_000

/**
 * Reads a chart: its titles, and its data as a table with a column per series. Empty when the part
 * is absent.
 */
async function readChart(pkg: OfficePackage, part: string): Promise<Block[]> {
  const titles: string[] = []
  const series: ChartSeries[] = []
  await pkg.parseOptional(part, createChartHandler(titles, series))
  return toChartBlocks(titles, series)
}

/** Returns the titles of a chart as a paragraph, and its data as a table. */
export function toChartBlocks(titles: readonly string[], series: readonly ChartSeries[]): Block[] {
  const title = toParagraph(titles.join('\n'))
  return [...(title === null ? [] : [title]), ...toDataTable(series)]
}

function createChartHandler(titles: string[], series: ChartSeries[]): XmlHandler {
  const open: string[] = []
  let text = ''
  let point = 0
  let level = 0
  let format: NumberFormat | null = null
  let system: DateSystem = '1900'

  /** Date categories are stored as numbers with a date format. */
  function formatCategory(): string {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    return format === null || !Number.isFinite(number) ? text : format.raw(number)
  }

  function addCategory(categories: string[][]): void {
    while (categories.length <= level) categories.push([])
    const points = categories[level] ?? []
    points[point] ??= formatCategory()
  }

  function closePoint(): void {
    const current = series.at(-1)
    if (!open.includes('ser') || current === undefined || point >= MAX_POINTS) return
    if (open.includes('tx')) current.name = `${current.name} ${text}`.trim()
    else if (open.includes('cat') || open.includes('xVal')) addCategory(current.categories)
    else if (open.includes('val') || open.includes('yVal')) current.values[point] ??= text
  }

  return {
    open(name, attributes) {
      if (name === 'extLst' || (name === 'ser' && series.length >= MAX_SERIES)) return true
      if (name === 'ser') series.push({ name: '', categories: [], values: [] })
      if (name === 'date1904' && isSwitchedOn(attributes)) system = '1904'
      if (name === 'cat' || name === 'xVal') {
        level = 0
        format = null
      }
      if (name === 'pt') point = getIntAttribute(attributes, 'idx') ?? 0
      if (name === 'v' || name === 'p' || name === 'formatCode') text = ''
      open.push(name)
      return false
    },
    close(name) {
      open.pop()
      if (name === 'v') closePoint()
      if (name === 'lvl') level = Math.min(level + 1, MAX_LEVELS)
      if (name === 'formatCode') format = readNumberFormat(text, system)
      const isTitle = name === 'p' || (name === 'pt' && !open.includes('ser') && !open.includes('numCache'))
      if (isTitle && text.trim() !== '') titles.push(text.trim())
      if (isTitle) text = ''
    },
    text(piece) {
      const within = open.at(-1)
      if (within === 't' || within === 'v' || within === 'pt' || within === 'formatCode') text += piece
    },
  }
}

function toDataTable(series: readonly ChartSeries[]): Block[] {
  const categories = joinCategoryLevels(series.find((one) => one.categories.length > 0)?.categories ?? [])
  const count = Math.max(categories.length, ...series.map((one) => one.values.length))
  const rows = [toTableRow(['', ...series.map(({ name }) => name)], 'table-header')]
  for (let point = 0; point < count; point += 1) {
    rows.push(toTableRow([categories[point] ?? '', ...series.map(({ values }) => values[point] ?? '')]))
  }
  return toTable(rows)
}

/**
 * Prefixes each category with its outer levels. The file stores an outer category at its first
 * point only.
 */
function joinCategoryLevels([inner = [], ...outer]: ChartSeries['categories']): string[] {
  const open = outer.map(() => '')
  let left = MAX_REPEATED_TOTAL
  return Array.from(inner, (name = '', point) => {
    for (const [level, names] of outer.entries())
      open[level] = names[point]?.slice(0, MAX_REPEATED_CHARACTERS) ?? open[level] ?? ''
    const above = open.toReversed().filter((part) => part !== '')
    left -= above.join(' ').length
    return [...(left >= 0 ? above : []), name].filter((part) => part !== '').join(' ')
  })
}
