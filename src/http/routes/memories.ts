import { Type } from 'typebox'
import { type AcceptedJob, AcceptedJobSchema, type JobResource, ReembedBody } from '../../api/job.ts'
import {
  ChangedMemorySchema,
  ChangeMemoryBody,
  CreateMemoryBody,
  type MemoryResource,
  MemorySchema,
  NewMemorySchema,
  ProjectBody,
  type ProjectResource,
  ProjectSchema,
  VerificationSchema,
} from '../../api/memory.ts'
import { containedText, creationParameters, pageOf, pageParameters } from '../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { accepted, created, noContent, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readCreation, readPageRequest, requireChange } from './parameters.ts'

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
    description: 'Creates an empty memory. A projectName that does not exist yet also creates the project.',
    tag: 'Memories',
    access: 'organization',
    body: CreateMemoryBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The new memory.', schema: NewMemorySchema } },
    errors: ['project_not_found', 'memory_limit_reached'],
    handle: async ({ services, caller, body, storeResponseAs }) => {
      const { name, description = null, projectId = null, projectName = null } = body
      const chunking = body.chunking === undefined ? null : { overlap: 0, ...body.chunking }
      const input = { name, description, projectId, projectName, chunking }
      return toCreated(await services.memories.create(caller, input, storeResponseAs(toCreated)))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories',
    operationId: 'listMemories',
    summary: 'List memories',
    description: 'Lists the memories of the organization. A memory-scoped key only sees its own memory.',
    tag: 'Memories',
    access: 'memory',
    query: Type.Object({
      ...pageParameters(PAGE_LIMIT.memories),
      projectId: Type.Optional(Type.String({ description: 'Return only memories of this project.' })),
      name: containedText('memories with a name'),
      ...creationParameters('memories', ['name', '-name']),
    }),
    answers: {
      200: {
        description: 'A page of memories, newest first unless sorted otherwise.',
        schema: pageOf('memories', MemorySchema),
      },
    },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) => {
      const page = readPageRequest({ query, reserveMemory }, PAGE_LIMIT.memories)
      const { projectId = null, name = null, sort = '-createdAt' } = query
      return ok(await services.memories.list(caller, { projectId, name, sort, ...readCreation(query) }, page))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id',
    operationId: 'getMemory',
    summary: 'Get a memory',
    description: 'Returns a memory with the counts of its content.',
    tag: 'Memories',
    access: 'memory',
    answers: { 200: { description: 'The memory.', schema: MemorySchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.memories.get(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/memories/:id',
    operationId: 'changeMemory',
    summary: 'Change a memory',
    description:
      'Changes the name, the description or the project of a memory. Fields that are not sent stay as they are. A ' +
      'memory-scoped key changes the description only.',
    tag: 'Memories',
    access: 'memory',
    body: ChangeMemoryBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The changed memory.', schema: ChangedMemorySchema } },
    errors: ['memory_not_found', 'project_not_found'],
    handle: async ({ services, caller, params, body, warnings }) => {
      requireChange(ChangeMemoryBody, body)
      return ok({ ...(await services.memories.update(caller, pathParameter(params, 'id'), body)), warnings })
    },
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memories/:id',
    operationId: 'deleteMemory',
    summary: 'Delete a memory',
    description:
      'Permanently deletes a memory with its documents, corrections and stored files, and ends its jobs. ' +
      'This cannot be undone.',
    tag: 'Memories',
    access: 'organization',
    answers: { 204: { description: 'The memory was deleted.' } },
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
    summary: 'Change the embedding model',
    description:
      'Starts a job that re-embeds all chunks of a memory with another embedding model. Searches keep ' +
      'using the old vectors until the job ends. If the job fails, nothing changes.',
    tag: 'Memories',
    access: 'memory',
    body: ReembedBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: {
      202: { description: 'The re-embedding job. The memory changes when the job ends.', schema: AcceptedJobSchema },
    },
    errors: ['memory_not_found', 'reembedding_in_progress'],
    handle: async ({ services, caller, params, body, warnings, storeResponseAs }) => {
      const toAccepted = (job: JobResource) => {
        const pollUrl = `/v1/jobs/${job.id}`
        return accepted<AcceptedJob>(pollUrl, { jobId: job.id, pollUrl, status: 'pending', job, warnings })
      }
      const memoryId = pathParameter(params, 'id')
      return toAccepted(
        await services.reembed.begin(caller, memoryId, {
          embeddingModel: body.embeddingModel,
          storeResponse: storeResponseAs(toAccepted),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/verify',
    operationId: 'verifyMemory',
    summary: 'Check the integrity of a memory',
    description:
      'Reads every chunk of a memory and compares it with its text, its database row and its original. ' +
      'Changes nothing, and does not count as a query.',
    tag: 'Memories',
    access: 'memory',
    answers: { 200: { description: 'The checked items and the problems found.', schema: VerificationSchema } },
    errors: ['memory_not_found', 'rate_limited'],
    handle: async ({ services, caller, params, signal, closing }) => {
      // The check takes long and is repeatable, so a shutdown does not wait for it.
      const until = AbortSignal.any([signal, closing])
      return ok(await services.verify.verify(caller, pathParameter(params, 'id'), until))
    },
  }),
]

function toCreatedProject(project: ProjectResource) {
  return created<ProjectResource>(`/v1/projects/${project.id}`, project)
}

/** API document, "Projects". */
export const PROJECT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/projects',
    operationId: 'createProject',
    summary: 'Create a project',
    description:
      'Creates a project, which groups memories. Project names are unique within an organization ' +
      '(case-insensitive).',
    tag: 'Projects',
    access: 'organization',
    body: ProjectBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The new project.', schema: ProjectSchema } },
    errors: ['project_name_taken'],
    handle: async ({ services, caller, body, storeResponseAs }) =>
      toCreatedProject(await services.projects.create(caller, body.name, storeResponseAs(toCreatedProject))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/projects',
    operationId: 'listProjects',
    summary: 'List projects',
    description: 'Lists the projects of the organization.',
    tag: 'Projects',
    access: 'organization',
    query: Type.Object(pageParameters(PAGE_LIMIT.projects)),
    answers: { 200: { description: 'A page of projects, newest first.', schema: pageOf('projects', ProjectSchema) } },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) =>
      ok(await services.projects.list(caller, readPageRequest({ query, reserveMemory }, PAGE_LIMIT.projects))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/projects/:id',
    operationId: 'getProject',
    summary: 'Get a project',
    description: 'Returns a project with the number of its memories.',
    tag: 'Projects',
    access: 'organization',
    answers: { 200: { description: 'The project.', schema: ProjectSchema } },
    errors: ['project_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.projects.get(caller, pathParameter(params, 'id'))),
  }),
  defineRoute({
    method: 'PUT',
    url: '/v1/projects/:id',
    operationId: 'updateProject',
    summary: 'Rename a project',
    description: 'Changes the name of a project.',
    tag: 'Projects',
    access: 'organization',
    body: ProjectBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The renamed project.', schema: ProjectSchema } },
    errors: ['project_not_found', 'project_name_taken'],
    handle: async ({ services, caller, params, body }) =>
      ok(await services.projects.rename(caller, pathParameter(params, 'id'), body.name)),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/projects/:id',
    operationId: 'deleteProject',
    summary: 'Delete a project',
    description: 'Deletes a project. Its memories are kept without a project.',
    tag: 'Projects',
    access: 'organization',
    answers: { 204: { description: 'The project was deleted.' } },
    errors: ['project_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.projects.delete(caller, pathParameter(params, 'id'))
      return noContent()
    },
  }),
]
