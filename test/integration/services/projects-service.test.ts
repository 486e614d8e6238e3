import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProjectsService } from '../../../src/services/account/projects-service.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'
import { addStranger, openFixture, refusedAs, scopedTo } from './fixtures.ts'

const firstPage = { limit: 100, cursor: null }

async function serve(t: Parameters<typeof openFixture>[0]) {
  const fixture = await openFixture(t)
  return { ...fixture, projects: createProjectsService({ ...fixture, blobs: NO_RESERVE }) }
}

test('a project is made, read, renamed and deleted', async (t) => {
  const { projects, caller, pass } = await serve(t)
  const made = await projects.create(caller, '  Support ')
  assert.deepEqual(
    { ...made, id: '' },
    {
      id: '',
      name: 'Support',
      memoryCount: 0,
      createdAt: '2026-11-21T08:00:00.000Z',
      updatedAt: '2026-11-21T08:00:00.000Z',
    },
  )
  assert.deepEqual(await projects.get(caller, made.id), made)
  pass(1000)
  const renamed = await projects.rename(caller, made.id, 'Sales')
  assert.deepEqual(renamed, { ...made, name: 'Sales', updatedAt: '2026-11-21T08:00:01.000Z' })
  await projects.delete(caller, made.id)
  await assert.rejects(projects.get(caller, made.id), refusedAs('project_not_found'))
  await assert.rejects(projects.delete(caller, made.id), refusedAs('project_not_found'))
})

test('a name is taken in any case, in its organization only', async (t) => {
  const { projects, caller, db } = await serve(t)
  await projects.create(caller, 'Straße')
  const other = await projects.create(caller, 'Other')
  await assert.rejects(projects.create(caller, 'STRAßE'), refusedAs('project_name_taken'))
  await assert.rejects(projects.rename(caller, other.id, 'straße'), refusedAs('project_name_taken'))
  assert.equal((await projects.rename(caller, other.id, 'OTHER')).name, 'OTHER')
  await projects.create(await addStranger(db), 'Straße')
})

test('exactly one of many concurrent requests gets a name', async (t) => {
  const { projects, caller } = await serve(t)
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => projects.create(caller, 'One')))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await projects.list(caller, firstPage)).total, 1)
})

test('names of no or over 200 characters are refused', async (t) => {
  const { projects, caller } = await serve(t)
  for (const name of ['', '   ', 'x'.repeat(201)]) {
    await assert.rejects(projects.create(caller, name), refusedAs('validation_failed'))
  }
  await projects.create(caller, 'x'.repeat(200))
})

test('another organization and a memory-scoped key get nowhere', async (t) => {
  const { projects, caller, db } = await serve(t)
  const { id } = await projects.create(caller, 'Ours')
  const stranger = await addStranger(db)
  await assert.rejects(projects.get(stranger, id), refusedAs('project_not_found'))
  await assert.rejects(projects.rename(stranger, id, 'Theirs'), refusedAs('project_not_found'))
  await assert.rejects(projects.delete(stranger, id), refusedAs('project_not_found'))
  assert.equal((await projects.list(stranger, firstPage)).total, 0)
  const scoped = scopedTo(caller, 'mem_01h00000000000000000000000')
  await assert.rejects(projects.list(scoped, firstPage), refusedAs('scope_forbidden'))
  await assert.rejects(projects.get(caller, 'prj_%'), refusedAs('project_not_found'))
})
