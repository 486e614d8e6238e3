import type { Span } from '../chunking/split-text.ts'
import type { AnswerKind } from '../languages/language.ts'
import { FENCE_MARK, ITEM_MARK } from '../markup.ts'
import { SIGNED } from './answer-kinds.ts'
import { type Asked, findEvidence, headingAnswers, mayAnswer } from './evidence.ts'
import { firstLineOf, introducesList, isTableHead, TABLE_RULE } from './list-leads.ts'
import { type Passage, sentenceAt } from './passage.ts'
import type { ReadSentence } from './read-sentences.ts'

/**
 * A line of a form that nobody filled in (`Signed: ______`) has the words of many questions, and
 * answers none.
 */
const BLANK = /_{4,}|(?:\. ?){6,}/
const COLUMN_GAP = / {2,}|\t/
const LEAST_COLUMNS = 3
const FIGURE = /\d/
/** A line of a table of contents leads to an answer in the same document. */
const CONTENTS = new RegExp(String.raw`^(?:${ITEM_MARK}\s)?\s*\[[^\]\n]+\]\(#[^)\s]*\)$`, 'u')
const FENCE = new RegExp(`^${FENCE_MARK}`)
/**
 * Values that a program wrote, and a line of what it does, which say little alone. A command may be
 * what is asked for.
 */
const DATA = /^[{[\]}"].*|^\S+ [{[]$/
const STATEMENT =
  /\w\(|[;{]$|=>|^(?:import|from|const|let|var|def|return|if|for|while|class|function|export|raise|throw) /

/**
 * True when a sentence may be an answer by itself: no question, heading, title, line of contents,
 * head of a table, empty line of a form or data of an example, and nothing in which what is asked
 * for surely does not stand. A heading with a date may say when: `## 4.2.1 (2024-06-11)`, also of
 * what stands below it, which it leads in. `words` are the question's, as `matchable` makes them.
 */
export function isQuotable(
  passage: Passage | undefined,
  { place, lead }: Pick<ReadSentence, 'place' | 'lead'>,
  asked: Asked,
): boolean {
  const { kind, words } = asked
  if (passage === undefined) return false
  const text = sentenceAt(passage, place)
  if (text === '' || BLANK.test(text) || TABLE_RULE.test(text) || CONTENTS.test(text)) return false
  if (isWithin(passage.sentences[place], passage.code) && (FENCE.test(text) || DATA.test(text) || STATEMENT.test(text)))
    return false
  if (introducesList(passage, place) && !headingAnswers(text, asked)) return false
  if (place === 0 && SIGNED.has(kind) && text === firstLineOf(passage) && !hasEvidence(text, kind, words)) return false
  const isFirstRow = !COLUMN_GAP.test(sentenceAt(passage, place - 1))
  const isHead = isFirstRow && isHeadOfColumns(text, sentenceAt(passage, place + 1))
  return (
    !isTableHead(passage, place) && !isHead && (mayAnswer(text, kind, words) || headingAnswers(lead?.text ?? '', asked))
  )
}

function isWithin(sentence: Span | undefined, spans: readonly Span[]): boolean {
  return sentence !== undefined && spans.some(({ start, end }) => start <= sentence.start && sentence.start < end)
}

/**
 * `Item Quantity Price` above lines with gaps and figures: the head of a table that is drawn with
 * spaces.
 */
function isHeadOfColumns(text: string, next: string): boolean {
  const cells = text.split(COLUMN_GAP)
  return (
    cells.length >= LEAST_COLUMNS &&
    cells.every((cell) => !FIGURE.test(cell)) &&
    COLUMN_GAP.test(next) &&
    FIGURE.test(next)
  )
}

function hasEvidence(text: string, kind: AnswerKind, words: string): boolean {
  return (findEvidence(text, kind, words) ?? []).length > 0
}
