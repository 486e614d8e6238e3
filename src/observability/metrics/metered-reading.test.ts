import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParserPool } from '../../parsers/child/parser-pool.ts'
import type { DocumentReader } from '../../services/reading/document-reader.ts'
import { meteredPool, meteredReader } from './metered-reading.ts'

const METHODS = ['text', 'ocr', 'empty', 'failed', 'text']

test('each page is counted once by what became of it, whichever way it is read, and every event is passed on', async () => {
  async function* events() {
    yield { pageCount: METHODS.length }
    for (const [index, method] of METHODS.entries()) yield { page: { page: index + 1, method } }
  }
  const counted: string[] = []
  const reader = { read: events, recognize: events } as unknown as DocumentReader
  const metered = meteredReader(reader, { pageRead: (method) => counted.push(method) })
  const options = {} as Parameters<DocumentReader['read']>[2]
  const file = {} as Parameters<DocumentReader['read']>[0]
  const type = {} as Parameters<DocumentReader['read']>[1]
  let passed = 0
  for await (const _ of metered.read(file, type, options)) passed += 1
  assert.deepEqual([counted, passed], [METHODS, METHODS.length + 1])
  for await (const _ of metered.recognize([], { source: file, type }, options)) passed += 1
  assert.deepEqual([counted.length, passed], [2 * METHODS.length, 2 * METHODS.length + 2])
})

test('a task of a child is counted by its name and how it ended', async () => {
  const counted: string[] = []
  const run = (task: string) => (task === 'good' ? Promise.resolve(1) : Promise.reject(new Error('bad')))
  const pool = meteredPool({ run } as unknown as ParserPool, {
    taskEnded: ({ task, outcome }) => counted.push(`${task} ${outcome}`),
  })
  assert.equal(await pool.run('good', null), 1)
  await assert.rejects(pool.run('bad', null), /bad/)
  await assert.rejects(pool.run('late', null, { signal: AbortSignal.abort() }), /bad/)
  assert.deepEqual(counted, ['good ok', 'bad failed', 'late stopped'])
})
