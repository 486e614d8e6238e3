import type { Line } from './cell.ts'

/** The hyphen at the end of a line: as written, soft, or PDFium's mark for one. */
const HYPHEN = /[-\u2010\u00ad\p{Cc}]$/u
/** An address or a path at the end of a line: a hyphen in it is its own, as these are not divided as words are. */
const ADDRESS = /(?::\/\/|@|\bwww\.|\.\p{L}{2,}\/|(?<!\S)\/)\S*$/u
const DIVIDED = /(\p{L}{2,})[-\u2010\u00ad\p{Cc}]$/u
/** How far before the end of a line an address begins, and a word that is divided. */
const REACH_CHARACTERS = 200
const WORD_CHARACTERS = 60

/**
 * The text of lines that stand under each other. Lines that were only wrapped become one, others keep their line end. A word that was divided is put
 * together, unless it is an address or its page also writes it with a hyphen in the middle of a line (`compounds`): then the hyphen is part of it.
 */
export function linesToText(lines: readonly Line[], right: number, compounds: ReadonlySet<string>): string {
  const ended: string[] = []
  let last = ''
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1]
    if (previous === undefined) last = line.text
    else last = attach(last, line, { wasWrapped: isWrapped(previous, line, right), compounds })
    // Only its end is looked at, which of a text that is still growing costs its whole length.
    ended.push(last.slice(0, -REACH_CHARACTERS))
    last = last.slice(-REACH_CHARACTERS)
  }
  return [...ended, last].join('').replaceAll('\u0002', '-').replaceAll('\u00ad', '')
}

/** Words with a hyphen in them, lower case: `well-known`. */
export function listCompounds(texts: Iterable<string>): Set<string> {
  const compounds = new Set<string>()
  for (const text of texts) {
    // Begun at the beginning of a word alone: a long one would be gone through from each of its letters.
    for (const [word] of text.matchAll(/(?<!\p{L})\p{L}+-\p{L}+/gu)) compounds.add(word.toLowerCase())
  }
  return compounds
}

/** `text` is the end of what stands before. */
function attach(
  text: string,
  { text: next }: Line,
  { wasWrapped, compounds }: { wasWrapped: boolean; compounds: ReadonlySet<string> },
): string {
  const divided = /^\p{Ll}/u.test(next) ? DIVIDED.exec(text.slice(-WORD_CHARACTERS))?.[1] : undefined
  if (divided === undefined) return text + (wasWrapped ? ' ' : '\n') + next
  const rest = /^\p{L}+/u.exec(next)?.[0] ?? ''
  const keepsHyphen = ADDRESS.test(text) || compounds.has(`${divided}-${rest}`.toLowerCase())
  return text.replace(HYPHEN, keepsHyphen ? '-' : '') + next
}

/** True when the first word of the next line had no room left in this one, or goes on with a sentence of a line that is not short. */
function isWrapped(line: Line, next: Line, right: number): boolean {
  const isLong = line.right - line.left > 0.5 * (right - line.left)
  if (isLong && /^\p{Ll}/u.test(next.text)) return true
  const word = /^\S+/.exec(next.text)?.[0].length ?? 1
  const letterWidth = (next.right - next.left) / Math.max(1, next.text.length)
  return right - line.right < (word + 1.5) * letterWidth
}
