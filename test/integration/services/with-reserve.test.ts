import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Tables } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { createKeysService } from '../../../src/services/account/keys-service.ts'
import { createProjectsService } from '../../../src/services/account/projects-service.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { createWebhooksService } from '../../../src/services/webhooks/webhooks-service.ts'
import { callerOf, noting, ORGANIZATION, openQueue } from '../jobs/queue.ts'
import { openFixture, refusedAs, silent } from './fixtures.ts'

const SENDER = { requireUrl: async (text: string) => new URL(text), post: () => Promise.reject(new Error('not sent')) }

/** A disk that, once full, accepts no write until the reserve is released. */
function makeDisk() {
  const disk = { isFull: false, isHeldBack: true }
  const full: KyselyPlugin = {
    transformQuery({ node }) {
      if (disk.isFull && node.kind !== 'SelectQueryNode') throw new ApiError('insufficient_storage')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const blobs = {
    async releaseBallast() {
      if (disk.isHeldBack) disk.isFull = false
    },
  }
  return { disk, blobs, on: (db: Kysely<Tables>) => db.withPlugin(full) }
}

async function serve(t: TestContext) {
  const fixture = await openFixture(t)
  const made = makeDisk()
  const parts = { db: made.on(fixture.db), blobs: made.blobs, now: fixture.now, log: silent, urls: SENDER }
  return {
    ...fixture,
    ...made,
    keys: createKeysService(parts),
    projects: createProjectsService(parts),
    webhooks: createWebhooksService(parts),
  }
}

test('a key is revoked, a webhook and a project are deleted on a full disk, too, with the room that is held back', async (t) => {
  const { disk, caller, keys, projects, webhooks } = await serve(t)
  const key = await keys.create(caller, { name: 'lost', memoryIds: null, role: null, expiresAt: null })
  const project = await projects.create(caller, 'over')
  const webhook = await webhooks.create(caller, { url: 'https://hooks.example/a', events: ['job.failed'] })
  const page = { limit: 10, cursor: null }

  disk.isFull = true
  await keys.revoke(caller, key.id)
  assert.equal(await keys.authenticate(key.key), null)
  disk.isFull = true
  await projects.delete(caller, project.id)
  assert.deepEqual((await projects.list(caller, page)).projects, [])
  disk.isFull = true
  await webhooks.delete(caller, webhook.id)
  assert.deepEqual((await webhooks.list(caller, page)).webhooks, [])
})

test('a job can be cancelled on a full disk, also if the write of its event needs space', async () => {
  await using queue = await openQueue()
  const { disk, blobs, on } = makeDisk()
  const handlers = { test: noting(async () => {}) }
  const parts = { db: on(queue.db), blobs, changes: queue.changes, now: queue.clock.now, handlers, pollMs: 5 }
  const { id } = await queue.add()
  disk.isFull = true
  assert.equal((await createJobsService(parts).cancel(callerOf(ORGANIZATION), id)).status, 'failed')
})

test('without a reserve, removals are refused and change nothing', async (t) => {
  const { disk, caller, projects } = await serve(t)
  const project = await projects.create(caller, 'over')
  Object.assign(disk, { isFull: true, isHeldBack: false })
  await assert.rejects(projects.delete(caller, project.id), refusedAs('insufficient_storage'))
  assert.equal((await projects.get(caller, project.id)).id, project.id)
})
