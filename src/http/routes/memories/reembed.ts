import type { AcceptedJob, JobResource } from '../../../api/job.ts'
import { AcceptedJobSchema, ReembedBody } from '../../../api/job.ts'
import { JSON_BODY_BYTES } from '../../../limits.ts'
import { accepted } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pathParameter } from '../path-parameter.ts'

/** Contract, "Re-embed". */
export const REEMBED_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/reembed',
    operationId: 'reembedMemory',
    summary: 'Make all vectors of a memory anew with another embedding model, while the old ones answer',
    tag: 'Memories',
    access: 'memory',
    body: ReembedBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 202: { description: 'A reembedding job; the memory changes when it ends.', schema: AcceptedJobSchema } },
    errors: ['memory_not_found', 'reembedding_in_progress'],
    handle: async ({ services, caller, params, body, warnings, keepAs }) => {
      const toAccepted = (job: JobResource) => {
        const pollUrl = `/v1/jobs/${job.id}`
        return accepted<AcceptedJob>(pollUrl, { jobId: job.id, pollUrl, status: 'pending', job, warnings })
      }
      const memoryId = pathParameter(params, 'id')
      return toAccepted(await services.reembed.begin(caller, memoryId, body.embeddingModel, keepAs(toAccepted)))
    },
  }),
]
