import type { ParseEvent } from '../parse-event.ts'

/** Receives the events of a reader, in order. */
export type Emit = (event: ParseEvent) => void

/**
 * Turns chunks of text into blocks. The concatenated blocks equal the concatenated chunks. Emits
 * after a bounded number of characters, so memory stays constant.
 */
export type BlockReader = {
  /** Throws `unprocessable_document` if the text violates the format. */
  write(text: string): void
  /** Emits all remaining text; no writes are allowed afterwards. */
  end(): void
}

/**
 * Creates a reader. `head` is the start of the text (all, or at least 64 KB), for detecting a
 * dialect; it is also passed to `write`.
 */
export type CreateReader = (emit: Emit, head: string) => BlockReader

/**
 * Maximum length of a block in UTF-16 code units. A chunk has about 1,000, so ordinary paragraphs
 * fit.
 */
export const MAX_BLOCK_CHARACTERS = 8000

/**
 * Returns the position, 1 to `maxCharacters`, to cut a longer text: after the last white space in
 * the last fifth, else at `maxCharacters`. Never cuts inside a surrogate pair or before a combining
 * mark.
 */
export function findCutPosition(text: string, maxCharacters: number): number {
  const earliest = Math.floor(maxCharacters * 0.8)
  for (let at = maxCharacters; at > earliest; at--) {
    if (isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at))) return at
  }
  for (let at = maxCharacters; at > earliest; at--) {
    if (!joinsToPrevious(text, at)) return at
  }
  return isLowSurrogate(text.charCodeAt(maxCharacters)) ? maxCharacters - 1 : maxCharacters
}

/** Cuts a text into pieces of at most `maxCharacters`. */
export function* cutText(text: string, maxCharacters: number): Generator<string> {
  let rest = text
  while (rest.length > maxCharacters) {
    const at = findCutPosition(rest, maxCharacters)
    yield rest.slice(0, at)
    rest = rest.slice(at)
  }
  if (rest !== '') yield rest
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0x3000
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** True if a cut would split a surrogate pair, a letter and its marks, or a joined emoji. */
function joinsToPrevious(text: string, at: number): boolean {
  if (isLowSurrogate(text.charCodeAt(at)) || text[at - 1] === '\u200d') return true
  return text[at] === '\u200d' || text[at] === '\n' || /^\p{M}/u.test(text.slice(at, at + 2))
}
