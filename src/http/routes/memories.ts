import { Type } from 'typebox'
import { type AcceptedJob, AcceptedJobSchema, type JobResource, ReembedBody } from '../../api/job.ts'
import { CreateMemoryBody, type MemoryResource, MemorySchema, VerificationSchema } from '../../api/memory.ts'
import { pageOf, pageParameters } from '../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { accepted, created, noContent, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pageRequest, pathParameter } from './parameters.ts'

function toCreated(memory: MemoryResource) {
  return created<MemoryResource>(`/v1/memories/${memory.id}`, memory)
}

/** API document, "Memories". */
export const MEMORY_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories',
    operationId: 'createMemory',
    summary: 'Create a memory',
    description: 'Makes an empty memory. A projectName that does not exist makes the project as well.',
    tag: 'Memories',
    access: 'organization',
    body: CreateMemoryBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The new memory.', schema: MemorySchema } },
    errors: ['project_not_found', 'memory_limit_reached'],
    handle: async ({ services, caller, body, keepAs }) => {
      const { name, description = null, projectId = null, projectName = null } = body
      const input = { name, description, projectId, projectName }
      return toCreated(await services.memories.create(caller, input, keepAs(toCreated)))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories',
    operationId: 'listMemories',
    summary: 'List the memories',
    description: 'Lists the memories of the organization; for the key of a memory, that memory alone.',
    tag: 'Memories',
    access: 'memory',
    query: Type.Object({
      ...pageParameters(PAGE_LIMIT.memories),
      projectId: Type.Optional(Type.String({ description: 'Only memories of this project.' })),
    }),
    answers: { 200: { description: 'A page of memories, newest first.', schema: pageOf('memories', MemorySchema) } },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) => {
      const page = pageRequest({ query, reserveMemory }, PAGE_LIMIT.memories)
      return ok(await services.memories.list(caller, { projectId: query.projectId ?? null }, page))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id',
    operationId: 'getMemory',
    summary: 'Read a memory',
    description: 'Describes a memory and counts what is in it.',
    tag: 'Memories',
    access: 'memory',
    answers: { 200: { description: 'The memory.', schema: MemorySchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.memories.get(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memories/:id',
    operationId: 'deleteMemory',
    summary: 'Delete a memory with all its documents',
    description:
      'Deletes the memory, its documents, its corrections and its stored files, and ends its jobs. Nothing ' +
      'brings it back.',
    tag: 'Memories',
    access: 'organization',
    answers: { 204: { description: 'The memory, its documents and its memory file are gone.' } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.memories.delete(caller, pathParameter(params, 'id'))
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/reembed',
    operationId: 'reembedMemory',
    summary: 'Make all vectors of a memory anew with another embedding model, while the old ones answer',
    description:
      'A job makes all vectors anew. Until it ends the old ones answer, and then one switch replaces them; ' +
      'where it fails, nothing changes.',
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
      return toAccepted(
        await services.reembed.begin(caller, memoryId, {
          embeddingModel: body.embeddingModel,
          keep: keepAs(toAccepted),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/verify',
    operationId: 'verifyMemory',
    summary: 'Compare metadata, memory file and objects of a memory, each chunk with its text',
    description:
      'Reads every chunk of the memory and compares it with its text, its row and its original. It changes ' +
      'nothing, and costs no query.',
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
