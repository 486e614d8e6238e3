import type { Kysely } from 'kysely'
import type { Warning } from '../../api/values.ts'
import { type KnownDocument, listKnownDocuments } from '../../database/documents/known-documents.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError, type ErrorDetail } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { KnownQuestion } from './evaluation.ts'

/** A question with the gains of the documents that answer it, by their identifiers. */
export type ResolvedQuestion = { query: string; gains: ReadonlyMap<string, number> }

/** Wrong fields named in one answer; more help nobody. */
const MAX_DETAILS = 50

/**
 * Looks up what the questions name, in one memory. Throws `validation_failed` that names every document which is not there, every question that
 * names none, and every grade of none of its documents. Documents that cannot be found yet are a warning.
 */
export async function resolveQuestions(
  db: Kysely<Tables>,
  memoryId: string,
  questions: readonly KnownQuestion[],
): Promise<{ questions: ResolvedQuestion[]; warnings: Warning[] }> {
  const known = await listKnownDocuments(db, memoryId, {
    ids: [...new Set(questions.flatMap(({ documentIds }) => documentIds))].filter((id) => isId('doc', id)),
    externalIds: [...new Set(questions.flatMap(({ externalIds }) => externalIds))],
  })
  const details = questions.flatMap((question, index) => listWrong(question, `questions[${index}]`, known))
  throwWrong(details)
  return {
    questions: questions.map((question) => ({ query: question.query, gains: readGains(question, known) })),
    warnings: warnOfUnready(known),
  }
}

type Known = Awaited<ReturnType<typeof listKnownDocuments>>

function listWrong(question: KnownQuestion, at: string, { byId, byExternalId }: Known): ErrorDetail[] {
  const { documentIds, externalIds, grades } = question
  const named = new Set([...documentIds, ...externalIds])
  const message = 'names no document of this memory'
  const ofNone =
    named.size > 0 ? [] : [{ param: `${at}.documentIds`, message: 'must name a document, or externalIds must' }]
  return [
    ...ofNone,
    ...documentIds.flatMap((id, place) =>
      byId.has(id) ? [] : [{ param: `${at}.documentIds[${place}]`, message: `${message}: ${id.slice(0, 100)}` }],
    ),
    ...externalIds.flatMap((id, place) =>
      byExternalId.has(id)
        ? []
        : [{ param: `${at}.externalIds[${place}]`, message: `${message}: ${id.slice(0, 100)}` }],
    ),
    ...Object.keys(grades).flatMap((id) =>
      named.has(id) ? [] : [{ param: `${at}.grades.${id.slice(0, 100)}`, message: 'is no document of this question' }],
    ),
  ]
}

function throwWrong(details: readonly ErrorDetail[]): void {
  const [first] = details
  if (first === undefined) return
  const { param } = first
  const message = `${param} ${first.message}`
  throw new ApiError('validation_failed', { message, param, details: details.slice(0, MAX_DETAILS) })
}

function readGains({ documentIds, externalIds, grades }: KnownQuestion, { byId, byExternalId }: Known) {
  const gains = new Map<string, number>()
  const take = (document: KnownDocument | undefined, name: string) => {
    if (document === undefined) return
    // What every object has, such as `constructor`, is no grade.
    const grade = Object.hasOwn(grades, name) ? (grades[name] ?? 1) : 1
    gains.set(document.id, Math.max(gains.get(document.id) ?? 0, grade))
  }
  for (const id of documentIds) take(byId.get(id), id)
  for (const id of externalIds) take(byExternalId.get(id), id)
  return gains
}

function warnOfUnready({ byId, byExternalId }: Known): Warning[] {
  const unready = new Set(
    [...byId.values(), ...byExternalId.values()].filter(({ isLive }) => !isLive).map(({ id }) => id),
  )
  if (unready.size === 0) return []
  const some = [...unready].slice(0, MAX_DETAILS).join(', ')
  const message = `Documents that are not ready cannot be found, and count as missed: ${some}.`
  return [{ code: 'document_not_ready', message, param: 'questions' }]
}
