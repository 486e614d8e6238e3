/**
 * Finds ends of sentences and words. Offsets are UTF-16 code units; borders never cut a surrogate
 * pair.
 */

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' })
/** The segmenter gets pieces, because its cost per character grows with the length of the input. */
const PIECE_CHARACTERS = 4096
/** A line break within a sentence of hard-wrapped text. */
const SOFT_BREAK = /(?<=[\p{L}\p{N},;])(\r?\n)(?=[\p{Ll}])/gu
/** Abbreviations with a full stop that does not end the sentence. */
const ABBREVIATIONS = [
  String.raw`[A-Z]|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|vs|etc|e\.g|i\.e|cf|al|approx|ca|No|Nos|Nr|Fig|Figs|Eq|Sec|Ch|Vol|p`,
  String.raw`pp|Inc|Ltd|Co|Corp|Dept|Gen|Sen|Rep|Gov|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|z\.B|bzw`,
  String.raw`usw|d\.h|Art|Abs|Bd|Str`,
].join('|')
const ABBREVIATION = new RegExp(String.raw`(?:^|[\s("'“„«[])(?:${ABBREVIATIONS})\.\s*$`, 'u')

/**
 * Returns the ends of sentences, ascending; the last one is the length of the text. A line end ends
 * a sentence unless the line is wrapped. White space after a sentence belongs to it. Linear in the
 * length of the text.
 */
function sentenceEnds(text: string): number[] {
  const ends: number[] = []
  let start = 0
  while (start < text.length) {
    const piece = text.slice(start, start + PIECE_CHARACTERS)
    const isLast = start + piece.length >= text.length
    const found = endsWithin(piece)
    // The last end is the end of the piece, and no sentence end unless the text ends there.
    if (!isLast && found.length > 1) found.pop()
    else if (!isLast) found[0] = wordBorder(text.slice(start, start + PIECE_CHARACTERS + 2), PIECE_CHARACTERS)
    for (const end of found) ends.push(start + end)
    start = ends.at(-1) ?? text.length
  }
  return ends
}

function endsWithin(piece: string): number[] {
  const wrapped = piece.replace(SOFT_BREAK, (lineEnd) => ' '.repeat(lineEnd.length))
  const ends: number[] = []
  for (const { segment, index } of SEGMENTER.segment(wrapped)) {
    const end = index + segment.length
    const previous = ends.at(-1)
    const before = wrapped.slice(Math.max(0, index - 12), index)
    const isContinued = previous === index && (ABBREVIATION.test(before) || segment.trim() === '')
    if (isContinued && !before.endsWith('\n')) ends.pop()
    ends.push(end)
  }
  return ends
}

const SPACE = /\s/u
const COMBINING = /^\p{M}/u

/**
 * Returns the best cut at or before `limit`: after white space in the second half, else after a
 * mark other than a letter. Without either, cuts at `limit`, but never within a character. At least
 * 1 for a text that is not empty.
 */
export function wordBorder(text: string, limit: number): number {
  if (text.length <= limit) return text.length
  const least = limit >> 1
  for (let end = limit; end > least; end--) if (SPACE.test(text[end - 1] ?? '')) return end
  for (let end = limit; end > least; end--) if (/[^\p{L}\p{M}\p{N}\p{Cs}]/u.test(text[end - 1] ?? '')) return end
  let end = limit
  while (end > least && (cutsPair(text, end) || COMBINING.test(text.slice(end, end + 2)))) end--
  return Math.max(1, cutsPair(text, end) ? end + 1 : end)
}

function cutsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}

/** A range of offsets. */
export type Span = { start: number; end: number }

/**
 * Splits a text into sentences without gaps. Sentences over `maxCharacters` are cut at word
 * borders.
 */
export function sentenceSpans(text: string, maxCharacters: number): Span[] {
  return cutLong(text, sentenceEnds(text), maxCharacters)
}

/** Splits a text into lines without gaps. Longer lines are cut at word borders. */
export function lineSpans(text: string, maxCharacters: number): Span[] {
  const ends: number[] = []
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1) ends.push(end)
  if (ends.at(-1) !== text.length) ends.push(text.length)
  return cutLong(text, ends, maxCharacters)
}

function cutLong(text: string, ends: readonly number[], maxCharacters: number): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const end of ends) {
    while (end - start > maxCharacters) {
      const cut = start + wordBorder(text.slice(start, start + maxCharacters + 2), maxCharacters)
      spans.push({ start, end: cut })
      start = cut
    }
    if (end > start) spans.push({ start, end })
    start = end
  }
  return spans
}

/**
 * Covers a text without gaps by pieces of at most `maxCharacters`: consecutive whole sentences,
 * longer sentences cut at word borders.
 */
export function groupSentences(text: string, maxCharacters: number): Span[] {
  return groupSpans(sentenceSpans(text, maxCharacters), maxCharacters)
}

/** Joins adjacent spans up to `maxCharacters`. */
export function groupSpans(spans: readonly Span[], maxCharacters: number): Span[] {
  const groups: Span[] = []
  for (const span of spans) {
    const last = groups.at(-1)
    if (last !== undefined && span.end - last.start <= maxCharacters) last.end = span.end
    else groups.push({ ...span })
  }
  return groups
}
