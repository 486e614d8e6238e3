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
  memoryId: 'mem_1',
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

test('a memory-scoped key may not call routes outside of memories, jobs and clients of OpenAI', () => {
  const open = ROUTES.filter(({ access, url }) => access !== 'public' && !url.startsWith('/v1/memories/:id')).filter(
    ({ operationId }) => verdict(scoped, operationId, 'x') === 'allowed',
  )
  const ids = open.map(({ operationId }) => operationId)
  const ofOpenAi = ROUTES.filter(({ tag }) => tag === 'OpenAI').map(({ operationId }) => operationId)
  const ofJobs = ['listJobs', 'getJob', 'watchJob', 'cancelJob', 'retryJob']
  assert.deepEqual(ids, ['listMemories', 'findAcross', 'askAcross', ...ofJobs, ...ofOpenAi, 'mcp'])
})

test('an organization key may call everything', () => {
  const caller: Caller = { ...scoped, scope: 'organization', memoryId: null }
  for (const { operationId, access } of ROUTES)
    assert.equal(verdict(caller, operationId, 'mem_2'), access === 'installation' ? 'scope_forbidden' : 'allowed')
})
