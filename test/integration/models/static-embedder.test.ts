import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createStaticEmbedder, createStaticModel } from '../../../src/models/local/static-model.ts'
import { readStaticTable } from '../../../src/models/local/static-table.ts'

const directory = join(import.meta.dirname, '../../../embedder')

type Expected = { text: string; rows: number[]; vector: number[] }

test('pieces and vectors agree with those of the tokenizer the model was trained with', async () => {
  const expected: Expected[] = JSON.parse(await readFile(join(directory, 'vectors.json'), 'utf8'))
  const model = createStaticModel(await readStaticTable(directory), 0)
  assert.ok(expected.length >= 40)
  for (const { text, rows, vector } of expected) {
    assert.deepEqual(model.tokenize(text), rows, text)
    const got = model.embed(text, 'query')
    const worst = Math.max(...vector.map((value, at) => Math.abs(value - (got[at] ?? Number.NaN))))
    assert.ok(worst < 1e-4, `${text}: ${worst}`)
  }
})

test('the embedder of the project finds related meaning, not similar spelling', async () => {
  const embedder = await createStaticEmbedder({ directory })
  const [query, near, far] = await embedder.embed(
    ['How do I change my password?', 'Reset your login credentials in the settings.', 'The harvest of apples began.'],
    'passage',
  )
  const cosine = (one?: Float32Array, other?: Float32Array) =>
    one?.reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0) ?? 0
  assert.ok(cosine(query, near) > cosine(query, far) + 0.1)
  assert.equal(near?.length, query?.length)
})

test('a large batch leaves the event loop free in between', async () => {
  const embedder = await createStaticEmbedder({ directory })
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  const vectors = await embedder.embed(
    Array(20_000).fill('words about a cold room and what is stored in it '.repeat(4)),
    'passage',
  )
  clearInterval(timer)
  assert.equal(vectors.length, 20_000)
  assert.ok(turns > 3)
})

test('a folder without the model is an immediate error', async () => {
  await assert.rejects(createStaticEmbedder({ directory: join(directory, 'none') }), { code: 'ENOENT' })
})

test('many small calls one after the other leave the event loop its turns', async () => {
  const embedder = await createStaticEmbedder({ directory })
  let turns = 0
  const turn = () => {
    turns += 1
    timer = setImmediate(turn)
  }
  let timer = setImmediate(turn)
  const began = performance.now()
  while (performance.now() - began < 100) await embedder.embed(['one small document'], 'passage')
  clearImmediate(timer)
  assert.ok(turns > 2)
})
