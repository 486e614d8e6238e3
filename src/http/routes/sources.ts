import { Type } from 'typebox'
import { ChangeSourceBody, CreateSourceBody, type SourceResource, SourceSchema } from '../../api/source.ts'
import { OneOf, pageOf, pageParameters, type Warning } from '../../api/values.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { accepted, created, noContent, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readPageRequest, requireChange, requireMetadataLimit } from './parameters.ts'

const toCreated = (warnings: Warning[]) => (source: SourceResource) =>
  created<SourceResource>(placeOf(source), { ...source, warnings })

const toQueued = (source: SourceResource) => accepted<SourceResource>(placeOf(source), source)

function placeOf({ id, memoryId }: SourceResource): string {
  return `/v1/memories/${memoryId}/sources/${id}`
}

function readKey(params: Readonly<Record<string, string>>) {
  return { memoryId: pathParameter(params, 'id'), sourceId: pathParameter(params, 'sourceId') }
}

const ONE = ['memory_not_found', 'source_not_found'] as const
const SETTINGS = ['source_not_allowed', 'url_not_allowed'] as const

/** Websites, buckets and folders that a memory follows. */
export const SOURCE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/sources',
    operationId: 'createSource',
    summary: 'Create a source',
    description:
      'Lets a memory follow a website, a bucket or a folder. The first run starts soon. A run adds what is new, ' +
      'replaces what changed and removes what is gone; the URL, key or path is the externalId of a document.',
    tag: 'Sources',
    access: 'memory',
    body: CreateSourceBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The new source.', schema: SourceSchema } },
    errors: ['memory_not_found', 'source_limit_reached', ...SETTINGS],
    handle: async ({ services, caller, params, body, warnings, storeResponseAs }) => {
      requireMetadataLimit(body.metadata ?? {}, 'metadata')
      const toAnswer = toCreated(warnings)
      const storeResponse = storeResponseAs(toAnswer)
      return toAnswer(await services.sources.create(caller, pathParameter(params, 'id'), { sent: body, storeResponse }))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/sources',
    operationId: 'listSources',
    summary: 'List sources',
    description: 'Lists the sources of a memory with their last reports.',
    tag: 'Sources',
    access: 'memory',
    query: Type.Object(pageParameters(PAGE_LIMIT.sources)),
    answers: {
      200: { description: 'A page of sources, newest first.', schema: pageOf('sources', SourceSchema, 'newest first') },
    },
    errors: ['memory_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const page = readPageRequest({ query, reserveMemory }, PAGE_LIMIT.sources)
      return ok(await services.sources.list(caller, pathParameter(params, 'id'), page))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/sources/:sourceId',
    operationId: 'getSource',
    summary: 'Get a source',
    description: 'Returns a source with its status, the run in progress and the report of the last run.',
    tag: 'Sources',
    access: 'memory',
    answers: { 200: { description: 'The source.', schema: SourceSchema } },
    errors: [...ONE],
    handle: async ({ services, caller, params }) => ok(await services.sources.get(caller, readKey(params))),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/memories/:id/sources/:sourceId',
    operationId: 'changeSource',
    summary: 'Change a source',
    description:
      'Changes the given fields. Settings of the type are merged; a run in progress continues with the old ones. ' +
      'Tags and metadata apply to documents that are read afterwards.',
    tag: 'Sources',
    access: 'memory',
    body: ChangeSourceBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The changed source.', schema: SourceSchema } },
    errors: [...ONE, ...SETTINGS],
    handle: async ({ services, caller, params, body, warnings }) => {
      requireChange(ChangeSourceBody, body)
      requireMetadataLimit(body.metadata ?? {}, 'metadata')
      return ok({ ...(await services.sources.change(caller, readKey(params), body)), warnings })
    },
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memories/:id/sources/:sourceId',
    operationId: 'deleteSource',
    summary: 'Delete a source',
    description: 'Ends the run of a source and deletes the source, with or without its documents.',
    tag: 'Sources',
    access: 'memory',
    query: Type.Object({
      documents: Type.Optional(OneOf(['keep', 'delete'], '`delete` also deletes its documents. Default: `keep`.')),
    }),
    answers: { 204: { description: 'The source was deleted.' } },
    errors: [...ONE, 'source_running'],
    handle: async ({ services, caller, params, query, signal }) => {
      const withDocuments = query.documents === 'delete'
      await services.sources.delete(caller, readKey(params), { withDocuments, signal })
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/sources/:sourceId/run',
    operationId: 'runSource',
    summary: 'Run a source now',
    description: 'Makes a run due now. A run in progress continues, and no second one starts beside it.',
    tag: 'Sources',
    access: 'memory',
    isSafeToRepeat: true,
    answers: { 202: { description: 'The source, whose run starts soon.', schema: SourceSchema } },
    errors: [...ONE, 'source_paused'],
    handle: async ({ services, caller, params }) => toQueued(await services.sources.runNow(caller, readKey(params))),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/sources/:sourceId/pause',
    operationId: 'pauseSource',
    summary: 'Pause a source',
    description: 'Ends the run in progress and starts no further one until the source is resumed.',
    tag: 'Sources',
    access: 'memory',
    isSafeToRepeat: true,
    answers: { 200: { description: 'The paused source.', schema: SourceSchema } },
    errors: [...ONE],
    handle: async ({ services, caller, params }) => ok(await services.sources.pause(caller, readKey(params))),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/sources/:sourceId/resume',
    operationId: 'resumeSource',
    summary: 'Resume a source',
    description: 'Resumes a paused source. A run that the pause ended or prevented starts soon.',
    tag: 'Sources',
    access: 'memory',
    isSafeToRepeat: true,
    answers: { 200: { description: 'The resumed source.', schema: SourceSchema } },
    errors: [...ONE],
    handle: async ({ services, caller, params }) => ok(await services.sources.resume(caller, readKey(params))),
  }),
]
