import type { Line } from './cell.ts'
import { UNSPACED } from './span.ts'

/** A hyphen at the end of a line: literal, soft, or PDFium's marker. */
const HYPHEN = /[-\u2010\u00ad\p{Cc}]$/u
/** A URL or path at the end of a line. A hyphen inside is literal, as URLs are not hyphenated. */
const URL_AT_END = /(?::\/\/|@|\bwww\.|\.\p{L}{2,}\/|(?<!\S)\/)\S*$/u
const HYPHENATED = /(\p{L}{2,})[-\u2010\u00ad\p{Cc}]$/u
/** Maximum length of a URL, and of a hyphenated word, before the end of a line. */
const MAX_URL_CHARACTERS = 200
const MAX_WORD_CHARACTERS = 60

/**
 * Joins the lines of a cell. Wrapped lines are joined with a space; other lines keep their line
 * end.
 *
 * A hyphenated word is joined, unless the hyphen belongs to a URL or the page has the hyphenated
 * form within a line (`hyphenated`).
 */
export function linesToText(lines: readonly Line[], right: number, hyphenated: ReadonlySet<string>): string {
  const ended: string[] = []
  let last = ''
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1]
    if (previous === undefined) last = line.text
    else last = appendLine(last, line, { wasWrapped: isWrapped(previous, line, right), hyphenated })
    // Only the end of the text is searched; searching all of a growing text would be quadratic.
    ended.push(last.slice(0, -MAX_URL_CHARACTERS))
    last = last.slice(-MAX_URL_CHARACTERS)
  }
  return [...ended, last].join('').replaceAll('\u0002', '-').replaceAll('\u00ad', '')
}

/** Collects hyphenated words in lower case: `well-known`. */
export function listHyphenatedWords(texts: Iterable<string>): Set<string> {
  const hyphenated = new Set<string>()
  for (const text of texts) {
    // Matching only at word starts avoids quadratic time on long words.
    for (const [word] of text.matchAll(/(?<!\p{L})\p{L}+-\p{L}+/gu)) hyphenated.add(word.toLowerCase())
  }
  return hyphenated
}

/** `text`: the end of the preceding text. */
function appendLine(
  text: string,
  { text: next }: Line,
  { wasWrapped, hyphenated }: { wasWrapped: boolean; hyphenated: ReadonlySet<string> },
): string {
  const divided = /^\p{Ll}/u.test(next) ? HYPHENATED.exec(text.slice(-MAX_WORD_CHARACTERS))?.[1] : undefined
  if (divided === undefined && wasWrapped && isUnspaced(text, next)) return text + next
  if (divided === undefined) return text + (wasWrapped ? ' ' : '\n') + next
  const rest = /^\p{L}+/u.exec(next)?.[0] ?? ''
  const keepsHyphen = URL_AT_END.test(text) || hyphenated.has(`${divided}-${rest}`.toLowerCase())
  return text.replace(HYPHEN, keepsHyphen ? '-' : '') + next
}

function isUnspaced(text: string, next: string): boolean {
  return UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1))
}

/** Fewer words of one length, or shorter ones, may be chance. */
const MIN_BLOCKS = 4
const MIN_BLOCK_LENGTH = 4

/** True for a row of a sequence: words of one length, and at most one number. */
function isSequence(line: Line): boolean {
  const words = line.text.split(' ')
  const length = Math.max(words[0]?.length ?? 0, words[1]?.length ?? 0)
  const blocks = words.filter((word) => word.length === length).length
  return length >= MIN_BLOCK_LENGTH && blocks >= MIN_BLOCKS && blocks >= words.length - 1
}

/**
 * True when the next line's first word did not fit, or when a lower-case line follows a line that
 * is not short.
 */
function isWrapped(line: Line, next: Line, right: number): boolean {
  if (isSequence(line)) return false
  const isLong = line.right - line.left > 0.5 * (right - line.left)
  if (isLong && /^\p{Ll}/u.test(next.text)) return true
  const word = /^\S+/.exec(next.text)?.[0].length ?? 1
  const letterWidth = (next.right - next.left) / Math.max(1, next.text.length)
  return right - line.right < (word + 1.5) * letterWidth
}
