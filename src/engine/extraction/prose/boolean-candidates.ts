import { contradicts, keysOf } from '../labels/score-label.ts'
import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import type { ReadPassage } from '../reading/read-passage.ts'

const NEGATION =
  /(?<![\p{L}])(?:not|never|no|nicht|kein|keine|keinen|ne\s+\p{L}+\s+pas|n['’]est\s+pas|aucun|aucune|without)(?![\p{L}])/iu
const PERMISSION = /(?<![\p{L}])(?:allowed|permitted|may|erlaubt|gestattet|zulässig|autorisée?s?)(?![\p{L}])/iu
const EXCEPTION = /(?<![\p{L}])(?:unless|except|if|without|provided|ohne|sofern|sauf|wenn)(?![\p{L}])/iu
const SCORE = { denied: 0.72, permitted: 0.7 } as const

/**
 * What a sentence with every word of the label allows or denies: `Pets are not allowed`. Other statements are left alone, since a
 * sentence that only mentions a thing is no answer.
 */
export function listBooleanCandidates(passage: ReadPassage, { asked, keys }: FieldSearch): Candidate[] {
  if (!keys.has('permit')) return []
  return passage.clauses.flatMap(({ start, end, words }): Candidate[] => {
    const own = keysOf(words)
    if (contradicts(keys, own) || !asked.every((word) => word.keys.some((key) => own.has(key)))) return []
    const text = passage.text.slice(start, end)
    const negation = NEGATION.exec(text)
    const permission = PERMISSION.exec(text)
    const match = negation ?? permission
    if (match === null || (negation === null && EXCEPTION.test(text))) return []
    const span = { start: start + match.index, end: start + Math.max(match.index + match[0].length, endOf(permission)) }
    return [{ value: negation === null, ...span, score: negation === null ? SCORE.permitted : SCORE.denied }]
  })
}

function endOf(match: RegExpExecArray | null): number {
  return match === null ? 0 : match.index + match[0].length
}
