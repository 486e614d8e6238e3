import type { Static } from 'typebox'
import { ExtractAnswerSchema, ExtractBody } from '../../api/extract.ts'
import { EXTRACTION, MAX_REQUEST_BODY_BYTES } from '../../limits.ts'
import type { ExtractRequest } from '../../services/extract/extract-service.ts'
import { limitWarnings } from '../../services/warning.ts'
import { ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'
import { queryBytes } from './query-cost.ts'

/** Those of all fields are held until the values are read (`services/extract/extract-service.ts`). */
const PASSAGES_PER_FIELD = 12

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
    description:
      'Reads a value for each field of a schema, with the place where it stands. A field that is not found ' +
      'is null, never a guess.',
    tag: 'Structured extraction',
    mayBeUnkept: true,
    access: 'memory',
    body: ExtractBody,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: { 200: { description: 'The values, each with its source.', schema: ExtractAnswerSchema } },
    errors: ['memory_not_found', 'model_failed'],
    handle: async ({ services, caller, params, body, warnings, signal, reserveMemory }) => {
      const memoryId = pathParameter(params, 'id')
      const fields = body.sections.reduce((sum, section) => sum + section.fields.length, 0)
      reserveMemory(queryBytes({ characters: 0, hits: Math.min(fields, EXTRACTION.fields) * PASSAGES_PER_FIELD }))
      const answer = await services.extract.extract(caller, memoryId, { ...toExtractRequest(body), signal })
      return ok({ ...answer, warnings: limitWarnings([...warnings, ...answer.warnings]) })
    },
  }),
]
