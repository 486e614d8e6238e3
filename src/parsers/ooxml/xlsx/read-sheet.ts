import { type ParseEvent, tooLargeUnpacked, unreadable } from '../../parse-event.ts'
import { cutBlock, headingOf, type OfficeEvent, paragraphOf, type ReadEmbedded, receiptOf } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { getPrefixed, readXml } from '../package/read-xml.ts'
import { createParagraphTexts, readObject } from '../read-object.ts'
import type { CellFormats, CellStrings } from './cell-formats.ts'
import { createMergedCells, findHeaderRows, findMergedRanges } from './merged-cells.ts'
import { createSheetBlocks } from './sheet-blocks.ts'
import { readSheetComments } from './sheet-comments.ts'
import { createSheetHandler, marginText, type SheetRow } from './sheet-handler.ts'
import type { Sheet } from './xlsx-events.ts'

/** What the sheets of a workbook share. */
type SheetSources = {
  pkg: OfficePackage
  strings: CellStrings
  formats: CellFormats
  persons: ReadonlyMap<string, string>
  readEmbedded: ReadEmbedded | null
}

/** Text that one sheet may give; a sheet of a million cells gives some 10 million characters. */
const MAX_CHARACTERS = 200_000_000

/**
 * Reads one sheet: its name as a heading, its rows, then what is drawn on it, comments, and headers of the printed page;
 * ends with its receipt. Rows come as they are read. Throws `unprocessable_document` for damage.
 */
export async function* readSheet(sources: SheetSources, sheet: Sheet, page: number): AsyncGenerator<ParseEvent> {
  let characters = 0
  const heading = headingOf(sheet.name, 1)
  for await (const event of sheetEvents(sources, sheet)) {
    if (!('block' in event)) {
      if ('warning' in event) yield event
      continue
    }
    const { block } = event
    if (characters === 0 && heading !== null) {
      characters += heading.text.length
      yield { block: { ...heading, page } }
    }
    characters += block.text.length
    if (characters > MAX_CHARACTERS) throw tooLargeUnpacked(`its sheet ${page} has more than 200 million characters`)
    for (const piece of cutBlock(block)) yield { block: { ...piece, page } }
  }
  yield { page: receiptOf(page, characters, sheet.message) }
}

/** Parts of a sheet that have texts of their own. */
const BESIDE_SHEET = new Set(['drawing', 'comments', 'threadedComment'])

async function* sheetEvents(sources: SheetSources, { part, name }: Sheet): AsyncGenerator<ParseEvent> {
  const { pkg, persons, readEmbedded } = sources
  if (!pkg.has(part)) throw unreadable(`The sheet ${name} is missing.`)
  const relationships = await pkg.listRelationships(part)
  const margins: string[] = []
  yield* rowEvents(sources, part, { relationships, margins })
  for (const { id, type, part: other } of relationships) {
    if (other === null) continue
    if (type === 'package') yield* readObject({ kind: 'embedded', id }, { pkg, relationships, readEmbedded })
    if (!BESIDE_SHEET.has(type) || !pkg.takeOnce(other)) continue
    if (type === 'drawing') yield* readSheetDrawing(pkg, other)
    else for (const block of await readSheetComments(pkg, other, persons)) yield { block }
  }
  const texts = new Set(margins.map(marginText).filter((text) => /\p{L}/u.test(text)))
  for (const text of texts) {
    const block = paragraphOf(text)
    if (block !== null) yield { block }
  }
}

type Beside = { relationships: readonly Relationship[]; margins: string[] }

async function* rowEvents(sources: SheetSources, part: string, beside: Beside): AsyncGenerator<ParseEvent> {
  const { pkg, strings, formats } = sources
  const merged = createMergedCells(await findMergedRanges(pkg.read(part)))
  const blocks = createSheetBlocks(await findHeaderRows(pkg, beside.relationships))
  const rows: SheetRow[] = []
  const handler = createSheetHandler({
    strings,
    formats,
    onRow: (row) => void rows.push(row),
    onMargin: (text) => void beside.margins.push(text),
  })
  for await (const _ of readXml(part, pkg.read(part), handler)) {
    for (const row of rows.splice(0)) {
      for (const block of blocks.add(merged.fill(row))) yield { block }
    }
  }
  for (const row of rows) for (const block of blocks.add(merged.fill(row))) yield { block }
  for (const block of blocks.end()) yield { block }
}

/** What is drawn on a sheet: text boxes, charts and diagrams, in the order of the file. */
async function* readSheetDrawing(pkg: OfficePackage, part: string): AsyncGenerator<ParseEvent> {
  const events: OfficeEvent[] = []
  const texts = createParagraphTexts((text) => {
    const block = paragraphOf(text)
    if (block !== null) events.push({ block })
  })
  await pkg.tryFeed(part, {
    open(name, attributes) {
      const id = getPrefixed(attributes, name === 'relIds' ? 'dm' : 'id')
      if (id !== null && name === 'chart') events.push({ object: { kind: 'chart', id } })
      if (id !== null && name === 'relIds') events.push({ object: { kind: 'diagram', id } })
      return texts.open(name, attributes)
    },
    close: texts.close,
    text: texts.text,
  })
  const relationships = await pkg.listRelationships(part)
  for (const event of events) {
    if ('block' in event) yield event
    else yield* readObject(event.object, { pkg, relationships, readEmbedded: null })
  }
}
