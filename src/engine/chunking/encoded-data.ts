import type { Chunk } from './chunk.ts'

/**
 * Tells the passages of a document that are nothing but bytes written as base64 (RFC 4648, section
 * 4); these say nothing to anybody.
 */
export type EncodedData = {
  /**
   * True for such a passage: the middle of a picture in a notebook, of the attachment of a mail, of
   * a file in a record. Takes each passage once, in order.
   */
  takes(chunk: Pick<Chunk, 'text' | 'startOffset' | 'endOffset'>): boolean
  /** How many characters those have that were taken. */
  characters(): number
}

/** Fewer characters may be a key or a fingerprint, which somebody may look for. */
const MIN_CHARACTERS = 600
/**
 * Of 600 random characters some 19 are these two; names, paths and tokens of letters and digits
 * have none, or hardly anything else.
 */
const MIN_SIGNS = 4
const MAX_SIGN_SHARE = 0.1
/**
 * Of the 64 characters, data has nearly all; a number in hexadecimal digits 16, a sequence of genes
 * 4.
 */
const MIN_DIFFERENT = 50
/** Lines of data are equally long, 76 characters in mails and 64 in keys. */
const MIN_LINE_CHARACTERS = 60
/** Within JSON a line end is written as an escape. */
const LINE_END = /\r?\n[ \t]*|(?:\\r)?\\n/
const CHARACTERS = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Makes that of one document. Its first passage is never taken, so that a document of nothing but
 * data is found by its title.
 */
export function createEncodedData(): EncodedData {
  let isFirst = true
  let end: number | null = null
  let characters = 0
  return {
    takes({ text, startOffset, endOffset }) {
      // Where nothing at all parts it from data, it is the rest of the same run, however short.
      const goesOn = startOffset === end
      const isData = !isFirst && (isEncoded(text, goesOn) || (goesOn && CHARACTERS.test(text)))
      isFirst = false
      end = isData ? endOffset : null
      if (isData) characters += text.length
      return isData
    },
    characters: () => characters,
  }
}

function isEncoded(text: string, goesOn: boolean): boolean {
  if (text.length < MIN_CHARACTERS) return false
  const lines = text.split(LINE_END)
  const data = lines.join('')
  if (!CHARACTERS.test(data) || !areEquallyLong(lines, { goesOn, isOneLine: !text.includes('\n') })) return false
  const signs = data.match(/[+/]/g)?.length ?? 0
  return signs >= MIN_SIGNS && signs <= MAX_SIGN_SHARE * data.length && new Set(data).size >= MIN_DIFFERENT
}

/**
 * Passages end between lines, where there are any, so that a shorter one is a word; `goesOn`: the
 * first line began in the passage before.
 */
function areEquallyLong(
  lines: readonly string[],
  { goesOn, isOneLine }: { goesOn: boolean; isOneLine: boolean },
): boolean {
  if (lines.length === 1) return true
  const longest = Math.max(...lines.map((line) => line.length))
  const whole = lines.slice(goesOn || isOneLine ? 1 : 0, isOneLine ? -1 : undefined)
  return longest >= MIN_LINE_CHARACTERS && whole.every((line) => line.length === longest)
}
