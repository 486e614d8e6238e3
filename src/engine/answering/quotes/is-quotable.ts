import type { Analyzer } from '../../analysis/analyzer.ts'
import { normalizeForMatch } from '../../analysis/fold.ts'
import type { Span } from '../../chunking/split-text.ts'
import type { AnswerKind } from '../../languages/language.ts'
import { languagesWith } from '../../languages/languages.ts'
import { FENCE_MARK, ITEM_MARK } from '../../markup.ts'
import { NORMALIZED, WRITTEN, wordPattern } from '../../phrases.ts'
import { COPULAS, SIGNED_KINDS, SOFT_KINDS, STRONG_KINDS } from '../answer-kinds.ts'
import { isSpeakerLine } from '../dialogue-lines.ts'
import {
  type Asked,
  findEvidence,
  headingAnswers,
  isNameHeading,
  mayContainAnswer,
  tellsOtherHours,
} from '../evidence.ts'
import { UNIT_FORMS, UNSPACED } from '../evidence-patterns.ts'
import { listMeasures } from '../expand-question.ts'
import { hasNegation } from '../negation.ts'
import { findTitleLine, introducesList, isNamedReply, repliesToOtherKind } from '../parent-lines.ts'
import { type Match, type Passage, sentenceAt } from '../passage.ts'
import { PARAGRAPH, type ReadSentence } from '../read-sentences.ts'
import { hasOtherMeasureColumn, hasOtherValue, isTableHead, isTableRow } from '../table-rows.ts'
import { findIntroducedBlock } from './find-introduced-block.ts'
import { ASKS_WHICH } from './quote-labels.ts'

