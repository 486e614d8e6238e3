import { VerificationSchema } from '../../../api/memory.ts'
import { ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'

/** Contract, "Export and import": verify. */
export const VERIFY_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/verify',
    operationId: 'verifyMemory',
    summary: 'Compare metadata, memory file and objects of a memory, each chunk with its text',
    tag: 'Memories',
    access: 'memory',
    answers: { 200: { description: 'What was compared, and what is wrong.', schema: VerificationSchema } },
    errors: ['memory_not_found', 'rate_limited'],
    handle: async ({ services, caller, params, signal, closing }) => {
      // It reads every chunk, and nothing is lost: a service that stops does not wait for it.
      const until = AbortSignal.any([signal, closing])
      return ok(await services.verify.verify(caller, pathParameter(params, 'id'), until))
    },
  }),
]
