import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { openIntents } from '../../../src/database/deletion/intents-table.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { PLANS } from '../../../src/limits.ts'
import { createEmbedders } from '../../../src/models/embedders.ts'
import { readFilter } from '../../../src/services/filters/read-filter.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { retryDiscards, sweepIntents } from '../../../src/services/ingest/storing/discard-documents.ts'
import { refusedAs } from './fixtures.ts'
import { openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'
import { openScanFixture } from './scan-fixture.ts'

const LONG = 'The archive keeps every letter in a dry room. '.repeat(1000)

type Fixture = Awaited<ReturnType<typeof openIngestFixture>>

/** All possible leftovers of an add: rows, intents, objects, chunks. */
async function remains({ parts: { db, blobs, memoryFile }, memory }: Fixture) {
  const [documents, intents] = await Promise.all([
    db.selectFrom('documents').select('id').execute(),
    db.selectFrom('intents').select('document_id').execute(),
  ])
  const chunks = await memoryFile.count(memory.id)
  const objects = await blobs.list(`memories/${memory.id}/`)
  return { documents: documents.length, intents: intents.length, objects: objects.length, chunks: chunks.size }
}

const NOTHING = { documents: 0, intents: 0, objects: 0, chunks: 0 }

describe('an add that fails leaves nothing', () => {
  const failing: Record<string, (parts: IngestDeps) => Partial<IngestDeps>> = {
    'when the memory file cannot be written': ({ memoryFile }) => ({
      memoryFile: withOwn(memoryFile, { add: () => Promise.reject(new ApiError('insufficient_storage')) }),
    }),
    'when the object store cannot be written': ({ blobs }) => ({
      blobs: { ...blobs, put: () => Promise.reject(new ApiError('insufficient_storage')) },
    }),
    'when the embedder fails': ({ embedders }) => {
      const embed = () => Promise.reject(new ApiError('insufficient_storage'))
      return { embedders: createEmbedders({ ...embedders.default, embed }) }
    },
  }
  for (const [when, breakParts] of Object.entries(failing)) {
    test(when, async (t) => {
      const fixture = await openIngestFixture(t)
      const adding = fixture.add(breakParts(fixture.parts), [textDocument('a short one'), textDocument(LONG)])
      await assert.rejects(adding, refusedAs('insufficient_storage'))
      assert.deepEqual(await remains(fixture), NOTHING)
    })
  }

  test('when the memory is deleted while it is under way', async (t) => {
    const fixture = await openIngestFixture(t)
    const { memoryFile } = fixture.parts
    const adding = fixture.add(
      {
        memoryFile: withOwn(memoryFile, {
          async add(memoryId, chunks) {
            await memoryFile.add(memoryId, chunks)
            await fixture.memories.delete(fixture.caller, memoryId)
          },
        }),
      },
      [textDocument(LONG)],
    )
    await assert.rejects(adding, refusedAs('memory_not_found'))
    assert.deepEqual(await remains(fixture), NOTHING)
  })
})

/** Of dead processes, however young. */
const DEAD = { seenSince: '', begunBefore: new Date(0) }

test('the next process clears the add of a dead one', async (t) => {
  const fixture = await openIngestFixture(t)
  const { memoryFile, blobs } = fixture.parts
  // Dies after all writes and before the transaction: its clean-up fails.
  const dead = {
    owner: 'dead',
    memoryFile: withOwn(memoryFile, { deleteDocuments: () => Promise.reject(new Error('dead')) }),
    blobs: {
      ...blobs,
      purge: () => Promise.reject(new Error('dead')),
      put: async (...put: Parameters<typeof blobs.put>) => blobs.put(...put).then(() => assert.fail()),
    },
  }
  await assert.rejects(fixture.add(dead, [textDocument(LONG)]))
  const left = await remains(fixture)
  assert.ok(left.intents === 1 && left.objects === 1 && left.chunks === 1, JSON.stringify(left))
  assert.equal((await fixture.find('a dry room')).totalHits, 0)
  await sweepIntents(fixture.parts, DEAD)
  assert.deepEqual(await remains(fixture), NOTHING)
})

test('a process retries the cleanup of a failed add until it succeeds', async (t) => {
  const fixture = await openIngestFixture(t)
  const { memoryFile, blobs } = fixture.parts
  const full = async () => Promise.reject(new ApiError('insufficient_storage'))
  const isFull = { blobs: { ...blobs, purge: full }, memoryFile: withOwn(memoryFile, { deleteDocuments: full }) }
  const put = (...given: Parameters<typeof blobs.put>) => blobs.put(...given).then(full)
  const adding = fixture.add({ ...isFull, blobs: { ...isFull.blobs, put } }, [textDocument(LONG)])
  await assert.rejects(adding, refusedAs('insufficient_storage'))
  await retryDiscards({ ...fixture.parts, ...isFull })
  const left = await remains(fixture)
  assert.ok(left.intents === 1 && left.objects === 1 && left.chunks === 1, JSON.stringify(left))
  await retryDiscards(fixture.parts)
  assert.deepEqual(await remains(fixture), NOTHING)
})

test('a large add of a process that died is cleared in one sweep', async (t) => {
  const fixture = await openIngestFixture(t)
  const { db } = fixture.parts
  const documentIds = Array.from({ length: 1100 }, () => newId('doc'))
  await openIntents(db, { memoryId: fixture.memory.id, documentIds, owner: 'dead', at: new Date(0).toISOString() })
  assert.equal(await sweepIntents(fixture.parts, DEAD), documentIds.length)
  assert.deepEqual(await remains(fixture), NOTHING)
})

test('the intents of adds that are under way are left alone', async (t) => {
  const fixture = await openIngestFixture(t)
  const { memoryFile } = fixture.parts
  const swept: number[] = []
  const sweeping = withOwn(memoryFile, {
    async add(...add: Parameters<typeof memoryFile.add>) {
      await memoryFile.add(...add)
      swept.push(await sweepIntents(fixture.parts, DEAD))
    },
  })
  await fixture.add({ memoryFile: sweeping }, [textDocument('kept in a dry room')])
  assert.deepEqual(swept, [0])
  assert.equal((await fixture.find('a dry room')).totalHits, 1)
})

test('of two adds with one externalId the later is visible, and nothing of the earlier is found', async (t) => {
  const fixture = await openIngestFixture(t)
  await fixture.add({}, [textDocument('The fee is nine euros.', { externalId: 'fee' })])
  const second = await fixture.add({}, [textDocument('The fee is twelve euros.', { externalId: 'fee' })])
  const { hits } = await fixture.find('what is the fee')
  assert.deepEqual(
    hits.map(({ documentId, text }) => ({ documentId, text })),
    [{ documentId: second.documentIds[0], text: 'The fee is twelve euros.' }],
  )
})

test('two equal documents added concurrently with deduplicate become one', async (t) => {
  const fixture = await openIngestFixture(t)
  const documents = [textDocument('The lift is serviced every second Tuesday of the month by the caretaker.')]
  const answers = await Promise.all(Array.from({ length: 4 }, () => fixture.add({}, documents, { deduplicate: true })))
  const added = answers.map((answer) => ('documentsAdded' in answer ? answer.documentsAdded : -1))
  assert.deepEqual(added.sort(), [0, 0, 0, 1])
  assert.equal((await fixture.memories.get(fixture.caller, fixture.memory.id)).documentCount, 1)
})

for (const isFirst of [true, false]) {
  test(`a document that a job has no space to replace is not added twice, with its replacement sent ${isFirst ? 'before' : 'after'} its text`, async (t) => {
    const fixture = await openScanFixture(t, 'free')
    const { db } = fixture.parts
    const timetable = 'The ferry to the island leaves at nine in the morning.'
    await fixture.add({}, [textDocument(timetable, { externalId: 'ferry' })])
    const used = (PLANS.free.limits.storageBytes ?? 0) - 1000
    await db.updateTable('memories').set({ storage_bytes: used }).execute()
    const news = 'The harbour master has a new boat.'
    const replacing = textDocument('The ferry has been given up. '.repeat(100), { externalId: 'ferry' })
    const repeated = [textDocument(timetable), textDocument(news)]
    const documents = isFirst ? [replacing, ...repeated] : [...repeated, replacing]
    const added = await fixture.add({}, documents, { async: true, deduplicate: true })
    fixture.startWorker()
    const job = await fixture.endOfJob('jobId' in added ? added.jobId : '')
    assert.deepEqual([job.status, job.result?.documentsAdded, job.result?.documentsSkipped], ['partial', 1, 1])
    const rows = await db.selectFrom('documents').select(['external_id', 'status', 'size_bytes']).execute()
    const texts = rows.map(({ external_id, status, size_bytes }) => [external_id, status, size_bytes])
    assert.deepEqual(texts.sort(), [
      [null, 'ready', news.length],
      ['ferry', 'failed', 2900],
      ['ferry', 'ready', timetable.length],
    ])
  })
}

test('a job of a full plan accepts a replacement of equal size', async (t) => {
  const fixture = await openScanFixture(t, 'free')
  const [first, second] = ['The old timetable. '.repeat(200), 'The next timetable.'.repeat(200)]
  await fixture.add({}, [textDocument(first, { externalId: 'ferry' })])
  await fixture.parts.db
    .updateTable('memories')
    .set({ storage_bytes: PLANS.free.limits.storageBytes ?? 0 })
    .execute()
  const replacing = [textDocument(second, { externalId: 'ferry' }), textDocument('There is no room for this.')]
  const added = await fixture.add({}, replacing, { async: true })
  fixture.startWorker()
  const job = await fixture.endOfJob('jobId' in added ? added.jobId : '')
  assert.deepEqual([job.status, job.result?.documentsAdded], ['partial', 1], JSON.stringify(job))
  const { hits } = await fixture.find('next timetable')
  assert.ok(hits.length > 0 && hits.every(({ text }) => !text.includes('old')))
})

test('a tag or metadata is the same however its accents are written', async (t) => {
  const fixture = await openScanFixture(t)
  const [composed, apart] = ['Bücher', 'B\u0075\u0308cher']
  await fixture.add({}, [
    textDocument('The lift is out of order.', { tags: [apart, composed], metadata: { [apart]: apart } }),
    textDocument('The lift works again.', { tags: ['other'] }),
  ])
  for (const written of [composed, apart]) {
    for (const filter of [{ tags: [written] }, { metadata: { [written]: written } }]) {
      const { hits } = await fixture.find('lift', { filter: readFilter(filter) })
      assert.deepEqual(
        hits.map(({ text }) => text),
        ['The lift is out of order.'],
      )
    }
    const listing = { status: null, tag: written, sourceType: null }
    const page = { limit: 20, cursor: null }
    const listed = await fixture.documents.list(fixture.caller, fixture.memory.id, { ...listing, page })
    assert.deepEqual([listed.total, listed.documents.map(({ tags }) => tags)], [1, [[apart, composed]]])
  }
})

test('the text of a hit is the slice of the extracted text at its offsets', async (t) => {
  const fixture = await openIngestFixture(t)
  const text = `# Näher 😀\n\n${'Der Aufzug fährt nicht. '.repeat(80)}\n\n## Zweitens\n\nDie Treppe ist offen. \u{1F600} Ende.`
  await fixture.add({}, [textDocument(text)])
  const { hits } = await fixture.find('Aufzug Treppe offen')
  assert.ok(hits.length > 1)
  for (const hit of hits) assert.equal(hit.text, text.slice(hit.startOffset, hit.endOffset))
})

test('passages of nothing but data in base64 are left out, and the warning counts their characters', async (t) => {
  const fixture = await openIngestFixture(t)
  const data = Array.from({ length: 300 }, (_, at) => createHash('sha256').update(String(at)).digest())
  const picture = Buffer.concat(data).toString('base64')
  const added = await fixture.add({}, [textDocument(`${LONG}\n\nThe lift plan: ${picture} ends here.`)])
  const { hits } = await fixture.find('lift plan ends')
  const { hits: words } = await fixture.find('letter in a dry room')
  assert.ok('warnings' in added && added.warnings.length === 1)
  assert.match(
    added.warnings[0]?.message ?? '',
    /^1[0-2],\d{3} characters of encoded data \(base64\) in the text are not indexed/,
  )
  assert.ok(words.length > 0)
  assert.ok(
    hits.some(({ text }) => text.startsWith('The lift plan')) && hits.some(({ text }) => text.endsWith('ends here.')),
  )
  for (const { text } of [...hits, ...words]) assert.match(text, / /)
})
