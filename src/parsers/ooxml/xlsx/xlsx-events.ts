import { ApiError } from '../../../errors.ts'
import { type Block, isTooLargeUnpacked, type ParseEvent, tooLargeUnpacked, unreadable } from '../../parse-event.ts'
import type { DateSystem } from '../number-format/format-date.ts'
import {
  createPageReport,
  type OfficeEvent,
  type ReadEmbedded,
  splitBlock,
  toHeading,
  toParagraph,
} from '../office-block.ts'
import type { OfficePackage, Relationship } from '../package/office-package.ts'
import { type Attributes, getAttribute, getPrefixedAttribute, isSwitchedOn, readXml } from '../package/read-xml.ts'
import { createDrawingTextHandler, readObject } from '../read-object.ts'
import { type CellFormats, type CellStrings, readCellFormats, readCellStrings } from './cell-formats.ts'
import { createMergedCellFiller, findHeaderRows, findMergedRanges } from './merged-cells.ts'
import { SheetBlocks } from './sheet-blocks.ts'
import { createSheetHandler, type SheetRow, stripHeaderCodes } from './sheet-handler.ts'

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
  let failure: ApiError | null = null
  let good = 0
  for (const [index, sheet] of sheets.entries()) {
    if (pkg.has(sheet.part) && !pkg.claimPart(sheet.part)) {
      yield { page: createPageReport(index + 1, 0, 'The sheet uses the same part of the file as an earlier sheet.') }
      continue
    }
    try {
      yield* readSheet(sources, sheet, index + 1)
      good += 1
    } catch (error) {
      if (isTooLargeUnpacked(error)) throw error
      failure = error instanceof ApiError ? error : unreadable(`The sheet "${sheet.name}" is damaged.`, error)
      yield { page: { ...createPageReport(index + 1, 0, failure.message), method: 'failed' } }
    }
  }
  if (failure !== null && good === 0) throw failure
}

/** A worksheet or chart sheet. */
type Sheet = {
  name: string
  /** Empty when the file names no part. */
  part: string
  /** Message of the report: `hidden sheet`, or `null` for visible sheets. */
  message: string | null
}

/** A workbook: sheets in tab order and the epoch of its dates. */
type Workbook = { sheets: Sheet[]; dateSystem: DateSystem }

const MAX_SHEETS = 10_000

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
      message: state === 'hidden' || state === 'veryHidden' ? 'hidden sheet' : null,
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

/** Character limit per sheet; a sheet of a million cells has some 10 million. */
const MAX_SHEET_CHARACTERS = 200_000_000

/**
 * Reads a sheet: its name as a heading, rows, drawings, comments, printed headers, then the
 * report. Rows are yielded while the sheet is parsed. Throws `unprocessable_document` for damage.
 */
async function* readSheet(sources: WorkbookContext, sheet: Sheet, page: number): AsyncGenerator<ParseEvent> {
  let characters = 0
  const heading = toHeading(sheet.name, 1)
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
    if (characters > MAX_SHEET_CHARACTERS)
      throw tooLargeUnpacked(`its sheet ${page} has more than 200 million characters`)
    for (const piece of splitBlock(block)) yield { block: { ...piece, page } }
  }
  yield { page: createPageReport(page, characters, sheet.message) }
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
  const texts = new Set(margins.map(stripHeaderCodes).filter((text) => /\p{L}/u.test(text)))
  for (const text of texts) {
    const block = toParagraph(text)
    if (block !== null) yield { block }
  }
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
    const by = about.by === '' ? '' : ` by ${about.by}`
    const isStandIn = text.trim() === '' || about.by.startsWith(THREAD_PLACEHOLDER_AUTHOR)
    const block = isStandIn ? null : toParagraph(`Comment on ${about.place}${by}: ${text.trim()}`)
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
