import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../services/caller.ts'
import { ROUTES } from '../routes/routes.ts'
import { authorize } from './admit-caller.ts'

const scoped: Caller = {
  organizationId: 'o',
  keyId: 'k',
  keyName: 'n',
  scope: 'memory',
  memoryIds: ['mem_1'],
  role: 'writer',
  planId: 'free',
}

function verdict(caller: Caller, operationId: string, id: string): string {
  const route = ROUTES.find((one) => one.operationId === operationId)
  assert.ok(route, operationId)
  try {
    authorize(caller, route, { id })
    return 'allowed'
  } catch (error) {
    return error instanceof ApiError ? error.code : 'failed'
  }
}

test('a memory-scoped key may do everything in its memory except delete it', () => {
  const underMemory = ROUTES.filter(({ url }) => url.startsWith('/v1/memories/:id'))
  const refused = underMemory.filter(({ operationId }) => verdict(scoped, operationId, 'mem_1') !== 'allowed')
  assert.deepEqual(
    refused.map(({ operationId }) => operationId),
    ['deleteMemory'],
  )
  for (const { operationId } of underMemory) assert.notEqual(verdict(scoped, operationId, 'mem_2'), 'allowed')
})

test('a memory-scoped key may not call routes outside of memories, jobs, usage, itself and clients of OpenAI', () => {
  const open = ROUTES.filter(({ access, url }) => access !== 'public' && !url.startsWith('/v1/memories/:id')).filter(
    ({ operationId }) => verdict(scoped, operationId, 'x') === 'allowed',
  )
  const ids = open.map(({ operationId }) => operationId)
  const ofOpenAi = ROUTES.filter(({ tag }) => tag === 'OpenAI').map(({ operationId }) => operationId)
  const ofJobs = ['listJobs', 'getJob', 'watchJob', 'cancelJob', 'retryJob']
  const across = ['getOwnKey', 'getUsage', 'listMemories', 'findAcross', 'askAcross']
  assert.deepEqual(ids, [...across, ...ofJobs, ...ofOpenAi, 'mcp'])
})

test('a key of several memories may use each of them, and no other', () => {
  const caller: Caller = { ...scoped, memoryIds: ['mem_1', 'mem_2'] }
  for (const id of ['mem_1', 'mem_2']) assert.equal(verdict(caller, 'addDocuments', id), 'allowed')
  assert.equal(verdict(caller, 'addDocuments', 'mem_3'), 'memory_not_found')
})

function refusedForRole(role: Caller['role']): string[] {
  const caller: Caller = { ...scoped, scope: 'organization', role, memoryIds: null }
  const refused = ROUTES.filter(({ operationId }) => verdict(caller, operationId, 'mem_1') === 'role_forbidden')
  return refused.map(({ operationId }) => operationId)
}

test('a writer may do everything but manage keys and webhooks', () => {
  const managed = ROUTES.filter(({ tag }) => tag === 'Keys' || tag === 'Webhooks').map(({ operationId }) => operationId)
  assert.deepEqual(
    refusedForRole('writer'),
    managed.filter((id) => id !== 'getOwnKey'),
  )
  assert.deepEqual(refusedForRole('admin'), [])
})

test('a reader may read, search and ask, and do nothing else', () => {
  const refused = new Set(refusedForRole('reader'))
  const posted = ROUTES.filter(({ method, operationId }) => method !== 'GET' && !refused.has(operationId))
  const asked = ['ask', 'askAcross', 'askOnce', 'extract', 'find', 'findAcross', 'search', 'evaluate', 'mcp']
  const ofOpenAi = ['createChatCompletion', 'createEmbeddings', 'searchVectorStore']
  // The routes of the installation are refused to every key.
  const names = posted.map(({ operationId }) => operationId).filter((name) => name !== 'createOrganization')
  assert.deepEqual(names.sort(), [...asked, ...ofOpenAi].sort())
})

test('an admin key may call everything', () => {
  const caller: Caller = { ...scoped, scope: 'organization', role: 'admin', memoryIds: null }
  for (const { operationId, access } of ROUTES)
    assert.equal(verdict(caller, operationId, 'mem_2'), access === 'installation' ? 'scope_forbidden' : 'allowed')
})
