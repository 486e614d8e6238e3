import type { Static } from 'typebox'
import { CORRECTION_BOOST, JSON_BODY_BYTES } from '../../limits.ts'
import type { CorrectionInput } from '../../service/services.ts'
import { created } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
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
    handle: async ({ services, caller, params, body, signal }) => {
      const memoryId = pathParameter(params, 'id')
      const [correction] = await services.corrections.add(caller, memoryId, [toInput(body)], signal)
      if (correction === undefined) throw new Error('a correction was added and not returned')
      return created(`/v1/memories/${memoryId}/documents/${correction.id}`, correction)
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
    handle: async ({ services, caller, params, body, signal }) => {
      const memoryId = pathParameter(params, 'id')
      const corrections = await services.corrections.add(caller, memoryId, body.corrections.map(toInput), signal)
      const ids = corrections.map(({ id }) => id)
      return created(`/v1/memories/${memoryId}/documents?sourceType=correction`, {
        corrections,
        ids,
        count: ids.length,
      })
    },
  }),
]
