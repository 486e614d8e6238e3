import type { ParseEvent } from '../parse-event.ts'

/** Takes what a reader found, in order. */
export type Emit = (event: ParseEvent) => void

/**
 * Turns text that comes in pieces into blocks. The concatenation of the blocks is the concatenation of the pieces; nothing
 * is emitted later than a bounded number of characters after it came, so that memory stays flat.
 */
export type BlockReader = {
  /** Throws `unprocessable_document` when the text is not what the format demands. */
  write(text: string): void
  /** What is still held comes out; nothing may be written afterwards. */
  end(): void
}

/** Makes a reader. `head` is the beginning of the text (all of it, or at least 64 KB), to tell a dialect by; it is written again. */
export type CreateReader = (emit: Emit, head: string) => BlockReader

/** No block is longer, in UTF-16 code units. A chunk is about 1,000, so this is room for any honest paragraph. */
export const MAX_BLOCK_CHARACTERS = 8000

/**
 * Where to cut a text that is longer than `maxCharacters`: after the last white space of the last fifth before that, else there
 * but never inside a surrogate pair or before a combining mark. Returns 1 or more, at most `maxCharacters`.
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

/** Cuts a text into pieces of at most `maxCharacters`, which together are the text. */
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

/** True where a cut would part a pair, a letter from its marks or an emoji from what is joined to it. */
function joinsToPrevious(text: string, at: number): boolean {
  if (isLowSurrogate(text.charCodeAt(at)) || text[at - 1] === '\u200d') return true
  return text[at] === '\u200d' || text[at] === '\n' || /^\p{M}/u.test(text.slice(at, at + 2))
}
