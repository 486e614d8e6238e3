import type { Chunk } from './chunk.ts'

/** Detects chunks of base64 data (RFC 4648, section 4), which are useless in search. */
export type EncodedData = {
  /**
   * True for a chunk of data only, such as a picture in a notebook or an attachment in a mail.
   * Takes each chunk once, in order.
   */
  isData(chunk: Pick<Chunk, 'text' | 'startOffset' | 'endOffset'>): boolean
  /** Number of characters in the detected chunks. */
  characters(): number
}

/** Shorter data may be a key or a fingerprint, which users search for. */
const MIN_CHARACTERS = 600
/**
 * 600 random characters have some 19 of these two signs. Names, paths and tokens have none, or
 * hardly anything else.
 */
const MIN_SIGNS = 4
const MAX_SIGN_SHARE = 0.1
/** Data uses nearly all of 64 characters, hexadecimal numbers 16, gene sequences 4. */
const MIN_DIFFERENT = 50
/** Data lines have equal lengths, 76 characters in mails and 64 in keys. */
const MIN_LINE_CHARACTERS = 60
/** JSON escapes line ends. */
const LINE_END = /\r?\n[ \t]*|(?:\\r)?\\n/
const CHARACTERS = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Creates the detector of one document. The first chunk is never data, so that a document of data
 * only is found by its title.
 */
export function createEncodedData(): EncodedData {
  let isFirst = true
  let end: number | null = null
  let characters = 0
  return {
    isData({ text, startOffset, endOffset }) {
      // Without a gap after data, the chunk continues the same run, however short. It may overlap.
      const goesOn = end !== null && startOffset <= end
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
 * Chunks end between lines if possible, so that a shorter line is a word. `goesOn`: the first line
 * began in the previous chunk.
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
