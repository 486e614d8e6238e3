import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'
import { newId } from '../../../src/ids.ts'
import type { ChunkRow } from '../../../src/memory-file/memory-file.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createSearchService, openMemory } from '../../../src/services/search/search-service.ts'
import { openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'

const QUERY = 'herons nest'
const ASKED = { query: QUERY, limit: 10, mode: 'auto', highlight: false } as const

test('visible passages are found after any number of hidden ones, which are not counted', async (t) => {
  const { add, find, files, memory } = await openIngestFixture(t)
  await add({}, [textDocument('The herons have come back to the old weir this spring, and many a nest is seen there.')])
  // Rows as left by a running or killed add: no database row names their documents.
  const hidden = Array.from({ length: 150 }, (): ChunkRow => {
    const [text, terms] = ['Herons nest.', 'heron nest']
    const place = { startOffset: 0, endOffset: text.length, page: null, pageEnd: null, section: null, header: null }
    const vector = new Float32Array(384)
    const windows = new Uint8Array()
    return {
      documentId: newId('doc'),
      chunkIndex: 0,
      kind: 'document',
      text,
      terms,
      vector,
      windows,
      labels: [],
      ...place,
    }
  })
  await files.add(memory.id, hidden)
  const { hits, totalHits } = await find(QUERY, { mode: 'lexical' })
  assert.deepEqual([hits.length, totalHits], [1, 1])
  assert.match(hits[0]?.text ?? '', /old weir/)
})

test('an amendment is found behind any number of copies of what it amends', async (t) => {
  const { add, find } = await openIngestFixture(t)
  const rule = 'Herons nest at the old weir, and nobody may row there from March to June.'
  await add({}, [textDocument(`${rule.replace('June', 'July')} This replaces the rule of last year.`)])
  for (const [count, all] of [
    [300, 300],
    [1200, 1500],
  ] as const) {
    await add(
      {},
      Array.from({ length: count }, (_, index) => textDocument(`${rule}${' '.repeat(index % 3)}`)),
    )
    for (const mode of ['hybrid', 'lexical'] as const) {
      const { hits, totalHits } = await find('herons nest at the old weir', { mode })
      assert.deepEqual([totalHits, hits.map(({ duplicates }) => duplicates)], [2, [all - 1, 0]], mode)
      assert.match(hits[1]?.text ?? '', /July/)
    }
  }
})

test('passages moved by maintenance between search and read are still found', async (t) => {
  const { add, caller, files, memory, parts } = await openIngestFixture(t)
  for (const place of ['weir', 'mill', 'lake']) await add({}, [textDocument(`Herons nest at the ${place}.`)])
  let isMoved = false
  const memoryFile = withOwn(parts.memoryFile, {
    async readRows(memoryId, found) {
      if (!isMoved) await files.maintain(memoryId)
      isMoved = true
      return files.readRows(memoryId, found)
    },
  })
  const search = createSearchService({ ...parts, memoryFile, rerank: true })
  const { hits } = await search.find(await search.open(caller, memory.id), ASKED)
  assert.deepEqual([isMoved, hits.length], [true, 3])
})

test('a search stops reading when its client leaves, at any point', async (t) => {
  const { add, caller, memory, parts } = await openIngestFixture(t)
  const notes = Array.from({ length: 140 }, (_, index) => textDocument(`Herons nest at pond ${index}.`))
  await add({}, notes)
  const statement = 'Herons nest in spring.'
  const { signal } = new AbortController()
  await createCorrectionsService(parts).add(caller, memory.id, {
    corrections: [{ statement, topics: [], boost: 2 }],
    signal,
  })

  async function ask(how: 'find' | 'rank', leavingAfter: number): Promise<number> {
    const leaving = new AbortController()
    let reads = 0
    const begin = () => assert.ok(!leaving.signal.aborted, `read on after ${leavingAfter} reads`)
    const end = () => {
      reads += 1
      if (reads === leavingAfter) leaving.abort(new Error('left'))
    }
    const search = createSearchService({ ...parts, ...watchReads(parts, { begin, end }), rerank: true })
    const searched = await openMemory(parts.db, caller, memory.id)
    const asked = { ...ASKED, query: 'heorns', mode: 'hybrid', signal: leaving.signal } as const
    const answer: Promise<unknown> = search[how](searched, asked)
    await (leavingAfter === Number.POSITIVE_INFINITY ? answer : assert.rejects(answer, /left/))
    return reads
  }
  for (const how of ['find', 'rank'] as const) {
    const all = await ask(how, Number.POSITIVE_INFINITY)
    for (let leavingAfter = 1; leavingAfter <= all; leavingAfter += 1) await ask(how, leavingAfter)
  }
})

/** Database and memory files that report every read. */
function watchReads(
  { db, memoryFile }: Pick<IngestDeps, 'db' | 'memoryFile'>,
  { begin, end }: { begin: () => void; end: () => void },
): Pick<IngestDeps, 'db' | 'memoryFile'> {
  const watch = async <Value>(read: Promise<Value>) => {
    begin()
    const value = await read
    end()
    return value
  }
  const watched = {
    transformQuery: ({ node }: PluginTransformQueryArgs) => {
      begin()
      return node
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => {
      end()
      return result
    },
  }
  return {
    db: db.withPlugin(watched),
    memoryFile: withOwn(memoryFile, {
      searchLexical: (...search) => watch(memoryFile.searchLexical(...search)),
      searchNear: (...search) => watch(memoryFile.searchNear(...search)),
      searchVector: (...search) => watch(memoryFile.searchVector(...search)),
      readRows: (...found) => watch(memoryFile.readRows(...found)),
    }),
  }
}
