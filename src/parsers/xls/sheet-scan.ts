import { type CellRange, MAX_RANGES } from '../ooxml/xlsx/merged-cells.ts'
import { type CellReference, formatCellReference } from '../ooxml/xlsx/sheet-handler.ts'
import { toComment } from '../ooxml/xlsx/sheet-page.ts'
import { type Block, tooLargeUnpacked, unreadable } from '../parse-event.ts'
import {
  type BiffRecord,
  getSubstreamKind,
  listBodies,
  listRecords,
  listSheetRecords,
  RECORDS,
  SUBSTREAMS,
} from './biff-records.ts'
import { BodyReader, type TextForm } from './biff-strings.ts'
import { ChartReader } from './chart-reader.ts'
import { isCell } from './sheet-cells.ts'
import type { Workbook, XlsSheet } from './workbook.ts'

/** A drawn object of a sheet: a text box, a chart, or an embedded file in a storage. */
export type Drawing = { text: string } | { chart: ChartReader } | { storage: string }

/** Content of a sheet besides its cells. */
export type SheetScan = {
  /** True if the cells are in order. */
  isOrdered: boolean
  /** Ranges that span several rows, sorted by first row. */
  merged: CellRange[]
  /** Header rows of the tables of the sheet. */
  headerRows: Set<number>
  drawings: Drawing[]
  comments: Block[]
  /** Printed headers and footers, with their formatting codes. */
  margins: string[]
}

/** More occur in crafted files only. */
const MAX_OBJECTS = 100_000

/** A comment; the text since Excel 97 is that of an object. */
type Note = CellReference & { by: string; objectId: number | null; text: string }

type ScanState = Omit<SheetScan, 'comments'> & {
  notes: Note[]
  /** Texts of objects by number. */
  texts: Map<number, string>
  lastObject: { id: number; isNote: boolean }
  lastPlace: number
  chart: ChartReader | null
}

/**
 * Reads the content of a sheet besides its cells. Merged ranges and comments follow the cells in
 * the file. Throws `unprocessable_document` when the sheet is missing.
 */
export function scanSheet({ stream, form }: Workbook, { name, at }: XlsSheet): SheetScan {
  const [first] = listRecords(stream, at)
  if (first?.type !== RECORDS.begin) throw unreadable(`The sheet "${name}" is missing.`)
  const isChartSheet = getSubstreamKind(first) === SUBSTREAMS.chart
  const state: ScanState = {
    merged: [],
    headerRows: new Set(),
    drawings: [],
    margins: [],
    notes: [],
    texts: new Map(),
    lastObject: { id: -1, isNote: false },
    lastPlace: -1,
    isOrdered: true,
    chart: null,
  }
  for (const [record, isOfChart] of listSheetRecords(stream, at)) {
    const objects = state.drawings.length + state.notes.length + state.margins.length
    if (objects > MAX_OBJECTS) throw tooLargeUnpacked(`its sheet "${name}" has more than 100,000 objects`)
    if (record.type === RECORDS.begin && getSubstreamKind(record) === SUBSTREAMS.chart) {
      state.chart = new ChartReader(form)
      state.drawings.push({ chart: state.chart })
    } else if (record.type === RECORDS.eof) state.chart = null
    else if (!isOfChart && isCell(record)) addPlace(state, record.body)
    else if (record.type === RECORDS.object) addObject(state, record.body)
    else if (record.type === RECORDS.textObject) addText(state, listBodies(stream, record))
    else if (state.chart?.add(record) !== true && isOfChart === isChartSheet) addRecord(state, record, form)
  }
  const { merged, headerRows, drawings, margins, isOrdered } = state
  merged.sort((a, b) => a.from.row - b.from.row)
  return { isOrdered, merged, headerRows, drawings, margins, comments: toComments(state) }
}

function addPlace(state: ScanState, body: Buffer): void {
  const place = body.length < 4 ? state.lastPlace : body.readUInt16LE(0) * 0x10000 + body.readUInt16LE(2)
  state.isOrdered &&= place > state.lastPlace
  state.lastPlace = place
}

function toComments({ notes, texts }: ScanState): Block[] {
  const comments = notes.map(({ by, objectId, text, ...place }) => {
    const found = objectId === null ? text : (texts.get(objectId) ?? '')
    return toComment({ place: formatCellReference(place), by, text: found })
  })
  return comments.filter((block) => block !== null)
}

function addRecord(state: ScanState, { type, body }: BiffRecord, form: TextForm): void {
  if (type === RECORDS.mergedCells) addMerged(state, body)
  else if (type === RECORDS.table || type === RECORDS.newerTable) addHeaderRow(state, body)
  else if (type === RECORDS.note) addNote(state, body, form)
  else if (type === RECORDS.header || type === RECORDS.footer) {
    if (body.length > 1) state.margins.push(new BodyReader([body]).string(form.isUnicode ? 2 : 1, form))
  } else if (type === RECORDS.moreMargins) addMoreMargins(state, body, form)
}

const RANGE_BYTES = 8

