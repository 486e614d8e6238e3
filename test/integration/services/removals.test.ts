import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enqueueDeletion } from '../../../src/database/deletion/removals-table.ts'
import { ApiError } from '../../../src/errors.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { addDocument, openFixture, rememberingStores, silent } from './fixtures.ts'

test('cleanup after a deletion works on a full disk with the reserve', async (t) => {
  const { db, now, caller } = await openFixture(t)
  const stores = rememberingStores()
  let isFull = true
  const removals = createDeletionOutbox({
    db,
    blobs: {
      ...stores.blobs,
      async releaseBallast() {
        isFull = false
      },
    },
    memoryFile: {
      ...stores.memoryFile,
      async deleteDocuments(memoryId, documentIds) {
        if (isFull) throw new ApiError('insufficient_storage')
        await stores.memoryFile.deleteDocuments(memoryId, documentIds)
      },
    },
    log: silent,
    now,
  })
  const input = { name: 'm', description: null, projectId: null, projectName: null }
  const { id: memoryId } = await createMemoriesService({ db, removals, changes: createJobChanges(), now }).create(
    caller,
    input,
  )
  const documentId = await addDocument(db, caller, memoryId)
  const removal = { kind: 'document', memoryId, documentId, now: now() } as const
  const id = await db.transaction().execute((transaction) => enqueueDeletion(transaction, removal))
  await removals.process([id])
  assert.ok(stores.asked.includes(`chunks ${memoryId} ${documentId}`))
  assert.deepEqual(await db.selectFrom('removals').selectAll().execute(), [])
})
