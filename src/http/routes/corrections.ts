import { type Static, Type } from 'typebox'
import type { CorrectionBatch, CorrectionResource } from '../../api/correction.ts'
import {
  ChangeCorrectionBody,
  ChangedCorrectionSchema,
  CorrectionBody,
  CorrectionSchema,
  CorrectionsBody,
  CorrectionsSchema,
} from '../../api/correction.ts'
import { OneOf, pageOf, pageParameters } from '../../api/values.ts'
import { CORRECTION_BOOST, JSON_BODY_BYTES, MAX_REQUEST_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import type { CorrectionInput } from '../../services/corrections/corrections-service.ts'
import { takeFitting } from '../../services/paging.ts'
import { created, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readPageRequest, requireChange } from './parameters.ts'

function toInput({
  statement,
  topics = [],
  boost = CORRECTION_BOOST.default,
  expiresAt,
}: Static<typeof CorrectionBody>): CorrectionInput {
  return { statement, topics, boost, expiresAt: expiresAt ?? null }
}

function toCreated([correction]: readonly CorrectionResource[]) {
  if (correction === undefined) throw new Error('the service returned no correction after adding one')
  return created<CorrectionResource>(`/v1/memories/${correction.memoryId}/documents/${correction.id}`, correction)
}

function toBatch(memoryId: string, corrections: readonly CorrectionResource[]) {
  const ids = corrections.map(({ id }) => id)
  const body = { corrections: takeFitting(corrections), ids, count: ids.length }
  return created<CorrectionBatch>(`/v1/memories/${memoryId}/documents?sourceType=correction`, body)
}

const ListQuery = Type.Object({
  ...pageParameters(PAGE_LIMIT.corrections),
  include: Type.Optional(
    OneOf(
      ['outranks'],
      'Set to `outranks` to compute the passages that each correction outranks. Runs one search per correction.',
    ),
  ),
})

/** API document, "Corrections". */
export const CORRECTION_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/correct',
    operationId: 'correct',
    summary: 'Add a correction',
    description:
      'Adds a statement that ranks above all documents in matching searches and takes precedence in answers.',
    tag: 'Corrections',
    access: 'memory',
    body: CorrectionBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The correction.', schema: CorrectionSchema } },
    errors: ['memory_not_found', 'storage_quota_exceeded', 'insufficient_storage'],
    handle: async ({ services, caller, params, body, signal, storeResponseAs }) => {
      const memoryId = pathParameter(params, 'id')
      const request = { corrections: [toInput(body)], isOne: true, signal, storeResponse: storeResponseAs(toCreated) }
      return toCreated(await services.corrections.add(caller, memoryId, request))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/corrections',
    operationId: 'addCorrections',
    summary: 'Add several corrections',
    description: 'Adds up to 1,000 corrections. Either all of them are added or none.',
    tag: 'Corrections',
    access: 'memory',
    body: CorrectionsBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 201: { description: 'The corrections, in request order.', schema: CorrectionsSchema } },
    errors: ['memory_not_found', 'storage_quota_exceeded', 'insufficient_storage'],
    handle: async ({ services, caller, params, body, signal, storeResponseAs }) => {
      const memoryId = pathParameter(params, 'id')
      const toAnswer = (corrections: CorrectionResource[]) => toBatch(memoryId, corrections)
      const request = { corrections: body.corrections.map(toInput), signal, storeResponse: storeResponseAs(toAnswer) }
      return toAnswer(await services.corrections.add(caller, memoryId, request))
    },
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/memories/:id/corrections/:documentId',
    operationId: 'changeCorrection',
    summary: 'Change a correction',
    description:
      'Changes the statement, topics, boost or expiry of a correction, which keeps its identifier. Fields that are ' +
      'not sent stay as they are.',
    tag: 'Corrections',
    access: 'memory',
    body: ChangeCorrectionBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The changed correction.', schema: ChangedCorrectionSchema } },
    errors: ['memory_not_found', 'document_not_found', 'storage_quota_exceeded'],
    handle: async ({ services, caller, params, body, warnings }) => {
      requireChange(ChangeCorrectionBody, body)
      const request = { documentId: pathParameter(params, 'documentId'), change: body }
      const changed = await services.correctionChanges.change(caller, pathParameter(params, 'id'), request)
      return ok({ ...changed, warnings: [...warnings, ...changed.warnings] })
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/corrections',
    operationId: 'listCorrections',
    summary: 'List corrections',
    description: 'Lists the corrections of a memory, including expired ones that have not been removed yet.',
    tag: 'Corrections',
    access: 'memory',
    query: ListQuery,
    answers: {
      200: { description: 'A page of corrections, newest first.', schema: pageOf('corrections', CorrectionSchema) },
    },
    errors: ['memory_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const outranks = query.include === 'outranks'
      const page = readPageRequest({ query, reserveMemory }, PAGE_LIMIT.corrections)
      return ok(await services.corrections.list(caller, pathParameter(params, 'id'), { ...page, outranks }))
    },
  }),
]
