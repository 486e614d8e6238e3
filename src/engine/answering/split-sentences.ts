import { type Span, wordBorder } from '../chunking/split-text.ts'
import { wordsOfAll } from '../languages/languages.ts'
import { findCodeOfPassage, findRecords } from '../markup.ts'
import { WRITTEN, wordPattern } from '../phrases.ts'
import { findWraps } from './wrapped-lines.ts'

/** Longer sentences are cut at a word border, so that quotes stay readable. UTF-16 code units. */
const MAX_SENTENCE_CHARACTERS = 700
/**
 * Possible ends of sentences: full stops with closing marks, stops of scripts without spaces, line
 * ends, a gap before a label.
 */
const STOPS = new RegExp(
  [
    String.raw`[.!?…؟।]{1,8}["'”’»)\]]{0,4}(?:\[[^\]\s][^\]\n]{0,40}\]){0,6}(?=\s)|[。！？｡]{1,8}[」』”’）】]{0,4}|\n`,
    String.raw`(?: {3}|\t|\u3000)(?=\s{0,80}\p{L}(?:(?! {3})[^\n\t\u3000:：|]){0,30}(?:：|:[ \t]))`,
  ].join('|'),
  'gu',
)
/** `Type: KX200` before a gap; a new label follows the gap. */
const PAIR = /\p{L}[^\n:：|]{0,30}(?:：|:[ \t])\s*\S/u
/** Number of characters examined around a stop. */
const REACH_CHARACTERS = 24
/**
 * A caption before the sentence on its line: `Article 6 – Pets`, `2. Price of the services`, `§ 4
 * Notice`, `QUINTA. Gastos`.
 */
