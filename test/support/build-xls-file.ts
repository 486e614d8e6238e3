import CFB from 'cfb'
import iconv from 'iconv-lite'

/** A value of a cell: a shared string, a number or a truth value; `null` for an empty cell. */
export type XlsValue = string | number | boolean | null

/** A sheet of a generated workbook. */
export type XlsSheetParts = {
  name: string
  /** Default: 0, visible; 1 hidden, 2 very hidden. */
  state?: number
  /** Default: 0, a worksheet; 1 macros, 2 a chart, 6 a module. */
  kind?: number
  /** Rows of values from A1. */
  rows?: readonly (readonly XlsValue[])[]
  /** Style numbers of the cells of `rows`; default 0. */
  styles?: readonly (readonly number[])[]
  /** Further records, behind those of the rows. */
  records?: readonly Buffer[]
}

/** The content of a generated workbook. */
export type XlsParts = {
  sheets: readonly XlsSheetParts[]
  /** Format codes; style 1 has the first, style 0 has none. */
  formats?: readonly string[]
  /** Built-in format numbers of further styles. */
  builtIn?: readonly number[]
  /** Records of the globals, behind those of the formats. */
  globals?: readonly Buffer[]
  /** Strings before those of the rows. */
  strings?: readonly XlsString[]
  /** Code page of Excel 5 and 95; default: Unicode, Excel 97. */
  codePage?: number
  /** Bodies of strings continue in a CONTINUE record from here. */
  maxRecordBytes?: number
  /** Number of strings as stated; default: the truth. */
  statedStrings?: number
}

/** A shared string, maybe with formatted runs and phonetics, which are not text. */
type XlsString = string | { text: string; runs: number; extensionBytes: number }

/** The largest body of a record. */
const MAX_RECORD_BYTES = 8224

/** Makes a record of a workbook stream. */
export function xlsRecord(type: number, ...parts: readonly (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : shorts(part))))
  return Buffer.concat([shorts([type, body.length]), body])
}

/** 16-bit numbers in the byte order of the records. */
export function shorts(values: readonly number[]): Buffer {
  return Buffer.from(Uint16Array.from(values).buffer)
}

/** A string of Excel 97 with a length of one or two bytes. */
export function xlsString(text: string, lengthBytes: 1 | 2 = 2): Buffer {
  const isWide = /[^\0-\xff]/.test(text)
  const length = lengthBytes === 1 ? Buffer.from([text.length]) : shorts([text.length])
  return Buffer.concat([length, Buffer.from([isWide ? 1 : 0]), Buffer.from(text, isWide ? 'utf16le' : 'latin1')])
}

/** A number in 8 bytes. */
export function xlsDouble(value: number): Buffer {
  return Buffer.from(Float64Array.from([value]).buffer)
}

/** The value of a formula that is no number: 0 text, 1 truth, 2 error, 3 empty. */
export function xlsSpecial(kind: number, value = 0): Buffer {
  return Buffer.from([kind, 0, value, 0, 0, 0, 0xff, 0xff])
}

/** A comment and its text box with a number. */
export function xlsComment(id: number, place: readonly [row: number, column: number], [by, text]: [string, string]) {
  const note = xlsRecord(0x001c, [...place, 0, id], xlsString(by), Buffer.from([0]))
  return [xlsObject(id, 0x19), ...xlsText(text), note]
}

/** A drawn object: 6 a text box, 8 a picture or an embedded file, 25 a comment. */
export function xlsObject(id: number, kind: number, ...more: readonly Buffer[]): Buffer {
  return xlsRecord(0x005d, [0x15, 0x12, kind, id, 0, 0, 0, 0, 0, 0, 0], ...more, [0, 0])
}

/** The text of the object before. */
export function xlsText(text: string): Buffer[] {
  const characters = Buffer.concat([Buffer.from([1]), Buffer.from(text, 'utf16le')])
  return [
    xlsRecord(0x01b6, [0x212, 0, 0, 0, 0, text.length, 16, 0, 0]),
    xlsRecord(0x003c, characters),
    xlsRecord(0x003c, [0, 0, 0, 0, text.length, 0, 0, 0]),
  ]
}

/** Makes a workbook in a compound file. */
export function buildXlsFile(parts: XlsParts, streams: Readonly<Record<string, Buffer>> = {}): Buffer {
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, parts.codePage === undefined ? '/Workbook' : '/Book', buildXlsStream(parts))
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(container, name, bytes)
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer)
}

/** Makes the stream of a workbook. */
export function buildXlsStream(parts: XlsParts): Buffer {
  const { sheets, strings: first = [], codePage } = parts
  const strings: XlsString[] = [...first]
  const streams = sheets.map((sheet) => sheetStream(sheet, strings, codePage))
  const head = [...globalRecords(parts), ...(codePage === undefined ? sharedStrings(strings, parts) : [])]
  const headBytes = Buffer.concat(head).length
  let at = headBytes + Buffer.concat(sheets.map((sheet) => boundSheet(sheet, 0, codePage))).length + 4
  const bounds = sheets.map((sheet, index) => {
    const bound = boundSheet(sheet, at, codePage)
    at += streams[index]?.length ?? 0
    return bound
  })
  return Buffer.concat([...head, ...bounds, xlsRecord(0x000a), ...streams])
}

