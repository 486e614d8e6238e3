import { decodeBytes } from '../encoding/decode-file.ts'

/** Storage of text in a workbook: since Excel 97 as Unicode, before in a code page. */
export type TextForm = { isUnicode: boolean; encoding: string }

/** Option bits of a Unicode string. MS-XLS 2.5.293. */
const IS_WIDE = 0x01
const HAS_EXTENSION = 0x04
const HAS_RUNS = 0x08
const RUN_BYTES = 4

/** Reads a record with its CONTINUE records. Beyond the end are 0 and empty strings. */
export class BodyReader {
  readonly #bodies: readonly Buffer[]
  #index = 0
  #at = 0

  constructor(bodies: readonly Buffer[]) {
    this.#bodies = bodies
  }

  /** True when nothing is left. */
  isAtEnd(): boolean {
    return this.#body() === null
  }

  byte(): number {
    const body = this.#body()
    if (body === null) return 0
    this.#at += 1
    return body[this.#at - 1] ?? 0
  }

  uint16(): number {
    return this.byte() | (this.byte() << 8)
  }

  uint32(): number {
    return this.uint16() + this.uint16() * 0x10000
  }

  bytes(count: number): Buffer {
    const pieces: Buffer[] = []
    let left = count
    for (let body = this.#body(); body !== null && left > 0; body = this.#body()) {
      const piece = body.subarray(this.#at, this.#at + left)
      pieces.push(piece)
      this.#at += piece.length
      left -= piece.length
    }
    return pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)
  }

  /** Skips bytes, also across records. */
  skip(count: number): void {
    let left = count
    for (let body = this.#body(); body !== null && left > 0; body = this.#body()) {
      const step = Math.min(left, body.length - this.#at)
      this.#at += step
      left -= step
    }
  }

  /** Reads a string with a length of one or two bytes. Formatting and phonetics are skipped. */
  string(lengthBytes: 1 | 2, form: TextForm): string {
    return this.stringOf(lengthBytes === 1 ? this.byte() : this.uint16(), form)
  }

  /** Reads a string whose length is known. */
  stringOf(length: number, { isUnicode, encoding }: TextForm): string {
    if (!isUnicode) return withoutNuls(decodeBytes(this.bytes(length), encoding))
    const options = this.byte()
    const runs = (options & HAS_RUNS) === 0 ? 0 : this.uint16()
    const extension = (options & HAS_EXTENSION) === 0 ? 0 : this.uint32()
    const text = this.#characters(length, (options & IS_WIDE) !== 0)
    this.skip(runs * RUN_BYTES)
    this.skip(extension)
    return withoutNuls(text)
  }

  /** Each CONTINUE record within the characters starts with new options. MS-XLS 2.5.293. */
  #characters(length: number, isWideAtFirst: boolean): string {
    let text = ''
    let isWide = isWideAtFirst
    let body = this.#bodies[this.#index] ?? null
    while (body !== null && text.length < length) {
      if (this.#at >= body.length) {
        body = this.#next()
        if (body === null) break
        isWide = ((body[0] ?? 0) & IS_WIDE) !== 0
        this.#at = 1
      }
      const width = isWide ? 2 : 1
      const end = this.#at + Math.min((length - text.length) * width, body.length - this.#at)
      text += isWide ? body.toString('utf16le', this.#at, end) : body.toString('latin1', this.#at, end)
      // Half a character is left of a damaged record.
      this.#at = end
    }
    return text
  }

  /** Returns the next non-empty body and moves there; `null` at the end. */
  #next(): Buffer | null {
    do this.#index += 1
    while (this.#bodies[this.#index]?.length === 0)
    this.#at = 0
    return this.#bodies[this.#index] ?? null
  }

  /** Returns the body with the next byte; `null` at the end. */
  #body(): Buffer | null {
    const body = this.#bodies[this.#index]
    if (body === undefined) return null
    return this.#at < body.length ? body : this.#next()
  }
}

function withoutNuls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
