/**
 * Records of a workbook stream (MS-XLS 2.1.4): a type, a length and a body. A longer body
 * continues in CONTINUE records.
 *
 * Damaged files are common. A body that exceeds the stream is cut, and numbers beyond a body are 0.
 */

const HEADER_BYTES = 4

/** A record. */
export class BiffRecord {
  readonly #stream: Buffer
  readonly type: number
  /** Offset in the stream. */
  readonly at: number
  /** Offset of the next record. */
  readonly end: number

  constructor(stream: Buffer, at: number) {
    this.#stream = stream
    this.type = stream.readUInt16LE(at)
    this.at = at
    this.end = at + HEADER_BYTES + stream.readUInt16LE(at + 2)
  }

  /** Created on demand, since most records of most passes are skipped. */
  get body(): Buffer {
    return this.#stream.subarray(this.at + HEADER_BYTES, this.end)
  }
}

/** Types of the records that are read. MS-XLS 2.3.2. */
export const RECORDS = {
  formula: 0x0006,
  eof: 0x000a,
  header: 0x0014,
  footer: 0x0015,
  externSheet: 0x0017,
  note: 0x001c,
  dateMode: 0x0022,
  filePass: 0x002f,
  continued: 0x003c,
  codePage: 0x0042,
  object: 0x005d,
  boundSheet: 0x0085,
  multipleRk: 0x00bd,
  richString: 0x00d6,
  cellFormat: 0x00e0,
  mergedCells: 0x00e5,
  sharedStrings: 0x00fc,
  sharedStringCell: 0x00fd,
  textObject: 0x01b6,
  number: 0x0203,
  label: 0x0204,
  booleanOrError: 0x0205,
  string: 0x0207,
  rk: 0x027e,
  numberFormat: 0x041e,
  begin: 0x0809,
  table: 0x0872,
  newerTable: 0x0878,
  moreMargins: 0x089c,
} as const

/** Yields the records from an offset up to the end of the stream, or up to padding. */
export function* listRecords(stream: Buffer, from: number): Generator<BiffRecord> {
  let at = from
  while (at >= 0 && at + HEADER_BYTES <= stream.length) {
    const record = new BiffRecord(stream, at)
    at = record.end
    if (record.type === 0 && at === record.at + HEADER_BYTES) return
    yield record
  }
}

/** Content of a substream, as the BOF record names it. MS-XLS 2.4.21. */
export const SUBSTREAMS = { globals: 0x0005, module: 0x0006, sheet: 0x0010, chart: 0x0020, macros: 0x0040 } as const

/** Reads the content of a substream from its BOF record; 0 for a truncated record. */
export function getSubstreamKind({ body }: BiffRecord): number {
  return body.length >= 4 ? body.readUInt16LE(2) : 0
}

/** A record, and whether it belongs to a chart, within the sheet or as the sheet. */
type SheetRecord = readonly [record: BiffRecord, isOfChart: boolean]

/**
 * Yields the records of the substream at `from`, with those of the charts inside. Ends behind its
 * EOF record, and at the next sheet if that record is missing.
 */
export function* listSheetRecords(stream: Buffer, from: number): Generator<SheetRecord> {
  let depth = 0
  let isChartSheet = false
  for (const record of listRecords(stream, from)) {
    if (record.type === RECORDS.begin) {
      const isChart = getSubstreamKind(record) === SUBSTREAMS.chart
      if (depth > 0 && !isChart) return
      isChartSheet ||= depth === 0 && isChart
      depth += 1
    }
    yield [record, isChartSheet || depth > 1]
    if (record.type === RECORDS.eof) depth -= 1
    if (depth <= 0) return
  }
}

/** Returns the bodies of a record and of the CONTINUE records behind. */
export function listBodies(stream: Buffer, record: BiffRecord): Buffer[] {
  const bodies = [record.body]
  for (const { type, body } of listRecords(stream, record.end)) {
    if (type !== RECORDS.continued) break
    bodies.push(body)
  }
  return bodies
}
