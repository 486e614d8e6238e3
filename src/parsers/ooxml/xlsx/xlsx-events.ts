import { type Block, type ParseEvent, unreadable } from '../../parse-event.ts'
import type { DateSystem } from '../number-format/format-date.ts'
import { type OfficeEvent, type ReadEmbedded, toParagraph } from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { type Attributes, getAttribute, getPrefixedAttribute, isSwitchedOn, readXml } from '../package/read-xml.ts'
import { createDrawingTextHandler, readObject } from '../read-object.ts'
import { type CellFormats, type CellStrings, readCellFormats, readCellStrings } from './cell-formats.ts'
import { createMergedCellFiller, findHeaderRows, findMergedRanges } from './merged-cells.ts'
import { SheetBlocks } from './sheet-blocks.ts'
import { createSheetHandler, type SheetRow } from './sheet-handler.ts'
import { HIDDEN_SHEET, MAX_SHEETS, type NamedSheet, pagesOfSheets, toComment, toMarginBlocks } from './sheet-page.ts'

/**
 * Reads a workbook sheet by sheet in tab order, including hidden sheets. Each sheet is a page. A
 * damaged sheet fails alone; throws `unprocessable_document` when no sheet is readable or the text
 * is excessive.
 */
export async function* xlsxEvents(pkg: OfficePackage, readEmbedded: ReadEmbedded | null): AsyncGenerator<ParseEvent> {
  if (/\.bin$/i.test(pkg.mainPart))
    throw unreadable('The file is a binary Excel workbook (XLSB), which is not supported.')
  const relationships = await pkg.listRelationships(pkg.mainPart)
  const partOf = (type: string) => relationships.find((one) => one.type === type)?.part ?? null
  const { sheets, dateSystem } = await readWorkbook(pkg, relationships)
  yield { pageCount: sheets.length }
  const sources = {
    pkg,
    strings: await readCellStrings(pkg, partOf('sharedStrings')),
    formats: await readCellFormats(pkg, partOf('styles'), dateSystem),
    persons: await readPersons(pkg, relationships),
    readEmbedded,
  }
  yield* pagesOfSheets(sheets, {
    isRepeated: ({ part }) => pkg.has(part) && !pkg.claimPart(part),
    read: (sheet) => sheetEvents(sources, sheet),
  })
}

/** A worksheet or chart sheet. */
type Sheet = NamedSheet & {
  /** Empty when the file names no part. */
  part: string
}

/** A workbook: sheets in tab order and the epoch of its dates. */
type Workbook = { sheets: Sheet[]; dateSystem: DateSystem }

/** Reads the main part of a workbook. */
async function readWorkbook(pkg: OfficePackage, relationships: readonly Relationship[]): Promise<Workbook> {
  const parts = new Map(relationships.map(({ id, part }) => [id, part]))
  const workbook: Workbook = { sheets: [], dateSystem: '1900' }

  function addSheet(attributes: Attributes): void {
    if (workbook.sheets.length >= MAX_SHEETS) return
    const state = getAttribute(attributes, 'state')
    workbook.sheets.push({
      name: getAttribute(attributes, 'name') ?? '',
      part: parts.get(getPrefixedAttribute(attributes, 'id') ?? '') ?? '',
      message: state === 'hidden' || state === 'veryHidden' ? HIDDEN_SHEET : null,
    })
  }

  await pkg.parse(pkg.mainPart, {
    open(name, attributes) {
      if (name === 'sheet') addSheet(attributes)
      const counts1904 = name === 'workbookPr' && getAttribute(attributes, 'date1904') !== null
      if (counts1904 && isSwitchedOn(attributes, 'date1904')) workbook.dateSystem = '1904'
      return false
    },
    close() {},
    text() {},
  })
  return workbook
}

/** State shared by the sheets of a workbook. */
type WorkbookContext = {
  pkg: OfficePackage
  strings: CellStrings
  formats: CellFormats
  persons: ReadonlyMap<string, string>
  readEmbedded: ReadEmbedded | null
}

/** Relationship types of parts with text. */
const RELATED_TEXT_TYPES = new Set(['drawing', 'comments', 'threadedComment'])

