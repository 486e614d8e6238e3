import { mayAnswer } from './find-evidence.ts'
import type { AnswerKind } from './question-forms.ts'
import type { Passage } from './read-sentences.ts'

/** A line of a form that nobody filled in (`Signed: ______`) has the words of many questions, and answers none. */
const BLANK = /_{4,}|(?:\. ?){6,}/
const SENTENCE_END = /[.!?…。！？]$/u
const HEADING_SIGN = /^#{1,6}\s+/
/** The line of dashes below the head of a Markdown table. */
const TABLE_RULE = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$/

/**
 * True when a sentence may be an answer by itself: no heading, title, head of a table or empty line of a form, and nothing in which what is
 * asked for surely does not stand. `words` are the question's, as `matchable` makes them.
 */
export function isQuotable(
  passage: Passage | undefined,
  place: number,
  { kind, words }: { kind: AnswerKind; words: string },
): boolean {
  const text = sentenceAt(passage, place)
  if (passage === undefined || text === '') return false
  if (BLANK.test(text) || isHeading(text, passage) || TABLE_RULE.test(text)) return false
  const isTableHead = text.includes('|') && TABLE_RULE.test(sentenceAt(passage, place + 1))
  return !isTableHead && mayAnswer(text, kind, words)
}

function sentenceAt(passage: Passage | undefined, place: number): string {
  const span = passage?.sentences[place]
  return passage === undefined || span === undefined ? '' : passage.text.slice(span.start, span.end)
}

function isHeading(text: string, { title, section, sentences }: Passage): boolean {
  if (HEADING_SIGN.test(text)) return true
  // A statement that is a document of its own is its own title.
  if (text === title && sentences.length > 1 && !SENTENCE_END.test(text)) return true
  return section !== null && (section === text || section.endsWith(` > ${text}`))
}
