import { Type } from 'typebox'
import type { JobResource } from '../../api/job.ts'
import { JOB_STATUSES, JobSchema } from '../../api/job.ts'
import { creationParameters, OneOf, pageOf, pageParameters } from '../../api/values.ts'
import { PAGE_LIMIT } from '../../limits.ts'
import { ok } from '../answers/answers.ts'
import { eventStream, type ServerEvent } from '../answers/event-stream.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readCreation, readPageRequest } from './parameters.ts'

/**
 * Maximum time to hold a response. Our choice: many proxies close silent connections after 60 s.
 */
const MAX_WAIT_SECONDS = 60

const ListQuery = Type.Object({
  ...pageParameters(PAGE_LIMIT.jobs),
  status: Type.Optional(OneOf(JOB_STATUSES, 'Return only jobs with this status.')),
  memoryId: Type.Optional(Type.String({ description: 'Return only jobs of this memory.' })),
  jobType: Type.Optional(Type.String({ description: 'Return only jobs of this type.' })),
  ...creationParameters('jobs'),
})

const GetQuery = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: 0,
      description: 'Wait up to this number of seconds for the job to end before responding.',
    }),
  ),
})

async function* toEvents(changes: AsyncIterable<JobResource>): AsyncGenerator<ServerEvent> {
  let last: JobResource | null = null
  for await (const job of changes) {
    last = job
    yield { event: 'progress', data: job }
  }
  if (last !== null) yield { event: 'end', data: last }
}

/** API document, "Jobs", and the contract's additions. */
export const JOB_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description: 'Lists the jobs of the organization. A memory-scoped key only sees the jobs of its memory.',
    tag: 'Jobs',
    access: 'memory',
    query: ListQuery,
    answers: {
      200: { description: 'A page of jobs, newest first unless sorted otherwise.', schema: pageOf('jobs', JobSchema) },
    },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) => {
      const { status = null, memoryId = null, jobType = null, sort = '-createdAt' } = query
      const listing = { status, memoryId, jobType, sort, ...readCreation(query) }
      return ok(await services.jobs.list(caller, listing, readPageRequest({ query, reserveMemory }, PAGE_LIMIT.jobs)))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/jobs/:id',
    operationId: 'getJob',
    summary: 'Get a job',
    description:
      'Returns a job. With `wait`, the response is delayed until the job ends. Without it, poll every 5 ' +
      'to 10 seconds.',
    tag: 'Jobs',
    access: 'memory',
    query: GetQuery,
    answers: { 200: { description: 'The job.', schema: JobSchema } },
    errors: ['job_not_found'],
    handle: async ({ services, caller, params, query, signal, closing }) => {
      const jobId = pathParameter(params, 'id')
      const waitMs = (query.wait ?? 0) * 1000
      if (waitMs === 0) return ok(await services.jobs.get(caller, jobId))
      return ok(await services.jobs.wait(caller, jobId, { waitMs, signal: AbortSignal.any([signal, closing]) }))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/jobs/:id/events',
    operationId: 'watchJob',
    summary: 'Stream job events',
    description:
      'Sends the job as a server-sent event: the current state first, each change, and an `end` event at the end.',
    tag: 'Jobs',
    access: 'memory',
    answers: {
      200: {
        description: 'Events `progress` with the job, and a final event `end`.',
        contentType: 'text/event-stream',
      },
    },
    errors: ['job_not_found'],
    handle: async ({ services, caller, params, signal, closing }) => {
      const jobId = pathParameter(params, 'id')
      // Check first, so that an unknown job returns 404 instead of a broken stream.
      await services.jobs.get(caller, jobId)
      return eventStream(toEvents(services.jobs.watch(caller, jobId, AbortSignal.any([signal, closing]))))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/jobs/:id/cancel',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'Cancels a job. A pending job ends immediately, a running job at its next step. Documents added so ' +
      'far are kept.',
    tag: 'Jobs',
    access: 'memory',
    answers: { 200: { description: 'The job.', schema: JobSchema } },
    errors: ['job_not_found', 'job_not_cancellable'],
    isSafeToRepeat: true,
    handle: async ({ services, caller, params }) => ok(await services.jobs.cancel(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/jobs/:id/retry',
    operationId: 'retryJob',
    summary: 'Retry a job',
    description: 'Puts a failed or partial job back in the queue. Only the missing parts are processed.',
    tag: 'Jobs',
    access: 'memory',
    answers: { 200: { description: 'The job, pending again.', schema: JobSchema } },
    errors: ['job_not_found', 'job_not_cancellable', 'memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params, storeResponseAs }) =>
      ok(await services.jobs.retry(caller, pathParameter(params, 'id'), storeResponseAs(ok))),
  }),
]
