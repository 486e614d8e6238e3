import type { Static } from 'typebox'
import { CORRECTION_BOOST, JSON_BODY_BYTES } from '../../limits.ts'
import type { CorrectionResource } from '../../service/resources.ts'
import type { CorrectionInput } from '../../service/services.ts'
import { created } from '../answers/answers.ts'
import { type Answer, defineRoute, type Route } from '../route.ts'
import { CorrectionBody, CorrectionSchema, CorrectionsBody, CorrectionsSchema } from '../schemas/search.ts'
import { pathParameter } from './path-parameter.ts'

/** Bytes of a batch: a thousand statements of full length fit. */
const BATCH_BODY_BYTES = 10 * JSON_BODY_BYTES

function toInput({
  statement,
  topics = [],
  boost = CORRECTION_BOOST.default,
}: Static<typeof CorrectionBody>): CorrectionInput {
  return { statement, topics, boost }
}

function toCreated([correction]: readonly CorrectionResource[]): Answer {
  if (correction === undefined) throw new Error('a correction was added and not returned')
  return created(`/v1/memories/${correction.memoryId}/documents/${correction.id}`, correction)
}

function toBatch(memoryId: string, corrections: readonly CorrectionResource[]): Answer {
  const ids = corrections.map(({ id }) => id)
  const body = { corrections, ids, count: ids.length }
  return created(`/v1/memories/${memoryId}/documents?sourceType=correction`, body)
}

/** API document, "Corrections". */
export const CORRECTION_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/correct',
    operationId: 'correct',
    summary: 'Add a correction, which matching searches bring first',
    tag: 'Corrections',
    access: 'memory',
    body: CorrectionBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The correction.', schema: CorrectionSchema } },
    errors: ['memory_not_found', 'storage_quota_exceeded', 'insufficient_storage'],
    handle: async ({ services, caller, params, body, signal, keepAs }) => {
      const memoryId = pathParameter(params, 'id')
      const work = { signal, keep: keepAs(toCreated) }
      return toCreated(await services.corrections.add(caller, memoryId, [toInput(body)], work))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/corrections',
    operationId: 'addCorrections',
    summary: 'Add several corrections, all or none',
    tag: 'Corrections',
    access: 'memory',
    body: CorrectionsBody,
    maxBodyBytes: BATCH_BODY_BYTES,
    answers: { 201: { description: 'The corrections, in the order sent.', schema: CorrectionsSchema } },
    errors: ['memory_not_found', 'storage_quota_exceeded', 'insufficient_storage'],
    handle: async ({ services, caller, params, body, signal, keepAs }) => {
      const memoryId = pathParameter(params, 'id')
      const toAnswer = (corrections: CorrectionResource[]) => toBatch(memoryId, corrections)
      const work = { signal, keep: keepAs(toAnswer) }
      return toAnswer(await services.corrections.add(caller, memoryId, body.corrections.map(toInput), work))
    },
  }),
]
