import type { ByteSource } from '../byte-source.ts'
import { getCodePageEncoding } from '../encoding/code-page.ts'
import type { CompoundFile } from '../legacy-office/compound-file.ts'
import type { DateSystem } from '../ooxml/number-format/format-date.ts'
import { type CellFormats, type CellStrings, createCellFormats, createStringTable } from '../ooxml/xlsx/cell-formats.ts'
import { HIDDEN_SHEET, MAX_SHEETS, type NamedSheet } from '../ooxml/xlsx/sheet-page.ts'
import { passwordProtected, unreadable } from '../parse-event.ts'
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
import type { FormulaContext } from './formula-text.ts'
import { isEmptyFormula } from './sheet-cells.ts'

/** A sheet in tab order; `at`: offset of its substream. */
export type XlsSheet = NamedSheet & { at: number }

/** An opened workbook. */
export type Workbook = {
  stream: Buffer
  form: TextForm
  sheets: readonly XlsSheet[]
  formats: CellFormats
  strings: CellStrings
  /** Shows formulas in a workbook of a program that does not calculate; `null` in others. */
  formulas: FormulaContext | null
  /** True when the file ends before the stream does. */
  isTruncated: boolean
}

const MAX_STREAM_BYTES = 100 * 1024 * 1024
/** Streams of Excel 97 and later, and of Excel 5 and 95. Some files have both. */
const STREAM_NAMES = ['Workbook', 'Book'] as const

/** Reads the workbook of a compound file, or of a storage of the file; `null` when absent. */
export async function openWorkbook(container: CompoundFile, storage?: number): Promise<Workbook | null> {
  for (const name of STREAM_NAMES) {
    const entry = container.getStream(name, storage)
    if (entry === null) continue
    const stream = await container.read(entry, MAX_STREAM_BYTES)
    return readWorkbook(stream, stream.length < entry.bytes)
  }
  return null
}

/** Reads a file that is a bare stream, as some programs write. */
export async function openBareWorkbook(source: ByteSource): Promise<Workbook> {
  return readWorkbook(await source.read(0, MAX_STREAM_BYTES), false)
}

/** Version of a BOF record since Excel 97; that of embedded charts (MS-OGRAPH) is higher. */
const UNICODE_VERSION = 0x0600
/** BOF records of Excel 2, 3 and 4. */
const OLDER_BEGINS: ReadonlySet<number> = new Set([0x0009, 0x0209, 0x0409])

function readWorkbook(stream: Buffer, isTruncated: boolean): Workbook {
  const [first] = listRecords(stream, 0)
  if (first !== undefined && OLDER_BEGINS.has(first.type))
    throw unreadable('Workbooks of Excel 4 and earlier are not supported. Save the workbook as XLSX.')
  if (first?.type !== RECORDS.begin || first.body.length < 4) throw damaged('its header is missing')
  const isUnicode = first.body.readUInt16LE(0) >= UNICODE_VERSION
  const globals = readGlobals(stream, isUnicode)
  const { begins, end, hasValues } = surveyStream(stream)
  const isOneSheet = getSubstreamKind(first) !== SUBSTREAMS.globals
  const { form, codes, styles, system } = globals
  return {
    stream,
    form,
    sheets: isOneSheet ? [{ name: '', message: null, at: 0 }] : listSheets(globals, begins),
    formats: createCellFormats({ codes, styles, system }),
    strings: globals.strings,
    formulas: hasValues ? null : { form, sheetNames: listSheetNames(globals) },
    isTruncated: isTruncated || end > stream.length,
  }
}

function damaged(what: string): Error {
  return unreadable(`The Excel file is damaged: ${what}.`)
}

/** Contents of the first substream. */
type Globals = {
  form: TextForm
  system: DateSystem
  codes: Map<number, string>
  styles: number[]
  strings: ReturnType<typeof createStringTable>
  bounds: BiffRecord[]
  /** Numbers of the sheets that formulas refer to. */
  references: number[]
}

/** Excel allows 65,490 styles. */
const MAX_STYLES = 70_000
/** Code pages that BIFF numbers differently. MS-XLS 2.4.52. */
const OWN_CODE_PAGES: ReadonlyMap<number, number> = new Map([
  [367, 1252],
  [0x8000, 10_000],
  [0x8001, 1252],
])

