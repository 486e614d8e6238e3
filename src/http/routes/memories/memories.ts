import { Type } from 'typebox'
import type { MemoryResource } from '../../../api/memory.ts'
import { CreateMemoryBody, MemorySchema } from '../../../api/memory.ts'
import { pageOf, pageParameters } from '../../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../../limits.ts'
import { created, noContent, ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'
import { pageRequest } from '../page-request.ts'
import { pathParameter } from '../path-parameter.ts'

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
    tag: 'Memories',
    access: 'memory',
    query: Type.Object({ ...pageParameters(PAGE_LIMIT.memories), projectId: Type.Optional(Type.String()) }),
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
    tag: 'Memories',
    access: 'organization',
    answers: { 204: { description: 'The memory, its documents and its memory file are gone.' } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.memories.delete(caller, pathParameter(params, 'id'))
      return noContent()
    },
  }),
]
