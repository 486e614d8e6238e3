import { matchable } from '../analysis/fold.ts'
import { type AnswerKind, QUESTION_FORMS } from './question-forms.ts'

/** The kind, and whether the question word alone says so. */
export type AskedKind = { kind: AnswerKind; isPlain: boolean }

/** In these languages names and trades are told by their looks; in others people have words of too many endings. */
const WHO = / (?:who|whom|whose|wer|wem|wen|wessen) /

/**
 * What kind of answer a question expects, by its question words in English, German, French, Spanish, Italian,
 * Portuguese, Dutch, Polish, Russian and Chinese; `other` where nothing says so.
 */
export function readAnswerKind(question: string): AskedKind {
  const words = matchable(question)
  const { kind, isPlain } = QUESTION_FORMS.find(({ form }) => form.test(words)) ?? { kind: 'other', isPlain: false }
  return { kind, isPlain: isPlain && (kind !== 'person' || WHO.test(words)) }
}
