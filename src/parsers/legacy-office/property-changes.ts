/** Sets of changes of properties ("sprm", MS-DOC 2.2.5): each a number and an operand whose length the number tells. */

/** Codes of those that are read, of Word 97 and later. MS-DOC 2.6. */
export const CHANGES = {
  deleted: 0x0800,
  inTable: 0x2416,
  rowEnd: 0x2417,
  innerCellEnd: 0x244b,
  innerRowEnd: 0x244c,
  tableDepth: 0x6649,
  list: 0x460b,
  listLevel: 0x260a,
  outlineLevel: 0x2640,
  headerRow: 0x3404,
} as const

/** Calls `take` with the code and the operand (as an unsigned number, of up to four bytes) of each change. */
export function readChanges(bytes: Buffer, take: (code: number, operand: number) => void): void {
  let at = 0
  while (at + 2 < bytes.length) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const length = operandBytes(bytes, at, code)
    if (at + length > bytes.length) return
    take(code, length <= 4 ? bytes.readUIntLE(at, Math.max(1, length)) : 0)
    at += length
  }
}

const OPERAND_BYTES: readonly number[] = [1, 1, 2, 4, 2, 2, 0, 3]
const TABLE_DEFINITION = 0xd608
const TAB_STOPS = 0xc615

function operandBytes(bytes: Buffer, at: number, code: number): number {
  const length = OPERAND_BYTES[code >> 13] ?? 0
  if (length > 0) return length
  if (code === TABLE_DEFINITION && at + 2 <= bytes.length) return bytes.readUInt16LE(at) + 1
  const first = bytes[at] ?? 0
  if (code !== TAB_STOPS || first !== 255) return first + 1
  // More tabs than a byte can count: those that go, four bytes each, and those that come, three each.
  const gone = bytes[at + 1] ?? 0
  return 2 + gone * 4 + 1 + (bytes[at + 2 + gone * 4] ?? 0) * 3
}

/** The same for Word 6 and 95, whose codes are one byte. */
export function readOldChanges(bytes: Buffer, take: (code: number, operand: number) => void): void {
  let at = 0
  while (at < bytes.length) {
    const code = bytes[at] ?? 0
    at += 1
    const length = OLD_COUNTED.has(code) ? (bytes[at] ?? 0) + 1 : OLD_OPERAND_BYTES[code]
    if (length === undefined) return
    take(code, bytes[at] ?? 0)
    at += length
  }
}

/** Codes of Word 6 and 95. */
export const OLD_CHANGES = { inTable: 24, rowEnd: 25 } as const

/** Lengths of the operands up to the codes that matter; the changes are sorted by their codes. */
const OLD_OPERAND_BYTES: Readonly<Record<number, number>> = {
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
const OLD_COUNTED: ReadonlySet<number> = new Set([3, 12, 15, 23])
