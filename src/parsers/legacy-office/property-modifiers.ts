import type { Region } from './word-header.ts'

/**
 * Property modifiers ("sprm", MS-DOC 2.2.5): a code and an operand. The code determines the length
 * of the operand.
 */

/** Codes of the modifiers read here, in Word 97 and later. MS-DOC 2.6. */
export const MODIFIERS = {
  deleted: 0x0800,
  inTable: 0x2416,
  rowEnd: 0x2417,
  list: 0x460b,
  listLevel: 0x260a,
  outlineLevel: 0x2640,
  headerRow: 0x3404,
} as const

/**
 * Calls `onModifier` with the code and the operand of each modifier. Operands of up to four bytes
 * are passed as an unsigned number, longer operands as 0.
 */
export function readModifiers(
  bytes: Buffer,
  version: 97 | 6,
  onModifier: (code: number, operand: number) => void,
): void {
  if (version === 97) readModifiers97(bytes, onModifier)
  else readModifiers6(bytes, onModifier)
}

function readModifiers97(bytes: Buffer, onModifier: (code: number, operand: number) => void): void {
  let at = 0
  while (at + 2 < bytes.length) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const length = getOperandBytes(bytes, at, code)
    if (at + length > bytes.length) return
    onModifier(code, length <= 4 ? bytes.readUIntLE(at, Math.max(1, length)) : 0)
    at += length
  }
}

const OPERAND_BYTES: readonly number[] = [1, 1, 2, 4, 2, 2, 0, 3]
const TABLE_DEFINITION = 0xd608
const TAB_STOPS = 0xc615

function getOperandBytes(bytes: Buffer, at: number, code: number): number {
  const length = OPERAND_BYTES[code >> 13] ?? 0
  if (length > 0) return length
  if (code === TABLE_DEFINITION && at + 2 <= bytes.length) return bytes.readUInt16LE(at) + 1
  const first = bytes[at] ?? 0
  if (code !== TAB_STOPS || first !== 255) return first + 1
  // More tab stops than a byte can count: deleted stops of four bytes each, then added stops of
  // three.
  const gone = bytes[at + 1] ?? 0
  return 2 + gone * 4 + 1 + (bytes[at + 2 + gone * 4] ?? 0) * 3
}

/** Word 6 and 95 use codes of a single byte. */
function readModifiers6(bytes: Buffer, onModifier: (code: number, operand: number) => void): void {
  let at = 0
  while (at < bytes.length) {
    const code = bytes[at] ?? 0
    at += 1
    const length = COUNTED_OPERANDS_6.has(code) ? (bytes[at] ?? 0) + 1 : OPERAND_BYTES_6[code]
    if (length === undefined) return
    const known = CODES_BY_OLD_CODE.get(code)
    if (known !== undefined) onModifier(known, bytes[at] ?? 0)
    at += length
  }
}

/** Codes of Word 6 and 95, mapped to the codes of later versions. */
const CODES_BY_OLD_CODE: ReadonlyMap<number, number> = new Map([
  [24, MODIFIERS.inTable],
  [25, MODIFIERS.rowEnd],
])

/** Operand lengths up to the last code read here. Modifiers are sorted by code. */
const OPERAND_BYTES_6: Readonly<Record<number, number>> = {
  2: 2,
  4: 1,
  5: 1,
  6: 1,
  7: 1,
  8: 1,
  9: 1,
  10: 1,
  11: 1,
  13: 1,
  14: 1,
  16: 2,
  17: 2,
  18: 2,
  19: 2,
  20: 4,
  21: 2,
  22: 2,
  24: 1,
  25: 1,
}
const COUNTED_OPERANDS_6: ReadonlySet<number> = new Set([3, 12, 15, 23])

/** A run of characters or paragraphs with its packed properties. */
export type FormattedRun = { start: number; end: number; properties: Buffer }

const PAGE_BYTES = 512
const MAX_RUNS = 2_000_000

/** Layout of the pages (FKP) of a kind and version. */
type FkpLayout = {
  /** Size of a page number in the page list. */
  numberBytes: 2 | 4
  /** Size of the entry of a run. Its first byte is half the offset of the properties. */
  entryBytes: number
  /** Unit of the length field before the properties. */
  length: 'bytes' | 'words' | 'words-97'
}

const FKP_LAYOUTS = {
  'paragraphs-97': { numberBytes: 4, entryBytes: 13, length: 'words-97' },
  'paragraphs-6': { numberBytes: 2, entryBytes: 7, length: 'words' },
  'characters-97': { numberBytes: 4, entryBytes: 1, length: 'bytes' },
} as const satisfies Readonly<Record<string, FkpLayout>>

/**
 * Reads the runs that have properties, sorted by offset. A list (MS-DOC 2.8.5 and 2.8.6) names
 * pages of 512 bytes, and each page holds runs (2.9.33 and 2.9.54). Damaged pages are skipped.
 */
export function listFormattedRuns(
  { text, tables }: { text: Buffer; tables: Buffer },
  region: Region,
  kind: keyof typeof FKP_LAYOUTS,
): FormattedRun[] {
  const layout: FkpLayout = FKP_LAYOUTS[kind]
  const list = tables.subarray(region.offset, region.offset + region.bytes)
  const count = Math.floor((list.length - 4) / (4 + layout.numberBytes))
  const seen = new Set<number>()
  const runs: FormattedRun[] = []
  for (let index = 0; index < count && runs.length < MAX_RUNS; index += 1) {
    const at = (count + 1) * 4 + index * layout.numberBytes
    const page = (layout.numberBytes === 2 ? list.readUInt16LE(at) : list.readUInt32LE(at)) & 0x3fffff
    if (seen.has(page)) continue
    seen.add(page)
    const bytes = text.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    if (bytes.length === PAGE_BYTES) runs.push(...readFkpPage(bytes, layout))
  }
  return runs.sort((a, b) => a.start - b.start)
}

function readFkpPage(page: Buffer, layout: FkpLayout): FormattedRun[] {
  const count = page[PAGE_BYTES - 1] ?? 0
  if ((count + 1) * 4 + count * layout.entryBytes >= PAGE_BYTES) return []
  const runs: FormattedRun[] = []
  for (let index = 0; index < count; index += 1) {
    const offset = (page[(count + 1) * 4 + index * layout.entryBytes] ?? 0) * 2
    runs.push({
      start: page.readUInt32LE(index * 4),
      end: page.readUInt32LE((index + 1) * 4),
      properties: offset === 0 ? Buffer.alloc(0) : readProperties(page, offset, layout.length),
    })
  }
  return runs
}

function readProperties(page: Buffer, offset: number, length: FkpLayout['length']): Buffer {
  const first = page[offset] ?? 0
  if (length === 'bytes') return page.subarray(offset + 1, offset + 1 + first)
  if (length === 'words') return page.subarray(offset + 1, offset + 1 + first * 2)
  // Since Word 97: an odd number of bytes or, after a 0, an even number.
  if (first > 0) return page.subarray(offset + 1, offset + first * 2)
  return page.subarray(offset + 2, offset + 2 + (page[offset + 1] ?? 0) * 2)
}

/** Binary search for the run that contains the offset; `null` when absent. */
export function findRunAt(runs: readonly FormattedRun[], place: number): FormattedRun | null {
  let low = 0
  let high = runs.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const run = runs[middle]
    if (run === undefined) return null
    if (place < run.start) high = middle - 1
    else if (place >= run.end) low = middle + 1
    else return run
  }
  return null
}
