import { type Static, Type } from 'typebox'
import type { NewKeyResource } from '../../api/key.ts'
import { ChangedKeySchema, CreateKeyBody, KeySchema, NewKeySchema, OwnKeySchema, RenameKeyBody } from '../../api/key.ts'
import { pageOf, pageParameters } from '../../api/values.ts'
import { invalid } from '../../errors.ts'
import { JSON_BODY_BYTES, PAGE_LIMIT } from '../../limits.ts'
import { created, noContent, ok } from '../answers/answers.ts'
import { defineRoute, type Route } from '../route.ts'
import { pathParameter, readPageRequest } from './parameters.ts'

/**
 * Returns the memories of a new key, `null` for an organization key. Throws if `scope` and the
 * memories contradict each other.
 */
function readScope({ scope, memoryId, memoryIds }: Static<typeof CreateKeyBody>): string[] | null {
  if (memoryId !== undefined && memoryIds !== undefined)
    throw invalid('memoryIds', 'cannot be combined with memoryId: send one of them')
  const named = memoryIds ?? (memoryId === undefined ? null : [memoryId])
  if (scope === 'memory' && named === null) throw invalid('memoryId', 'is required if scope is memory')
  if (scope === 'organization' && named !== null)
    throw invalid(memoryId === undefined ? 'memoryIds' : 'memoryId', 'is not allowed if scope is organization')
  return named === null ? null : [...new Set(named)]
}

function toCreated(key: NewKeyResource) {
  return { ...created<NewKeyResource>(`/v1/keys/${key.id}`, key), shownOnce: 'key' }
}

/** Contract, "Keys and scopes". */
export const KEY_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/keys',
    operationId: 'createKey',
    summary: 'Create an API key',
    description:
      'Creates a key for the organization, or for the memories of memoryId or memoryIds. Its role limits what ' +
      'the key may do. The secret is only returned in this response; the service stores its hash.',
    tag: 'Keys',
    access: 'organization',
    role: 'admin',
    body: CreateKeyBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 201: { description: 'The key, with its secret.', schema: NewKeySchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, body, storeResponseAs }) => {
      const { name = 'API key', role = null, expiresAt = null } = body
      const input = { name, role, expiresAt, memoryIds: readScope(body) }
      return toCreated(await services.keys.create(caller, input, storeResponseAs(toCreated)))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/keys',
    operationId: 'listKeys',
    summary: 'List API keys',
    description: 'Lists all active keys, without their secrets.',
    tag: 'Keys',
    access: 'organization',
    role: 'admin',
    query: Type.Object(pageParameters(PAGE_LIMIT.keys)),
    answers: { 200: { description: 'A page of keys, newest first.', schema: pageOf('keys', KeySchema) } },
    errors: ['invalid_cursor'],
    handle: async ({ services, caller, query, reserveMemory }) =>
      ok(await services.keys.list(caller, readPageRequest({ query, reserveMemory }, PAGE_LIMIT.keys))),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/keys/self',
    operationId: 'getOwnKey',
    summary: 'Get the key of the request',
    description:
      'Returns the scope and the role of the key that sends the request, without its secret. Every key may call it. ' +
      'If authentication is disabled, there is no key.',
    tag: 'Keys',
    access: 'memory',
    answers: { 200: { description: 'The key of the request.', schema: OwnKeySchema } },
    errors: ['key_not_found'],
    handle: async ({ services, caller }) => ok(services.keys.getOwn(caller)),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/keys/:id',
    operationId: 'renameKey',
    summary: 'Rename an API key',
    description: 'Changes the display name of a key. The key itself and its scope stay as they are.',
    tag: 'Keys',
    access: 'organization',
    role: 'admin',
    body: RenameKeyBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The renamed key, without its secret.', schema: ChangedKeySchema } },
    errors: ['key_not_found'],
    handle: async ({ services, caller, params, body, warnings }) =>
      ok({ ...(await services.keys.rename(caller, pathParameter(params, 'id'), body.name)), warnings }),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/keys/:id',
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description:
      'Revokes a key, effective with the next request. A key can revoke itself. The last admin key of the ' +
      'organization is only revoked with force.',
    tag: 'Keys',
    access: 'organization',
    role: 'admin',
    query: Type.Object({
      force: Type.Optional(Type.Boolean({ default: false, description: 'If true, revokes the last admin key too.' })),
    }),
    answers: { 204: { description: 'The key was revoked.' } },
    errors: ['key_not_found', 'last_admin_key'],
    handle: async ({ services, caller, params, query }) => {
      await services.keys.revoke(caller, pathParameter(params, 'id'), { force: query.force === true })
      return noContent()
    },
  }),
]
