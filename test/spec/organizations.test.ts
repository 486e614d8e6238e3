import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { runCommandLine } from './product.ts'
import { useService } from './service.ts'
import type { List, Memory } from './shapes.ts'
import { addText, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const ADMIN_KEY = 'the admin key of this installation'
const service = useService({ RECOLLECT_ADMIN_KEY: ADMIN_KEY, RECOLLECT_PLAN: 'starter' })

type Organization = { id: string; name: string; plan: string; createdAt: string }
type NewOrganization = Organization & { keyId: string; key: string }

async function makeOrganization(body: object): Promise<NewOrganization> {
  const answer = await service.post<NewOrganization>('/v1/organizations', body, { key: ADMIN_KEY })
  assertStatus(answer, 201)
  service.watchKey(answer.json.key)
  return answer.json
}

test('the admin key makes organizations with a first key, and lists them, newest first', async () => {
  verifies('keys.organizations.http')
  const acme = await makeOrganization({ name: ' Acme ', plan: 'free' })
  assert.deepEqual([acme.name, acme.plan], ['Acme', 'free'])
  assert.match(`${acme.id} ${acme.keyId} ${acme.key}`, /^org_[0-9a-z]{26} key_[0-9a-z]{26} rcl_[0-9A-Za-z]{46}$/)
  assert.equal((await makeOrganization({ name: 'Beta' })).plan, 'starter')
  const page = await service.get<List<'organizations', Organization>>('/v1/organizations?limit=2', { key: ADMIN_KEY })
  assert.deepEqual(
    page.json.organizations.map(({ name }) => name),
    ['Beta', 'Acme'],
  )
  const rest = await service.get<List<'organizations', Organization>>(
    `/v1/organizations?cursor=${page.json.nextCursor}`,
    { key: ADMIN_KEY },
  )
  assert.deepEqual(
    rest.json.organizations.map(({ name }) => name),
    ['Default'],
  )
  const { key } = acme
  const account = await service.get<{ organization: { id: string }; plan: { id: string } }>('/v1/account', { key })
  assert.deepEqual([account.json.organization.id, account.json.plan.id], [acme.id, 'free'])
})

test('invalid fields of a new organization are named, and a repeated request creates none', async () => {
  verifies('keys.organizations.http')
  for (const [body, param] of [
    [{}, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x', plan: 'gold' }, 'plan'],
  ] as const) {
    const answer = await service.post('/v1/organizations', body, { key: ADMIN_KEY })
    assertError(answer, 400, 'validation_failed', param)
  }
  const request = { key: ADMIN_KEY, headers: { 'Idempotency-Key': 'once' } }
  const [first, second] = [
    await service.post<NewOrganization>('/v1/organizations', { name: 'Once' }, request),
    await service.post<NewOrganization>('/v1/organizations', { name: 'Once' }, request),
  ]
  service.watchKey(first.json.key)
  assert.deepEqual([second.json.id, second.json.key], [first.json.id, null])
})

test('the last admin key of an organization is only revoked with force', async () => {
  verifies('keys.last-admin')
  const { key, keyId } = await makeOrganization({ name: 'Last' })
  const path = `/v1/keys/${keyId}`
  assertError(await service.delete(path, { key }), 409, 'last_admin_key')
  const second = await service.post<{ id: string }>('/v1/keys', { name: 'second' }, { key })
  assertStatus(await service.delete(`/v1/keys/${second.json.id}`, { key }), 204)
  assertError(await service.delete(path, { key }), 409, 'last_admin_key')
  assertStatus(await service.delete(`${path}?force=true`, { key }), 204)
  assertError(await service.get('/v1/account', { key }), 401, 'invalid_api_key')
})

test('the admin key opens nothing else, and no other key opens the list of organizations', async () => {
  verifies('keys.organizations.http')
  const memoryId = await makeMemory(service)
  for (const path of ['/v1/memories', `/v1/memories/${memoryId}`, '/v1/account', '/v1/keys', '/v1/jobs', '/metrics'])
    assertError(await service.get(path, { key: ADMIN_KEY }), 401, 'invalid_api_key')
  const { key } = await makeOrganization({ name: 'Other' })
  for (const one of [undefined, key]) {
    const asked = one === undefined ? {} : { key: one }
    assertError(await service.get('/v1/organizations', asked), 403, 'scope_forbidden')
    assertError(await service.post('/v1/organizations', { name: 'Mine' }, asked), 403, 'scope_forbidden')
  }
  assertError(await service.get('/v1/organizations', { key: `${ADMIN_KEY}.` }), 401, 'invalid_api_key')
  assertError(await service.get('/v1/organizations', { key: null }), 401, 'missing_api_key')
})

test('the command line makes an organization and keys for it, and the organizations see nothing of each other', async () => {
  verifies('keys.organizations.cli', 'keys.organizations.apart')
  const settings = { RECOLLECT_DATA_DIR: service.dataDirectory }
  const made = await runCommandLine(settings, ['organizations', 'create', 'By hand', '--json'])
  assert.equal(made.code, 0, made.output)
  const { id, key } = JSON.parse(/\{[\s\S]*\}/.exec(made.output)?.[0] ?? '{}') as NewOrganization
  service.watchKey(key)
  const further = await runCommandLine(settings, ['keys', 'create', '--organization', id])
  const [second] = /rcl_[0-9A-Za-z]{46}/.exec(further.output) ?? []
  assert.ok(second, further.output)
  service.watchKey(second)
  const memoryId = await makeMemory(service)
  const documentId = await addText(service, memoryId, 'The strawberry jam is on the upper shelf.')
  for (const theirs of [key, second]) {
    const { memories } = (await service.get<List<'memories', Memory>>('/v1/memories', { key: theirs })).json
    assert.deepEqual(memories, [])
    const path = `/v1/memories/${memoryId}`
    assertError(await service.get(path, { key: theirs }), 404, 'memory_not_found')
    assertError(await service.get(`${path}/documents/${documentId}`, { key: theirs }), 404, 'memory_not_found')
    assertError(await service.post(`${path}/find`, { query: 'jam' }, { key: theirs }), 404, 'memory_not_found')
    assertError(await service.delete(path, { key: theirs }), 404, 'memory_not_found')
  }
  const unknown = await runCommandLine(settings, ['keys', 'list', '--organization', `${id.slice(0, -4)}0000`])
  assert.match(unknown.output, /There is no organization .*recollect organizations list/)
  const listed = await runCommandLine(settings, ['organizations', 'list'])
  assert.match(listed.output, /By hand/)
})