const CAPTIONS = [
  String.raw`(?:\d{1,3}(?:\.\d{1,3}){0,3}[.)]|\d{1,3}(?:\.\d{1,3}){1,3})(?: \p{L}[^\s.!?]*){1,5}`,
  String.raw`§ ?\d{1,3}(?: \p{L}[^\s.!?]*){0,5}|\p{L}{1,12}\.? \d{1,3}(?: [–—-](?: \p{L}[^\s.!?]*){1,5})?`,
  String.raw`\p{Lu}{4,}[.:](?:[-–—]| [-–—])? \p{L}[^\s.!?]*(?: \p{L}[^\s.!?]*){0,4}`,
].join('|')
const CAPTION = new RegExp(String.raw`^\s*(?:${CAPTIONS})$`, 'u')
const MAX_LEAD_CHARACTERS = 80
const MAX_PAIR_CHARACTERS = 200
const LOWER_CASE = /^\s*[("'“„«[]?\p{Ll}/u

/**
 * Splits a text into sentences for quotes and citations, in order, trimmed, none empty. A line end
 * ends a sentence unless the line is wrapped; list items, headings and records are one sentence
 * each. A full stop in an abbreviation, initial, ordinal or number ends none. `code` is the fenced
 * code of the text, in order. Linear in the length of the text.
 */
export function splitSentences(text: string, code: readonly Span[] = findCodeOfPassage(text)): Span[] {
  const sentences: Span[] = []
  const wraps = findWraps(text, code)
  const records = findRecords(text)
  let start = 0
  const passRecords = (until: number) => {
    for (const record of records.splice(0, records.filter((each) => each.start < until).length)) {
      pushTrimmed(sentences, text, { start, end: record.start })
      pushTrimmed(sentences, text, record)
      start = record.end
    }
  }
  for (const match of text.matchAll(STOPS)) {
    const end = match.index + match[0].length
    passRecords(end)
    if (match.index < start || wraps.has(match.index) || !isEnd(text, match[0], { start, stop: match.index, end }))
      continue
    pushTrimmed(sentences, text, { start, end })
    start = end
  }
  passRecords(text.length)
  pushTrimmed(sentences, text, { start, end: text.length })
  return sentences
}

function isEnd(text: string, mark: string, { start, stop, end }: Span & { stop: number }): boolean {
  const after = text.slice(end, end + REACH_CHARACTERS)
  const before = text.slice(Math.max(start, stop - REACH_CHARACTERS), stop)
  if (mark === '\n') return true
  if (/[。！？｡]/u.test(mark)) return true
  if (mark.trim() === '') return PAIR.test(text.slice(Math.max(start, stop - MAX_PAIR_CHARACTERS), stop))
  if (!/[?؟]/.test(mark) && startsStatement(text, { start, stop, end })) return false
  if (/^\s*\n/.test(after)) return !(mark === '.' && endsInAbbreviation(before, after) && LOWER_CASE.test(after))
  if (/^\s*[.»]/.test(after)) return false
  if (LOWER_CASE.test(after)) return /[!?]/.test(mark) && !/["'”’»)]$/.test(mark)
  return !(mark === '.' && endsInAbbreviation(before, after))
}

/**
 * A single word or a caption stays with the sentence after it: "No. None of them does.", "Article
 * 6. Pets. Small pets are allowed."
 */
function startsStatement(text: string, { start, stop, end }: Span & { stop: number }): boolean {
  if (stop - start > MAX_LEAD_CHARACTERS || !/^[ \t]+\S/.test(text.slice(end, end + REACH_CHARACTERS))) return false
  const piece = text.slice(start, stop)
  return (start === 0 || text[start - 1] === '\n') && (/^\s*\p{L}+$/u.test(piece) || CAPTION.test(piece))
}

function pushTrimmed(sentences: Span[], text: string, { start, end }: Span): void {
  const raw = text.slice(start, end)
  const from = start + raw.length - raw.trimStart().length
  const to = start + raw.trimEnd().length
  for (let at = from; at < to; ) {
    const cut = at + wordBorder(text.slice(at, Math.min(to, at + MAX_SENTENCE_CHARACTERS + 2)), MAX_SENTENCE_CHARACTERS)
    const piece = text.slice(at, Math.min(cut, to))
    const lead = piece.length - piece.trimStart().length
    if (piece.trim() !== '') sentences.push({ start: at + lead, end: at + piece.trimEnd().length })
    at = Math.max(at + 1, Math.min(cut, to))
  }
}

/** Abbreviations with a full stop that ends no sentence. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(wordsOfAll(({ abbreviations }) => abbreviations))
/** Abbreviations that often end a sentence: a following capital is no evidence. */
const OFTEN_LAST: ReadonlySet<string> = new Set(wordsOfAll(({ finalAbbreviations }) => finalAbbreviations))
/** A number, a code or a blank after such an abbreviation: "Part no. QH-77/B", "No. 5". */
const NUMBER_OR_CODE = /^\s+(?:[\d_]|\p{Lu}[\p{Lu}./-]{0,7}\d)/u
/** Function words at the start of a sentence, with which no name or number begins. */
const OPENING = new RegExp(`^\\s+["'“„«(]?(?:${wordPattern(({ openings }) => openings, WRITTEN)})\\s`, 'u')
/** Months and days are abbreviated with a capital; "mar" and "sun" are words. */
const CALENDAR = new RegExp(`(?:^|[\\s(,])(?:${wordPattern(({ shortDates }) => shortDates, WRITTEN)})$`)
/** Single letters with spaces between: "z. B.", "u. a.", "d. h.", "т. е." */
const SPACED = /(?:^|[\s(])\p{Ll}$/u
const AFTER_SPACED = /^\s\p{L}\./u
const LAST_WORD = /(?:^|[\s("'“„«[—–-])((?:\p{L}+[.-])*\p{L}{1,8}|n°)$/u
const INITIAL = /(?:^|[\s("'“„«[.])\p{Lu}$/u
/**
 * Number of an item or heading at the start of a line, after optional marks: `2. Price`, `## 2.
 * Price`, `**2. Price**`.
 */
const ITEM_NUMBER = /(?:^|\n)[\s#*_>•–-]{0,12}(?:\d{1,3}|\p{L})$/u
/** German dates and ordinals: "am 3. Oktober", "das 19. Jahrhundert". */
const ORDINAL = /(?:^|[\s(])\d{1,2}$/u
/** Words before an ordinal: "das 14. Lebensjahr", "im 3. Obergeschoss". */
const BEFORE_ORDINAL = new RegExp(
  `(?:^|[\\s(])(?:${wordPattern(({ beforeOrdinal }) => beforeOrdinal, WRITTEN)}) \\d{1,2}$`,
  'u',
)
const AFTER_ORDINAL = new RegExp(`^\\s+(?:${wordPattern(({ afterOrdinal }) => afterOrdinal, WRITTEN)})`, 'u')

/**
 * True if the full stop between `before` and `after` belongs to an abbreviation, an initial, an
 * ordinal or an item number. The sentence then continues. Both are a few characters; `after` begins
 * with white space.
 */
function endsInAbbreviation(before: string, after: string): boolean {
  if (ITEM_NUMBER.test(before)) return true
  if (CALENDAR.test(before)) return true
  if (SPACED.test(before) && AFTER_SPACED.test(after)) return true
  if (ORDINAL.test(before)) return AFTER_ORDINAL.test(after) || (BEFORE_ORDINAL.test(before) && !OPENING.test(after))
  const word = LAST_WORD.exec(before)?.[1] ?? ''
  if (INITIAL.test(before) && word.length <= 1) return !OPENING.test(after)
  const name = word.toLowerCase()
  if (!ABBREVIATIONS.has(name)) return false
  return OFTEN_LAST.has(name) ? NUMBER_OR_CODE.test(after) && !/^(?:г|гг|в|вв)$/u.test(name) : true
}
