import type { AnswerKind } from '../question/answer-kinds.ts'
import { asks } from '../reading/leads-in.ts'
import { findEvidence } from './find-evidence.ts'

/** What kind of thing is asked for, and the question as `matchable` makes it. */
export type Asked = { kind: AnswerKind; words: string }

/** True for a heading with the date that is asked for, which no sentence below it repeats. */
export function saysWhen(heading: string, { kind, words }: Asked): boolean {
  return kind === 'date' && !asks(heading) && (findEvidence(heading, kind, words) ?? []).length > 0
}
