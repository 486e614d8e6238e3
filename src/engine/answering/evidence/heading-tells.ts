import type { AnswerKind } from '../question/answer-kinds.ts'
import { asks } from '../reading/leads-in.ts'
import { findEvidence } from './find-evidence.ts'

/** What kind of thing is asked for, the question as `matchable` makes it, and whether it asks for what is not so. */
export type Asked = { kind: AnswerKind; words: string; isDenied: boolean }

/** Kinds that a heading tells of all that stands below it. */
const TOLD_BY_HEADINGS: ReadonlySet<AnswerKind> = new Set(['date', 'version'])

/** True for a heading with the date or the version that is asked for, which no sentence below it repeats. */
export function headingTells(heading: string, { kind, words }: Pick<Asked, 'kind' | 'words'>): boolean {
  return TOLD_BY_HEADINGS.has(kind) && !asks(heading) && (findEvidence(heading, kind, words) ?? []).length > 0
}
