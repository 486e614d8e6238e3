import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { createForgottenSweep } from '../../../src/service/deletion/sweep-forgotten.ts'
import { openIntents } from '../../../src/store/deletion/intents.ts'
import { openIngestHouse, textDocument } from './ingest-house.ts'

/** A house whose memory holds a document, and a sweep behind its first call. */
async function open(t: TestContext) {
  const house = await openIngestHouse(t)
  const { parts, memory, add } = house
  const [kept = ''] = (await add({}, [textDocument('The lift is serviced on Tuesdays.')])).documentIds
  const warned: unknown[] = []
  const sweep = createForgottenSweep({ ...parts, log: { warn: (facts: unknown) => void warned.push(facts) } })
  await sweep()

  /** Chunks and an object as those of the document, under another name. */
  async function plant(documentId: string): Promise<string> {
    for await (const chunks of parts.memoryFile.scan(memory.id, { documentIds: [kept] }))
      await parts.memoryFile.add(
        memory.id,
        chunks.map((chunk) => ({ ...chunk, documentId })),
      )
    await parts.blobs.put(`memories/${memory.id}/documents/${documentId}/text`, Buffer.from('as above'))
    return documentId
  }

  async function left() {
    const objects = await parts.blobs.list(`memories/${memory.id}/`)
    return {
      chunks: [...(await parts.memoryFile.count(memory.id)).keys()].sort(),
      objects: objects.map((key) => key.split('/')[3]).sort(),
    }
  }
  return { ...house, kept, warned, sweep, plant, left }
}

test('chunks and objects that no row names are removed by the sweep, and said in the log', async (t) => {
  const { parts, memory, kept, warned, sweep, plant, left } = await open(t)
  const forgotten = await plant(newId('doc'))
  assert.deepEqual((await left()).chunks, [kept, forgotten].sort())
  await sweep()
  assert.deepEqual(await left(), { chunks: [kept], objects: [] })
  assert.deepEqual(warned, [{ memoryId: memory.id, documents: 1 }])
  assert.equal((await parts.db.selectFrom('erasures').selectAll().execute()).length, 1, 'the bytes go, too')
})

test('what is being added stays, and so does what waits for its removal', async (t) => {
  const { parts, memory, kept, warned, sweep, plant, left } = await open(t)
  const { db, owner } = parts
  const adding = newId('doc')
  await openIntents(db, { memoryId: memory.id, documentIds: [adding], owner, at: parts.now().toISOString() })
  await plant(adding)
  await sweep()
  assert.deepEqual(await left(), { chunks: [kept, adding].sort(), objects: [adding] })
  assert.deepEqual(warned, [])
})

test('each memory is compared once a day, and one that cannot be read keeps no other from its turn', async (t) => {
  const { parts, memories, caller, memory } = await open(t)
  const input = { name: 'another', description: null, projectId: null, projectName: null }
  const other = await memories.create(caller, input)
  const compared: string[] = []
  const sweep = createForgottenSweep({
    ...parts,
    memoryFile: {
      async count(memoryId) {
        compared.push(memoryId)
        if (memoryId === memory.id) throw new Error('damaged')
        return parts.memoryFile.count(memoryId)
      },
    },
  })
  for (let round = 0; round < 3; round += 1) await sweep()
  assert.deepEqual(compared, [memory.id, other.id].sort())
})