function readRange(body: Buffer, at: number): CellRange {
  const [firstRow = 0, lastRow = 0, firstColumn = 0, lastColumn = 0] = [0, 2, 4, 6].map(
    (offset) => body.readUInt16LE(at + offset) + 1,
  )
  return { from: { row: firstRow, column: firstColumn }, to: { row: lastRow, column: lastColumn } }
}

/** MS-XLS 2.4.168. */
function addMerged({ merged }: ScanState, body: Buffer): void {
  for (let at = 2; at + RANGE_BYTES <= body.length && merged.length < MAX_RANGES; at += RANGE_BYTES) {
    const range = readRange(body, at)
    if (range.to.row > range.from.row) merged.push(range)
  }
}

/** Offsets in a table (list) of a sheet. MS-XLS 2.4.115 and 2.5.266. */
const TABLE_OFFSETS = { kind: 12, rangeCount: 19, ranges: 27, headerRowsAfterRanges: 8 } as const
const TABLE_KIND = 5

function addHeaderRow({ headerRows }: ScanState, body: Buffer): void {
  const { kind, rangeCount, ranges, headerRowsAfterRanges } = TABLE_OFFSETS
  if (body.length < ranges + RANGE_BYTES || body.readUInt16LE(kind) !== TABLE_KIND) return
  const at = ranges + body.readUInt16LE(rangeCount) * RANGE_BYTES + headerRowsAfterRanges
  if (at + 4 <= body.length && body.readUInt32LE(at) > 0) headerRows.add(readRange(body, ranges).from.row)
}

/** Row number of a record that continues the text of a comment of Excel 95. */
const CONTINUED_NOTE = 0xffff

/** MS-XLS 2.4.179. */
function addNote({ notes }: ScanState, body: Buffer, form: TextForm): void {
  if (body.length < 6) return
  const reader = new BodyReader([body])
  const [row, column, third] = [reader.uint16(), reader.uint16(), reader.uint16()]
  if (form.isUnicode) {
    const objectId = reader.uint16()
    const by = reader.string(2, form)
    notes.push({ row: row + 1, column: column + 1, by, objectId, text: '' })
    return
  }
  const text = reader.stringOf(body.length - 6, form)
  const last = notes.at(-1)
  if (row !== CONTINUED_NOTE) notes.push({ row: row + 1, column: column + 1, by: '', objectId: null, text })
  else if (last !== undefined && third > 0) last.text += text
}

/** Sub-records of an OBJ record, and the object type of comments. MS-XLS 2.4.181. */
const COMMON_PART = 0x15
const PICTURE_FLAGS_PART = 0x08
const PICTURE_FORMULA_PART = 0x09
const NOTE_OBJECT = 0x19
/** Flag of controls, which have no storage. MS-XLS 2.5.154. */
const IS_CONTROL = 0x10

function addObject(state: ScanState, body: Buffer): void {
  let isControl = false
  for (let at = 0; at + 4 <= body.length; ) {
    const kind = body.readUInt16LE(at)
    const end = at + 4 + body.readUInt16LE(at + 2)
    const part = body.subarray(at + 4, end)
    if (kind === COMMON_PART && part.length >= 4)
      state.lastObject = { id: part.readUInt16LE(2), isNote: part.readUInt16LE(0) === NOTE_OBJECT }
    else if (kind === PICTURE_FLAGS_PART && part.length >= 2) isControl = (part.readUInt16LE(0) & IS_CONTROL) !== 0
    else if (kind === PICTURE_FORMULA_PART && !isControl) addStorage(state, part)
    at = end
  }
}

/** The number of the storage follows the formula of the object. MS-XLS 2.5.155. */
function addStorage({ drawings }: ScanState, part: Buffer): void {
  const at = part.length >= 2 ? 2 + part.readUInt16LE(0) : part.length
  if (at + 4 > part.length) return
  drawings.push({ storage: `MBD${part.readUInt32LE(at).toString(16).toUpperCase().padStart(8, '0')}` })
}

/** Offset of the length of the text in a TXO record; the text is in CONTINUE records. */
const TEXT_LENGTH_AT = 10

/** MS-XLS 2.4.329. The text belongs to the object before. */
function addText(state: ScanState, [head, ...bodies]: readonly Buffer[]): void {
  if (head === undefined || head.length < TEXT_LENGTH_AT + 2 || bodies.length === 0) return
  const length = head.readUInt16LE(TEXT_LENGTH_AT)
  const text = new BodyReader(bodies).stringOf(length, { isUnicode: true, encoding: '' })
  const { id, isNote } = state.lastObject
  if (isNote) state.texts.set(id, text)
  else if (text.trim() !== '') state.drawings.push({ text })
}

/** Offset of the lengths of the texts for even and first pages. MS-XLS 2.4.137. */
const MARGIN_LENGTHS_AT = 30

function addMoreMargins({ margins }: ScanState, body: Buffer, form: TextForm): void {
  const reader = new BodyReader([body])
  reader.skip(MARGIN_LENGTHS_AT)
  const lengths = [reader.uint16(), reader.uint16(), reader.uint16(), reader.uint16()]
  for (const length of lengths) if (length > 0) margins.push(reader.string(2, form))
}
