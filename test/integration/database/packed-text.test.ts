import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { copyRows } from '../../../src/database/copy-rows.ts'
import { getInlineText } from '../../../src/database/memories/documents-table.ts'
import { packText } from '../../../src/database/packed-text.ts'
import { getTaskProgress, setTaskProgress } from '../../../src/database/process-tables.ts'
import { newId } from '../../../src/ids.ts'
import { bootstrap } from '../../../src/services/account/organizations-service.ts'
import { addDocument } from '../services/fixtures.ts'
import { ON_POSTGRES, temporaryStore } from './temporary-store.ts'

const LONG = 'Grüße aus dem Hafen: boats wait for the lock. '.repeat(200)

test('a text is read as it was stored, short or long, packed beforehand or not', async (t) => {
  const { db } = await temporaryStore(t)
  const caller = await bootstrap({ db, now: () => new Date(), plan: 'unlimited', bootstrapKey: null })
  for (const text of ['', 'short', LONG, LONG.slice(0, 256)]) {
    for (const inlineText of [text, packText(db, text)]) {
      const id = await addDocument(db, caller, newId('mem'), { status: 'pending', inlineText })
      assert.equal(await getInlineText(db, id), text)
    }
  }
})

test('a long text is compressed in SQLite and restored when its row is copied, with its number and its bands', {
  skip: ON_POSTGRES,
}, async (t) => {
  const from = await temporaryStore(t)
  const to = await temporaryStore(t)
  const caller = await bootstrap({ db: from.db, now: () => new Date(), plan: 'unlimited', bootstrapKey: null })
  const gone = await addDocument(from.db, caller, newId('mem'), {})
  await from.db.deleteFrom('documents').where('id', '=', gone).execute()
  const id = await addDocument(from.db, caller, newId('mem'), { status: 'pending', inlineText: LONG })
  const stored = await sql<{ bytes: number }>`select length(content) as bytes from document_texts`.execute(from.db)
  assert.ok((stored.rows[0]?.bytes ?? 0) < LONG.length / 10)
  await to.db.transaction().execute((transaction) => copyRows(from.place, transaction))
  assert.deepEqual(await to.db.selectFrom('documents').select('seq').execute(), [{ seq: 2 }])
  assert.equal(
    (await to.db.selectFrom('signature_bands').where('document_seq', '=', 2).selectAll().execute()).length,
    2,
  )
  const copied = await to.db.selectFrom('document_texts').selectAll().execute()
  assert.deepEqual(copied, [{ document_id: id, content: LONG }])
})

test('progress over all rows is copied with them, so that no work repeats', {
  skip: ON_POSTGRES,
}, async (t) => {
  const from = await temporaryStore(t)
  const to = await temporaryStore(t)
  const mark = { version: 2, reached: 'mem_3' }
  await setTaskProgress(from.db, 'terms', mark)
  await to.db.transaction().execute((transaction) => copyRows(from.place, transaction))
  assert.deepEqual(await getTaskProgress(to.db, 'terms'), mark)
})