async function* sheetEvents(sources: WorkbookContext, { part, name }: Sheet): AsyncGenerator<ParseEvent> {
  const { pkg, persons, readEmbedded } = sources
  if (!pkg.has(part)) throw unreadable(`The sheet "${name}" is missing.`)
  const relationships = await pkg.listRelationships(part)
  const margins: string[] = []
  yield* rowEvents(sources, part, { relationships, margins })
  for (const { id, type, part: other } of relationships) {
    if (other === null) continue
    if (type === 'package') yield* readObject({ kind: 'embedded', id }, { pkg, relationships, readEmbedded })
    if (!RELATED_TEXT_TYPES.has(type) || !pkg.claimPart(other)) continue
    if (type === 'drawing') yield* readSheetDrawing(pkg, other)
    else for (const block of await readSheetComments(pkg, other, persons)) yield { block }
  }
  for (const block of toMarginBlocks(margins)) yield { block }
}

type SheetExtras = { relationships: readonly Relationship[]; margins: string[] }

async function* rowEvents(sources: WorkbookContext, part: string, beside: SheetExtras): AsyncGenerator<ParseEvent> {
  const { pkg, strings, formats } = sources
  const merged = createMergedCellFiller(await findMergedRanges(pkg.read(part)))
  const blocks = new SheetBlocks(await findHeaderRows(pkg, beside.relationships))
  const rows: SheetRow[] = []
  const handler = createSheetHandler({
    strings,
    formats,
    onRow: (row) => void rows.push(row),
    onHeaderFooter: (text) => void beside.margins.push(text),
  })
  for await (const _ of readXml(part, pkg.read(part), handler)) {
    for (const row of rows.splice(0)) {
      for (const block of blocks.add(merged.fill(row))) yield { block }
    }
  }
  for (const row of rows) for (const block of blocks.add(merged.fill(row))) yield { block }
  for (const block of blocks.end()) yield { block }
}

/** Yields the text boxes, charts and diagrams of a drawing, in file order. */
async function* readSheetDrawing(pkg: OfficePackage, part: string): AsyncGenerator<ParseEvent> {
  const events: OfficeEvent[] = []
  const texts = createDrawingTextHandler((text) => {
    const block = toParagraph(text)
    if (block !== null) events.push({ block })
  })
  await pkg.parseOptional(part, {
    open(name, attributes) {
      const id = getPrefixedAttribute(attributes, name === 'relIds' ? 'dm' : 'id')
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

/**
 * Author prefix of the placeholder comments that newer programs add for older readers. The
 * placeholder text is localized; the thread holds the actual comment.
 */
const THREAD_PLACEHOLDER_AUTHOR = 'tc={'

/** Reads the names of thread participants by id. */
async function readPersons(
  pkg: OfficePackage,
  relationships: readonly Relationship[],
): Promise<ReadonlyMap<string, string>> {
  const persons = new Map<string, string>()
  for (const { type, part } of relationships) {
    if (type !== 'person' || part === null) continue
    await pkg.parseOptional(part, {
      open(name, attributes) {
        if (name === 'person')
          persons.set(getAttribute(attributes, 'id') ?? '', getAttribute(attributes, 'displayName') ?? '')
        return false
      },
      close() {},
      text() {},
    })
  }
  return persons
}

/**
 * Reads the comments of a sheet with their cells. `persons` holds the workbook's thread
 * participants.
 */
async function readSheetComments(
  pkg: OfficePackage,
  part: string,
  persons: ReadonlyMap<string, string>,
): Promise<Block[]> {
  const blocks: Block[] = []
  const authors: string[] = []
  let text = ''
  let within = ''
  let about = { place: '', by: '' }

  function addComment(): void {
    const block = about.by.startsWith(THREAD_PLACEHOLDER_AUTHOR) ? null : toComment({ ...about, text })
    if (block !== null) blocks.push(block)
  }

  await pkg.parseOptional(part, {
    open(name, attributes) {
      if (name === 'comment' || name === 'threadedComment') {
        const person = persons.get(getAttribute(attributes, 'personId') ?? '')
        const author = authors[Number(getAttribute(attributes, 'authorId') ?? '')]
        about = { place: getAttribute(attributes, 'ref') ?? '', by: person ?? author ?? '' }
        text = ''
      }
      if (name === 'author') text = ''
      within = name
      return name === 'rPh' || name === 'mentions'
    },
    close(name) {
      if (name === 'author') authors.push(text.trim())
      else if (name === 'comment' || name === 'threadedComment') addComment()
      within = ''
    },
    text(piece) {
      if (within === 't' || within === 'text' || within === 'author') text += piece
    },
  })
  return blocks
}