/** The start of a substream: 5 globals, 0x10 a sheet, 0x20 a chart. */
export function xlsBegin(kind: number, version = 0x0600): Buffer {
  return xlsRecord(0x0809, [version, kind, 0x0dbb, 0x07cc, 0, 0, 0, 0].slice(0, version === 0x0600 ? 8 : 4))
}

function versionOf(codePage: number | undefined): number {
  return codePage === undefined ? 0x0600 : 0x0500
}

function globalRecords({ formats = [], builtIn = [], globals = [], codePage }: XlsParts): Buffer[] {
  const isOld = codePage !== undefined
  const codes = formats.map((code, index) =>
    xlsRecord(0x041e, [200 + index], isOld ? narrowString(code, codePage, 1) : xlsString(code)),
  )
  const styles = [0, ...formats.map((_, index) => 200 + index), ...builtIn].map((format) =>
    xlsRecord(0x00e0, [0, format], Buffer.alloc(isOld ? 12 : 16)),
  )
  const page = xlsRecord(0x0042, [codePage ?? 1200])
  return [xlsBegin(5, versionOf(codePage)), page, ...codes, ...styles, ...globals]
}

function narrowString(text: string, codePage: number, lengthBytes: 1 | 2): Buffer {
  const bytes = iconv.encode(text, codePage === 10_000 ? 'macroman' : `cp${codePage}`)
  return Buffer.concat([lengthBytes === 1 ? Buffer.from([bytes.length]) : shorts([bytes.length]), bytes])
}

function boundSheet({ name, state = 0, kind = 0 }: XlsSheetParts, at: number, codePage: number | undefined): Buffer {
  const place = Buffer.alloc(6)
  place.writeUInt32LE(at, 0)
  place[4] = state
  place[5] = kind
  return xlsRecord(0x0085, place, codePage === undefined ? xlsString(name, 1) : narrowString(name, codePage, 1))
}

function sheetStream(sheet: XlsSheetParts, strings: XlsString[], codePage: number | undefined): Buffer {
  const { rows = [], styles = [], records = [], kind = 0 } = sheet
  const cells = rows.flatMap((values, row) =>
    values.map((value, column) => {
      const place = [row, column, styles[row]?.[column] ?? 0]
      if (typeof value === 'number') return xlsRecord(0x0203, place, xlsDouble(value))
      if (typeof value === 'boolean') return xlsRecord(0x0205, place, Buffer.from([value ? 1 : 0, 0]))
      if (value === null) return Buffer.alloc(0)
      if (codePage !== undefined) return xlsRecord(0x0204, place, narrowString(value, codePage, 2))
      strings.push(value)
      return xlsRecord(0x00fd, place, [strings.length - 1, 0])
    }),
  )
  const begin = xlsBegin(kind === 2 ? 0x20 : kind === 1 ? 0x40 : 0x10, versionOf(codePage))
  return Buffer.concat([begin, ...cells, ...records, xlsRecord(0x000a)])
}

/**
 * The shared strings. Characters are split between records at any place, with new options; the
 * heads of strings are not split.
 */
function sharedStrings(strings: readonly XlsString[], { maxRecordBytes = MAX_RECORD_BYTES, statedStrings }: XlsParts) {
  const count = statedStrings ?? strings.length
  const bodies: Buffer[] = [shorts([count & 0xffff, count >>> 16, count & 0xffff, count >>> 16])]
  const add = (bytes: Buffer, first: readonly number[]) => {
    const last = bodies.at(-1) ?? Buffer.alloc(0)
    if (last.length + bytes.length > maxRecordBytes) bodies.push(Buffer.concat([Buffer.from(first), bytes]))
    else bodies[bodies.length - 1] = Buffer.concat([last, bytes])
  }
  for (const string of strings) {
    const { text, ...formatting } = typeof string === 'string' ? plain(string) : string
    const isWide = /[^\0-\xff]/.test(text)
    add(headOf(text.length, isWide, formatting), [])
    for (const unit of text.split('')) add(Buffer.from(unit, isWide ? 'utf16le' : 'latin1'), [isWide ? 1 : 0])
    for (let left = formatting.runs * 4 + formatting.extensionBytes; left > 0; left -= 1) add(Buffer.from('A'), [])
  }
  return bodies.map((body, index) => xlsRecord(index === 0 ? 0x00fc : 0x003c, body))
}

type Formatting = { runs: number; extensionBytes: number }

function headOf(length: number, isWide: boolean, { runs, extensionBytes }: Formatting): Buffer {
  const options = (isWide ? 1 : 0) | (runs > 0 ? 8 : 0) | (extensionBytes > 0 ? 4 : 0)
  const counts = [...(runs > 0 ? [runs] : []), ...(extensionBytes > 0 ? [extensionBytes, 0] : [])]
  return Buffer.concat([shorts([length]), Buffer.from([options]), shorts(counts)])
}

function plain(text: string) {
  return { text, runs: 0, extensionBytes: 0 }
}
