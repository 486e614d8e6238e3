import type { Static } from 'typebox'
import { MAX_REQUEST_BODY_BYTES } from '../../../limits.ts'
import type { ExtractRequest } from '../../../service/extract/extraction.ts'
import { ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { ExtractAnswerSchema, ExtractBody } from '../../schemas/extract.ts'
import { pathParameter } from '../path-parameter.ts'

function toExtractRequest({ sections, context }: Static<typeof ExtractBody>): ExtractRequest {
  return {
    sections: sections.map(({ id, name, fields }) => ({
      id,
      name,
      fields: fields.map(({ key, label, data_type: hint }) => ({ key, label, dataType: hint ?? null })),
    })),
    context: context ?? null,
  }
}

/** API document, "Structured extraction". It costs no query of the plan. */
export const EXTRACT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/extract',
    operationId: 'extract',
    summary: 'Fill a schema of sections and fields from a memory',
    tag: 'Structured extraction',
    mayBeUnkept: true,
    access: 'memory',
    body: ExtractBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The values, each with its source.', schema: ExtractAnswerSchema } },
    errors: ['memory_not_found', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal }) => {
      const memoryId = pathParameter(params, 'id')
      const answer = await services.extract.extract(caller, memoryId, toExtractRequest(body), signal)
      return ok({ ...answer, warnings: [...warnings, ...answer.warnings] })
    },
  }),
]