/** Reads the first substream. Throws `unprocessable_document` for an encrypted workbook. */
function readGlobals(stream: Buffer, isUnicode: boolean): Globals {
  const globals: Globals = {
    form: { isUnicode, encoding: 'windows-1252' },
    system: '1900',
    codes: new Map(),
    styles: [],
    strings: createStringTable(),
    bounds: [],
    references: [],
  }
  for (const [record] of listSheetRecords(stream, 0)) addGlobal(globals, record, stream)
  return globals
}

function addGlobal(globals: Globals, record: BiffRecord, stream: Buffer): void {
  const { type, body } = record
  switch (body.length < 2 ? -1 : type) {
    case RECORDS.codePage: {
      const page = body.readUInt16LE(0)
      globals.form = { ...globals.form, encoding: getCodePageEncoding(OWN_CODE_PAGES.get(page) ?? page) }
      return
    }
    case RECORDS.dateMode:
      globals.system = body[0] === 1 ? '1904' : '1900'
      return
    case RECORDS.cellFormat:
      if (globals.styles.length < MAX_STYLES) globals.styles.push(new BodyReader([body.subarray(2)]).uint16())
      return
    case RECORDS.numberFormat: {
      const reader = new BodyReader([body])
      globals.codes.set(reader.uint16(), reader.string(globals.form.isUnicode ? 2 : 1, globals.form))
      return
    }
    case RECORDS.boundSheet:
      if (body.length > BOUND_SHEET_BYTES && globals.bounds.length < MAX_SHEETS) globals.bounds.push(record)
      return
    case RECORDS.externSheet:
      if (globals.form.isUnicode) globals.references = readReferences(new BodyReader(listBodies(stream, record)))
      return
    case RECORDS.sharedStrings:
      readSharedStrings(globals, new BodyReader(listBodies(stream, record)))
      return
    case RECORDS.filePass:
      throw passwordProtected()
  }
}

/** A reference to several sheets, or to sheets of other files, is -1. MS-XLS 2.4.105. */
function readReferences(reader: BodyReader): number[] {
  return Array.from({ length: reader.uint16() }, () => {
    reader.skip(2)
    const [first, last] = [reader.uint16(), reader.uint16()]
    return first === last ? first : -1
  })
}

/** The counts at the start may be wrong, so the strings are read to the end. */
function readSharedStrings({ strings, form }: Globals, reader: BodyReader): void {
  reader.skip(8)
  while (!reader.isAtEnd()) strings.add(reader.string(2, form))
}

/** Content of a sheet, as its BOUNDSHEET record names it. MS-XLS 2.4.28. */
const MODULE_SHEET = 6
/** Bytes before the name. */
const BOUND_SHEET_BYTES = 6

function listSheets({ bounds, form }: Globals, begins: ReadonlySet<number>): XlsSheet[] {
  const inOrder = [...begins]
  const sheets = bounds.map(({ body }, index) => {
    const at = body.readUInt32LE(0)
    const name = new BodyReader([body.subarray(BOUND_SHEET_BYTES)]).string(1, form)
    const message = ((body[4] ?? 0) & 3) === 0 ? null : HIDDEN_SHEET
    // Behind a wrong offset the sheets follow in their order.
    return { name, message, at: begins.has(at) ? at : (inOrder[index] ?? -1), kind: body[5] }
  })
  return sheets.filter(({ kind }) => kind !== MODULE_SHEET)
}

function listSheetNames({ bounds, form, references }: Globals): (string | null)[] {
  const names = bounds.map(({ body }) => new BodyReader([body.subarray(BOUND_SHEET_BYTES)]).string(1, form))
  return references.map((index) => names[index] ?? null)
}

/** More than sheets: modules have substreams as well. */
const MAX_BEGINS = 2 * MAX_SHEETS

/**
 * Surveys the whole stream. `begins`: the offsets of the substreams behind the globals, without
 * charts inside of sheets. `end`: the end of the last record, which exceeds a truncated stream.
 * `hasValues`: some formula has a value.
 */
function surveyStream(stream: Buffer): { begins: ReadonlySet<number>; end: number; hasValues: boolean } {
  const begins = new Set<number>()
  let hasValues = false
  let depth = 0
  let end = 0
  for (const record of listRecords(stream, 0)) {
    end = record.end
    if (record.type === RECORDS.begin) {
      if (getSubstreamKind(record) !== SUBSTREAMS.chart) depth = 0
      if (depth === 0 && record.at > 0 && begins.size < MAX_BEGINS) begins.add(record.at)
      depth += 1
    } else if (record.type === RECORDS.eof) depth = Math.max(0, depth - 1)
    else if (record.type === RECORDS.formula) hasValues ||= !isEmptyFormula(record.body)
  }
  return { begins, end, hasValues }
}
