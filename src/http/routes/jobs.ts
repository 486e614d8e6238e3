import { Type } from 'typebox'
import type { JobResource } from '../../api/job.ts'
import { JOB_STATUSES, JobSchema } from '../../api/job.ts'
import { OneOf, pageOf, pageParameters } from '../../api/values.ts'
import { PAGE_LIMIT } from '../../limits.ts'
import { ok } from '../answers/answers.ts'
import { eventStream, type ServerEvent } from '../answers/event-stream.ts'
import { defineRoute, type Route } from '../route.ts'
import { pageRequest, pathParameter } from './parameters.ts'

/** Longest time an answer is held, our choice: proxies give up on a silent connection after about as long. */
const MAX_WAIT_SECONDS = 60

const ListQuery = Type.Object({
  ...pageParameters(PAGE_LIMIT.jobs),
  status: Type.Optional(OneOf(JOB_STATUSES, 'Only jobs in this state.')),
  memoryId: Type.Optional(Type.String({ description: 'Only jobs of this memory.' })),
})

const GetQuery = Type.Object({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: 0,
      description: 'Hold the answer until the job ends or so many seconds pass.',
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

/** API document, "Jobs", and what the contract adds to it. */
export const JOB_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/jobs',
    operationId: 'listJobs',
    summary: 'List the jobs',
    description: 'Lists the jobs of the organization; for the key of a memory, those of that memory.',
    tag: 'Jobs',
    access: 'memory',
    query: ListQuery,
    answers: { 200: { description: 'A page of jobs, newest first.', schema: pageOf('jobs', JobSchema) } },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) => {
      const filter = { status: query.status ?? null, memoryId: query.memoryId ?? null }
      return ok(await services.jobs.list(caller, filter, pageRequest({ query, reserveMemory }, PAGE_LIMIT.jobs)))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/jobs/:id',
    operationId: 'getJob',
    summary: 'Read a job, at once or when it has ended',
    description: 'Reads a job at once, or with wait when it has ended. Polling every 5 to 10 seconds does as well.',
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
    summary: 'Follow a job as server-sent events',
    description:
      'Sends the job as an event each time it changes, the present state first, and an event end when it has ended.',
    tag: 'Jobs',
    access: 'memory',
    answers: {
      200: { description: 'Events progress, each with the job, and one event end.', contentType: 'text/event-stream' },
    },
    errors: ['job_not_found'],
    handle: async ({ services, caller, params, signal, closing }) => {
      const jobId = pathParameter(params, 'id')
      // Asked first, so that an unknown job is a 404 and not a stream that breaks.
      await services.jobs.get(caller, jobId)
      return eventStream(toEvents(services.jobs.watch(caller, jobId, AbortSignal.any([signal, closing]))))
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/jobs/:id/cancel',
    operationId: 'cancelJob',
    summary: 'Cancel a pending or processing job',
    description: 'A job that waits ends at once, one that runs at its next step. What it has added by then stays.',
    tag: 'Jobs',
    access: 'memory',
    answers: { 200: { description: 'The job.', schema: JobSchema } },
    errors: ['job_not_found', 'job_not_cancellable'],
    mayBeUnkept: true,
    handle: async ({ services, caller, params }) => ok(await services.jobs.cancel(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/jobs/:id/retry',
    operationId: 'retryJob',
    summary: 'Do what a failed or partial job is missing',
    description: 'Puts a failed or partial job back in the queue. It does only what is missing.',
    tag: 'Jobs',
    access: 'memory',
    answers: { 200: { description: 'The job, pending again.', schema: JobSchema } },
    errors: ['job_not_found', 'job_not_cancellable', 'memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params, keepAs }) =>
      ok(await services.jobs.retry(caller, pathParameter(params, 'id'), keepAs(ok))),
  }),
]
