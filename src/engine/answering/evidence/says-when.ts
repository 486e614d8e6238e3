import type { AnswerKind } from '../question/answer-kinds.ts'
import { asks } from '../reading/leads-in.ts'
import { findEvidence } from './find-evidence.ts'

/** What kind of thing is asked for, the question as `matchable` makes it, and whether it asks for what is not so. */
export type Asked = { kind: AnswerKind; words: string; isDenied: boolean }

/** True for a heading with the date that is asked for, which no sentence below it repeats. */
export function saysWhen(heading: string, { kind, words }: Pick<Asked, 'kind' | 'words'>): boolean {
  return kind === 'date' && !asks(heading) && (findEvidence(heading, kind, words) ?? []).length > 0
}
