import { tooLargeUnpacked } from '../../parse-event.ts'
import type { OfficePackage } from '../package/office-package.ts'

/** The strings that cells of a workbook share, by their number. */
export type CellStrings = {
  /** Empty for numbers that no string has. Throws `unprocessable_document` where long strings are repeated without end. */
  get(index: number): string
}

/** Kept as UTF-8, half as large as strings and in one piece. */
const MAX_BYTES = 256 * 1024 * 1024
/** A long string in a thousand cells is how a small file becomes gigabytes of text. */
const LONG_CHARACTERS = 1_000
const MAX_REPEATED_CHARACTERS = 20_000_000

/** Reads the shared strings; none when the part is absent. */
export async function readCellStrings(pkg: OfficePackage, part: string | null): Promise<CellStrings> {
  const starts: number[] = [0]
  let bytes = Buffer.alloc(64 * 1024)
  let text = ''
  let isText = false
  let repeated = 0
  const used = new Set<number>()

  function add(): void {
    const start = starts.at(-1) ?? 0
    const needed = start + Buffer.byteLength(text)
    if (needed > MAX_BYTES) throw tooLargeUnpacked('its strings take more than 256 MB')
    if (needed > bytes.length) bytes = Buffer.concat([bytes.subarray(0, start)], Math.max(needed, bytes.length * 2))
    starts.push(start + bytes.write(text, start))
  }

  if (part !== null) {
    await pkg.feed(part, {
      open(name) {
        if (name === 'si') text = ''
        isText = name === 't'
        return name === 'rPh' || name === 'rPr'
      },
      close(name) {
        isText = false
        if (name === 'si') add()
      },
      text(piece) {
        if (isText) text += piece
      },
    })
  }
  return {
    get(index) {
      const start = starts[index]
      const end = starts[index + 1]
      if (start === undefined || end === undefined) return ''
      const value = bytes.toString('utf8', start, end)
      if (value.length <= LONG_CHARACTERS) return unescapeText(value)
      if (used.has(index)) repeated += value.length
      used.add(index)
      if (repeated > MAX_REPEATED_CHARACTERS) throw tooLargeUnpacked('its cells repeat long texts without end')
      return unescapeText(value)
    },
  }
}

/** Text of a cell with `_x000D_` and the like as the characters they stand for (ECMA-376 part 1, section 22.9.2.19). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return character === '\r' || character === '\0' ? '' : character
  })
}
