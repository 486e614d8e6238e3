import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import { chunk, terms, withMemoryFile } from './memory-file-fixture.ts'

/** Of length 1, along the first axis. */
function first(dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[0] = 1
  return vector
}

test('memories side by side have vectors of different lengths, also when they are opened again', () =>
  withMemoryFile(async ({ file, reopen }) => {
    const [short, long] = [newId('mem'), newId('mem')]
    await Promise.all([
      file.add(short, [chunk({ terms: 'brief', vector: first(4) })]),
      file.add(long, [chunk({ terms: 'wordy', vector: first(24) })]),
    ])
    for (const instance of [file, await reopen()]) {
      assert.deepEqual(terms(await instance.searchVector(short, first(4), { limit: 5 })), ['brief'])
      assert.deepEqual(terms(await instance.searchVector(long, first(24), { limit: 5 })), ['wordy'])
    }
  }))

test('a memory refuses vectors of another length and keeps its own', () =>
  withMemoryFile(async ({ file, reopen }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({ terms: 'kept', vector: first(4) })])
    for (const instance of [file, await reopen()]) {
      await assert.rejects(instance.add(memory, [chunk({ vector: first(24) })]), { code: 'embedding_model_pinned' })
      await assert.rejects(instance.searchVector(memory, first(24), { limit: 5 }), { code: 'embedding_model_pinned' })
      assert.deepEqual(terms(await instance.searchVector(memory, first(4), { limit: 5 })), ['kept'])
      assert.deepEqual(terms(await instance.searchLexical(memory, ['kept'], { limit: 5 })), ['kept'])
    }
  }))

test('of concurrent adds with different vector lengths, one length is written and the others are refused', () =>
  withMemoryFile(async ({ file }) => {
    const memory = newId('mem')
    const adds = [4, 24, 4, 24].map((dimensions) => file.add(memory, [chunk({ vector: first(dimensions) })]))
    const outcomes = await Promise.allSettled(adds)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    )
    assert.equal((await file.searchVector(memory, first(4), { limit: 5 })).length, 2)
  }))

test('an emptied memory accepts vectors of another length', () =>
  withMemoryFile(async ({ file, reopen }) => {
    const memory = newId('mem')
    const row = chunk({ vector: first(4) })
    await file.add(memory, [row])
    await file.deleteDocuments(memory, [row.documentId])
    const other = await reopen()
    await file.add(memory, [chunk({ terms: 'anew', vector: first(24) })])
    for (const instance of [file, other]) {
      assert.deepEqual(terms(await instance.searchVector(memory, first(24), { limit: 5 })), ['anew'])
      assert.deepEqual(terms(await instance.searchLexical(memory, ['anew'], { limit: 5 })), ['anew'])
    }
    await file.maintain(memory)
  }))
