import { matchable } from '../analysis/fold.ts'
import { type AnswerKind, QUESTION_FORMS } from './question-forms.ts'

/**
 * What kind of answer a question expects, by its question words in English, German, French, Spanish, Italian,
 * Portuguese, Dutch, Polish, Russian and Chinese; `other` where nothing says so.
 */
export function readAnswerKind(question: string): AnswerKind {
  const words = matchable(question)
  return QUESTION_FORMS.find(({ form }) => form.test(words))?.kind ?? 'other'
}
