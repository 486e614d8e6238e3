import { matchable } from '../../analysis/fold.ts'
import type { AnswerKind } from './answer-kinds.ts'
import { QUESTION_FORMS } from './question-forms.ts'

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

/** "Is there …?", "Hat sie einen …?": whether something is there or not, over words in lower case without accents, one space around each. */
const ASKS_WHETHER =
  /^ (?:(?:is|are|was|were) there|(?:do|does|did) \S+(?: \S+){0,4} (?:have|include|contain|offer|support|come with)|(?:has|have) .* got|gibt es|hat|haben|besitzt|enthalt|bietet|(?:est ce qu )?(?:il )?y a t il|il y a|a t (?:il|elle)|hay|tiene|incluye|tem|ha|existe|c e|ci sono|heeft|is er|zijn er|есть ли|имеет ли|czy jest|czy sa) /u

/** True for a question after whether something is there, which nothing answers that does not speak of it. */
export function asksWhether(question: string): boolean {
  return ASKS_WHETHER.test(matchable(question))
}
