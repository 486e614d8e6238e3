import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Embedder } from '../../../src/models/embedder.ts'
import { createEmbedders } from '../../../src/models/embedders.ts'
import { type ArchiveFixture, fillMemory, openArchiveFixture, readFiles } from './archive-fixture.ts'

/** Float32 scores of two freshly made indexes over the same chunks; measured 0. */
const TOLERANCE = 1e-6

const QUESTIONS = [
  'How fast is a P1 acknowledged?',
  'Kündigungsfrist',
  'quand arrive le remboursement',
  '返金はいつ',
  'price of a bolt',
  'pump 3 valve 12',
  'which drawer has the key',
]

test('an imported memory gives the same hits in the same order with the same scores', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const copy = await fixture.importWhole(await fixture.exportWhole(fixture.memory.id))
  for (const id of [fixture.memory.id, copy.id]) await fixture.parts.memoryFile.maintain(id)
  let largest = 0
  for (const question of QUESTIONS) {
    const [before, after] = [await fixture.findIn(fixture.memory.id, question), await fixture.findIn(copy.id, question)]
    assert.deepEqual(after.hits.map(describe), before.hits.map(describe), question)
    assert.ok(before.hits.length > 0)
    before.hits.forEach(({ score }, rank) => {
      largest = Math.max(largest, Math.abs(score - (after.hits[rank]?.score ?? 0)))
    })
  }
  assert.ok(largest <= TOLERANCE, `scores differ by ${largest}`)
})

function describe({ text, title, kind, page, section, startOffset, tags, metadata, createdAt }: Hit) {
  return { text, title, kind, page, section, startOffset, tags, metadata, createdAt }
}
type Hit = Awaited<ReturnType<ArchiveFixture['findIn']>>['hits'][number]

test('an import has the texts, originals, reports and facts of what was exported, under new identifiers', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const before = await readAll(fixture, fixture.memory.id)
  const copy = await fixture.importWhole(await fixture.exportWhole(fixture.memory.id), { name: 'Copy' })
  const after = await readAll(fixture, copy.id)
  assert.deepEqual(after.facts, before.facts)
  assert.equal(after.ids.filter((id) => before.ids.includes(id)).length, 0)
  assert.equal(copy.name, 'Copy')
  const {
    id: _,
    name: __,
    createdAt: ___,
    updatedAt: ____,
    ...counted
  } = await fixture.memories.get(fixture.caller, fixture.memory.id)
  for (const [name, value] of Object.entries(counted)) assert.deepEqual(copy[name as keyof typeof copy], value, name)
})

/** All readable content of a memory, newest first. */
async function readAll({ documents, caller }: ArchiveFixture, memoryId: string) {
  const filters = [null, 'correction'] as const
  const facts: unknown[] = []
  const ids: string[] = []
  for (const sourceType of filters) {
    const filter = { status: null, tag: null, sourceType }
    const page = await documents.list(caller, memoryId, { ...filter, page: { limit: 100, cursor: null } })
    for (const { id } of page.documents) {
      const { id: own, memoryId: _, ...document } = await documents.get(caller, memoryId, id)
      const { content } = await documents.text(caller, memoryId, id)
      const original = document.hasSource
        ? await documents.source(caller, memoryId, { documentId: id, range: null })
        : null
      const source = original?.content ? await text(original.content) : null
      facts.push({ ...document, text: await text(content), source })
      ids.push(own)
    }
  }
  return { facts, ids }
}

test('an export of an import equals the original export except for times', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const first = await readFiles(await fixture.exportWhole(fixture.memory.id))
  const copy = await fixture.importWhole(await fixture.exportWhole(fixture.memory.id))
  const second = await readFiles(await fixture.exportWhole(copy.id))
  const content = (files: typeof first) => files.filter(({ name }) => !['memory.json', 'manifest.json'].includes(name))
  assert.deepEqual(
    second.map(({ name }) => name),
    first.map(({ name }) => name),
  )
  for (const [index, { name, content: bytes }] of content(first).entries()) {
    assert.ok(content(second)[index]?.content.equals(bytes), name)
  }
})

test('an import with the same embedder embeds nothing; with another it embeds every chunk again and says so', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const archive = await fixture.exportWhole(fixture.memory.id)
  const counting = countCalls(fixture.parts.embedder)
  await fixture.importWhole(archive, {}, { embedders: createEmbedders(counting.embedder) })
  assert.equal(counting.texts(), 0)
  const other = countCalls({ ...fixture.parts.embedder, model: 'another' })
  const own = { embedders: createEmbedders(other.embedder) }
  const copy = await fixture.importWhole(archive, {}, own)
  assert.ok(other.texts() >= copy.chunkCount)
  assert.equal(copy.embeddingModel, 'another')
  assert.deepEqual(
    copy.warnings.map(({ code }) => code),
    ['embedding_model_unavailable'],
  )
})

function countCalls(embedder: Embedder) {
  let texts = 0
  const counting: Embedder = {
    ...embedder,
    model: embedder.model,
    fusionWeight: (language) => embedder.fusionWeight(language),
    embed(given, ...rest) {
      texts += given.length
      return embedder.embed(given, ...rest)
    },
  }
  return { embedder: counting, texts: () => texts }
}