/** An empty form field (`Signed: ______`) matches many questions and answers none. */
const BLANK = /_{4,}|(?:\. ?){6,}/
const COLUMN_GAP = / {2,}|\t/
const MIN_COLUMNS = 3
const FIGURE = /\d/
/** Rules of tables and below headings have no letter and no digit. */
const WORD = /[\p{L}\p{N}]/u
/** A line of a table of contents, which links to the answer. */
const CONTENTS = new RegExp(String.raw`^(?:${ITEM_MARK}\s)?\s*\[[^\]\n]+\]\(#[^)\s]*\)$`, 'u')
const FENCE = new RegExp(`^${FENCE_MARK}`)
/** Data and program statements have little meaning alone. A command may be the answer. */
const DATA = /^[{[\]}"].*|^\S+ [{[]$/
const STATEMENT =
  /\w\(|[;{]$|=>|^(?:import|from|const|let|var|def|return|if|for|while|class|function|export|raise|throw) /

/**
 * True if a sentence can be an answer on its own. Excludes questions, headings, titles, tables of
 * contents, table headers, empty form fields, data, and sentences without the expected kind. Rows
 * with another value than the named one are excluded, too. A
 * heading with a date can answer "when": `## 4.2.1 (2024-06-11)`, also for the lines below it.
 * `words` is the question in the form of `normalizeForMatch`.
 */
export function isQuotable(passage: Passage | undefined, { place, parent, matches }: Placed, asked: Asked): boolean {
  const { kind, words } = asked
  if (passage === undefined) return false
  const text = sentenceAt(passage, place)
  const row = { place, parent }
  if (!WORD.test(text) || BLANK.test(text) || CONTENTS.test(text) || hasOtherValue(passage, row, words)) return false
  if (hasOtherMeasureColumn(passage, row, words)) return false
  if (saysOther(text, parent?.text ?? '', asked)) return false
  if (isSpeakerLine(passage, place) && !asksForTimeOf(matches, kind)) return false
  if (isWithin(passage.sentences[place], passage.code) && (FENCE.test(text) || DATA.test(text) || STATEMENT.test(text)))
    return false
  if (introducesList(passage, place) && !headingAnswers(text, asked)) return false
  if (place === 0 && SIGNED_KINDS.has(kind) && text === findTitleLine(passage) && !hasEvidence(text, kind, words))
    return false
  if (kind === 'reason' && !givesReason(passage, place)) return false
  const isFirstRow = !COLUMN_GAP.test(sentenceAt(passage, place - 1))
  const isHead = isFirstRow && isHeadOfColumns(text, sentenceAt(passage, place + 1))
  return !isTableHead(passage, place) && !isHead && mayAnswer(passage, { place, parent, matches }, asked)
}

type Placed = Pick<ReadSentence, 'place' | 'parent' | 'matches'>

function mayAnswer(passage: Passage, sentence: Placed, asked: Asked): boolean {
  const { place, parent, matches } = sentence
  const { kind, words } = asked
  const text = sentenceAt(passage, place)
  const isOther =
    (matches.length === 0 && repliesToOtherKind(parent, kind)) ||
    (kind === 'measure' && lacksMeasure(text, parent, words))
  const isAnswer =
    !isOther &&
    (mayContainAnswer(text, kind, words) ||
      headingAnswers(parent?.text ?? '', asked) ||
      isNamedReply(text, parent, kind))
  return isAnswer || isDoneByHeading(passage, sentence, kind)
}

/** True for a row without a unit, if neither its label nor a line above names a measure. */
function lacksMeasure(text: string, parent: ReadSentence['parent'], words: string): boolean {
  if (parent === null || !isTableRow(text) || hasEvidence(text, 'measure', words)) return false
  return UNIT_FORMS.measure?.test(parent.text) !== true && listMeasures(`${parent.text}\n${text}`).size === 0
}

/** "no", before a noun, in the form of `normalizeForMatch`. */
const NO = new RegExp(` (?:${wordPattern(({ statements }) => statements?.negatedArticles, NORMALIZED)}) `, 'u')

/**
 * True for closed days if the question asks for open ones, and for "Excess 150 euros." if it asks
 * "Which insurance has no excess?". `lead` is the text above.
 */
function saysOther(text: string, lead: string, asked: Asked): boolean {
  const isWithout = NO.test(asked.words) && ASKS_WHICH.test(asked.words)
  const hasAmount = isWithout && FIGURE.test(text) && ![text, lead].some((one) => hasNegation(one, null))
  return hasAmount || tellsOtherHours(text, lead, asked)
}

/**
 * True for "Orders laptops." below `## Marek Dolan`, and "Who orders laptops?". The statement
 * begins with a word of the question and has no subject. Another heading is a name as well.
 */
function isDoneByHeading(passage: Passage, { place, parent, matches }: Placed, kind: AnswerKind): boolean {
  const span = passage.sentences[place]
  if (kind !== 'person' || parent === null || span === undefined || !isNameHeading(parent.text)) return false
  const first = FIRST_LETTER.exec(passage.text.slice(span.start, span.end))?.index ?? 0
  const isSubject = COPULA.test(normalizeForMatch(sentenceAt(passage, place)))
  const isAsked = matches.some(({ start }) => start === span.start + first)
  return isAsked && !isSubject && passage.sentences.filter((_, at) => isNameHeading(sentenceAt(passage, at))).length > 1
}

const FIRST_LETTER = /\p{L}/u
const COPULA = new RegExp(` (?:${COPULAS}) `, 'u')

/** Words that may give a reason, if a sentence has none of those that always do. */
const MAY_GIVE_REASON = new RegExp(
  `(?<!\\p{L})(?:${wordPattern(({ answers }) => answers?.causes, WRITTEN)})(?!\\p{L})|[:;；：–—]`,
  'iu',
)

/** Languages with lists of such words; texts in others may give a reason in any way. */
const LISTED = new Set(languagesWith(({ answers }) => answers?.causes).map(({ code }) => code))

/** False for the last sentence of a paragraph without a reason: `The ferry was late.` */
function givesReason(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  if ((findEvidence(text, 'reason', '') ?? []).length > 0 || MAY_GIVE_REASON.test(text)) return true
  const [own, next] = [passage.sentences[place], passage.sentences[place + 1]]
  const isInside = own !== undefined && next !== undefined && !PARAGRAPH.test(passage.text.slice(own.end, next.start))
  if (isInside) return true
  return UNSPACED.test(text) || (passage.language !== null && !LISTED.has(passage.language))
}

/** Kinds whose value a question never has itself: "Where is …?" is answered by a new word. */
const VALUE_KINDS: ReadonlySet<AnswerKind> = new Set(
  [...STRONG_KINDS, ...SOFT_KINDS].filter((kind) => kind !== 'permission'),
)

/**
 * Creates a test for sentences that only repeat words of a question for a value: `The harbour
 * crane` for "Who built the harbour crane?". A list below it, or a heading, section or title above
 * with a value answers.
 */
export function createRepeatTest(
  analyzer: Analyzer,
  { text, kind, asked, languages }: { text: string; kind: AnswerKind; asked: Asked; languages: readonly string[] },
): (passage: Passage | undefined, sentence: Pick<ReadSentence, 'place' | 'parent'>) => boolean {
  const known = new Set(analyzer.queryTerms(text, languages).terms)
  return (passage, { place, parent }) => {
    if (passage === undefined || !VALUE_KINDS.has(kind)) return false
    const sentence = sentenceAt(passage, place)
    const span = passage.sentences[place]
    if (span === undefined || sentence.length > text.length) return false
    if (findIntroducedBlock(passage, span).end > span.end) return false
    const { terms } = analyzer.queryTerms(sentence, languages)
    const isKnown = terms.length > 0 && terms.every((term) => known.has(term))
    // Number words are stop words of some languages: "Drei Schlüssel wurden übergeben."
    const texts = [sentence, parent?.text, passage.section, passage.title].map((part) => part ?? '')
    return isKnown && !texts.some((part) => hasEvidence(part, kind, asked.words))
  }
}

/** "When did Ann reply?" is answered by the name with the time above her message. */
function asksForTimeOf(matches: readonly Match[], kind: AnswerKind): boolean {
  return matches.length > 0 && (kind === 'date' || kind === 'hour' || matches.some(({ term }) => FIGURE.test(term)))
}

function isWithin(sentence: Span | undefined, spans: readonly Span[]): boolean {
  return sentence !== undefined && spans.some(({ start, end }) => start <= sentence.start && sentence.start < end)
}

/**
 * `Item Quantity Price` above lines with gaps and numbers: the header of a table drawn with spaces.
 */
function isHeadOfColumns(text: string, next: string): boolean {
  const cells = text.split(COLUMN_GAP)
  return (
    cells.length >= MIN_COLUMNS &&
    cells.every((cell) => !FIGURE.test(cell)) &&
    COLUMN_GAP.test(next) &&
    FIGURE.test(next)
  )
}

function hasEvidence(text: string, kind: AnswerKind, words: string): boolean {
  return (findEvidence(text, kind, words) ?? []).length > 0
}
