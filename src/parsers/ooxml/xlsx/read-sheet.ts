import type { ParseEvent } from '../../parse-event.ts'
import { tooLargeUnpacked, unreadable } from '../../unreadable.ts'
import { readObject } from '../drawing/read-object.ts'
import { cutBlock, headingOf, paragraphOf } from '../office-block.ts'
import type { ReadEmbedded } from '../office-event.ts'
import type { OfficePackage } from '../package/office-package.ts'
import type { Relationship } from '../package/relationships.ts'
import { receiptOf } from '../page-receipts.ts'
import { readXml } from '../xml/read-xml.ts'
import type { CellFormats } from './cell-formats.ts'
import type { CellStrings } from './cell-strings.ts'
import { findHeaderRows } from './header-rows.ts'
import { createMergedCells, findMergedRanges } from './merged-cells.ts'
import { createSheetBlocks } from './sheet-blocks.ts'
import { readSheetComments } from './sheet-comments.ts'
import { readSheetDrawing } from './sheet-drawing.ts'
import { createSheetHandler, marginText, type SheetRow } from './sheet-handler.ts'
import type { Sheet } from './workbook.ts'

/** What the sheets of a workbook share. */
export type SheetSources = {
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
