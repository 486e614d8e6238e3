import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import type { ApiError } from '../../../src/errors.ts'
import { createLanceMemoryFile } from '../../../src/memory-file/lance-memory-file.ts'
import type { ChunkRow, MemoryFile } from '../../../src/memory-file/memory-file.ts'
import { createEmbedders } from '../../../src/models/embedders.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createMemoryFiles } from '../../../src/services/memory-files.ts'
import { openEmbedderFixture, useModelServer } from './embedder-fixture.ts'
import { refusedAs } from './fixtures.ts'

const server = await useModelServer()

const LIFT = 'The lift is serviced by the caretaker on Tuesdays.'
const ROOF = 'The roof was sealed with tar in autumn.'
const CELLAR = 'The cellar floods when the pump is switched off.'
/** Several chunks under headings, with a table. */
const HANDBOOK = `# House rules\n\n${'Doors are shut at ten. '.repeat(80)}\n\n## Bins\n\n| day | bin |\n|---|---|\n| Monday | glass |\n`

/** A house with a memory of the embedded model, and a start that has `mini` as well. */
async function openReembedFixture(t: TestContext) {
  const fixture = await openEmbedderFixture(t)
  const memory = await fixture.makeMemory()
  const both = fixture.start(fixture.embeddersOf('mini', server.url))
  const embedded = { embeddingModel: 'static-multi' }
  const added = await both.add(memory, [LIFT, ROOF, HANDBOOK], embedded)
  const documents = createDocumentsService(fixture.parts)
  const remove = (text: string) =>
    documents.delete(fixture.caller, memory, added.documentIds[[LIFT, ROOF, HANDBOOK].indexOf(text)] ?? '')
  await both.correct(memory, 'The roof was sealed in spring.')

  /** Re-embeds with the worker of a new start, with replaceable dependencies. */
  async function reembed(model: string, given: Partial<IngestDeps> = {}) {
    const start = fixture.start(fixture.embeddersOf('mini', server.url), given)
    const worker = start.worker()
    worker.start()
    const { id } = await start.reembed(memory, model)
    const ended = await start.endOf(id)
    await worker.stop()
    return ended
  }

  async function readAll(memoryId = memory) {
    const rows: ChunkRow[] = []
    for await (const batch of fixture.parts.memoryFile.scan(memoryId)) rows.push(...batch)
    return rows
  }
  const found = async (query: string) => (await both.find(memory, query, 'semantic')).hits.map(({ text }) => text)
  const sweepAfter = async (ms: number) => {
    fixture.pass(ms)
    await fixture.parts.removals.sweep()
  }
  return { ...fixture, memory, both, reembed, readAll, found, remove, sweepAfter, onAdd }

  /**
   * Acts before each write of chunks to a new memory file; with `text`, before a write of a chunk
   * with this text to any file.
   */
  function onAdd(hear: (rows: readonly ChunkRow[]) => Promise<void>, text: string | null = null): Partial<IngestDeps> {
    const { memoryFile } = fixture.parts
    const named = (name: string): MemoryFile => {
      const file = memoryFile.named(name)
      const add: MemoryFile['add'] = async (memoryId, rows, options) => {
        const isHeard = text === null ? name !== memory : rows.length === 1 && rows[0]?.text === text
        if (isHeard) await hear(rows)
        await file.add(memoryId, rows, options)
      }
      return { ...file, add }
    }
    const byName: MemoryFile = { ...memoryFile.byName, add: (name, ...asked) => named(name).add(memory, ...asked) }
    return { memoryFile: { ...memoryFile, named, byName } }
  }
}

/** The rows without document ids, shortened because differences are printed. */
const summarize = (rows: readonly ChunkRow[]) =>
  rows.map(({ documentId: _, vector, windows, ...row }) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([row, [...vector], [...windows]]))
      .digest('hex')
      .slice(0, 8)
    return `${hash} ${row.kind} ${row.chunkIndex} ${vector.length} ${windows.length}`
  })

describe('a re-embedded memory', () => {
  test('has the vectors of an add with the new model, and all else unchanged', async (t) => {
    const { memory, both, reembed, readAll, makeMemory, modelOf, found } = await openReembedFixture(t)
    const before = await readAll()
    const { status, message, result, jobType } = await reembed('mini')
    assert.equal(status, 'completed', message)
    assert.deepEqual([jobType, result?.chunksCreated], ['reembedding', before.length])
    assert.equal(await modelOf(memory), 'mini')
    const fresh = await makeMemory()
    await both.add(fresh, [LIFT, ROOF, HANDBOOK], { embeddingModel: 'mini' })
    await both.correct(fresh, 'The roof was sealed in spring.')
    assert.deepEqual(summarize(await readAll()), summarize(await readAll(fresh)))
    assert.equal((await found('who services the lift'))[0], LIFT)
  })

  test('comes back to the embedded model, windows and titles included, byte for byte', async (t) => {
    const { reembed, readAll } = await openReembedFixture(t)
    const before = summarize(await readAll())
    await reembed('mini')
    assert.notDeepEqual(summarize(await readAll()), before)
    assert.equal((await reembed('static-multi')).status, 'completed')
    assert.deepEqual(summarize(await readAll()), before)
  })

  test('keeps the old file for its readers for minutes, then removes it', async (t) => {
    const { reembed, files, memory, sweepAfter, found, parts } = await openReembedFixture(t)
    await reembed('mini')
    const [old, next] = (await files.list()).sort()
    assert.ok(old === memory && next?.startsWith(`${memory}.`))
    await sweepAfter(4 * 60_000)
    assert.equal((await files.list()).length, 2)
    await sweepAfter(2 * 60_000)
    assert.deepEqual(await files.list(), [next])
    await sweepAfter(20 * 60_000)
    assert.deepEqual(await parts.db.selectFrom('removals').selectAll().execute(), [])
    assert.equal((await found('who services the lift'))[0], LIFT)
  })

  test('is nothing to wait for where the memory is empty, which is pinned to the model then', async (t) => {
    const { embeddersOf, start, makeMemory, modelOf } = await openReembedFixture(t)
    const empty = await makeMemory()
    const both = start(embeddersOf('mini', server.url))
    const worker = both.worker()
    worker.start()
    const { status, result } = await both.endOf((await both.reembed(empty, 'static-multi')).id)
    await worker.stop()
    assert.deepEqual([status, result?.chunksCreated, await modelOf(empty)], ['completed', 0, 'static-multi'])
  })

  test('has the vectors of the current model, where another model uses the old name', async (t) => {
    const { memory, both, reembed, readAll } = await openReembedFixture(t)
    await reembed('mini')
    const worker = both.worker()
    worker.start()
    const again = async () => both.endOf((await both.reembed(memory, 'mini')).id)
    await again()
    server.requests.length = 0
    server.setDimensions(24)
    const { status, message } = await again()
    await worker.stop()
    assert.equal(status, 'completed', message)
    const texts = server.requests.flatMap(({ body }) => [body.input ?? []].flat())
    const rows = await readAll()
    assert.ok(texts.length >= rows.length, `${texts.length} texts were sent again`)
    assert.deepEqual([...new Set(rows.map(({ vector }) => vector.length))], [24])
    assert.equal((await both.find(memory, 'who services the lift', 'semantic')).hits[0]?.text, LIFT)
  })

  test('is removed completely with its memory, whichever file it has', async (t) => {
    const { reembed, files, memories, caller, memory, sweepAfter } = await openReembedFixture(t)
    await reembed('mini')
    await memories.delete(caller, memory)
    await sweepAfter(0)
    assert.deepEqual(await files.list(), [])
  })
})

describe('while a memory is re-embedded', () => {
  test('the old vectors answer, and what is added and removed is so afterwards as well', async (t) => {
    const { memory, both, reembed, found, onAdd, parts, remove } = await openReembedFixture(t)
    let calls = 0
    const given = onAdd(async () => {
      calls += 1
      if (calls > 1) return
      assert.equal((await found('who services the lift'))[0], LIFT)
      await both.add(memory, [CELLAR])
      assert.equal((await found('the cellar floods'))[0], CELLAR)
      await remove(ROOF)
    })
    const { status, result } = await reembed('mini', given)
    assert.equal(status, 'completed')
    assert.ok(calls > 1)
    assert.equal((await found('the cellar floods'))[0], CELLAR)
    assert.ok(!(await found('sealed with tar')).includes(ROOF))
    const counts = await parts.memoryFile.count(memory)
    const rows = await parts.db.selectFrom('documents').select(['id', 'chunk_count']).execute()
    const chunks = rows.reduce((sum, { chunk_count }) => sum + chunk_count, 0)
    assert.equal(result?.chunksCreated, chunks)
    assert.deepEqual([...counts].sort(), rows.map((row) => [row.id, row.chunk_count] as const).sort())
    assert.deepEqual(await parts.db.selectFrom('reembedding_changes').selectAll().execute(), [])
  })

  test('another process always answers with the model of its vectors', async (t) => {
    const { memory, embeddersOf, start, reembed, parts } = await openReembedFixture(t)
    const files = await createLanceMemoryFile({ directory: parts.temporaryDirectory, log: parts.log })
    t.after(() => files.close())
    const other = start(embeddersOf('mini', server.url), { memoryFile: createMemoryFiles({ db: parts.db, files }) })
    let isOver = false
    let searches = 0
    const searching = (async () => {
      for (; !isOver; searches += 1) {
        const { hits, warnings } = await other.find(memory, 'who services the lift on Tuesdays', 'semantic')
        assert.deepEqual([hits[0]?.text, warnings], [LIFT, []])
      }
    })()
    for (const model of ['mini', 'static-multi', 'mini']) assert.equal((await reembed(model)).status, 'completed')
    isOver = true
    await searching
    assert.ok(searches > 10, `${searches} searches`)
  })

  test('a query embedded before the switch searches the vectors of its model', async (t) => {
    const { memory, start, reembed, parts, modelOf } = await openReembedFixture(t)
    const { embedder } = parts
    let isRead = false
    const slow = createEmbedders({
      ...embedder,
      async embed(texts, kind) {
        const vectors = await embedder.embed(texts, kind)
        if (!isRead) {
          isRead = true
          assert.equal((await reembed('mini')).status, 'completed')
        }
        return vectors
      },
    })
    const { hits, warnings } = await start(slow).find(memory, 'who services the lift', 'semantic')
    assert.deepEqual([hits[0]?.text, warnings, await modelOf(memory)], [LIFT, [], 'mini'])
  })

  test('continuous adds do not prevent its end', async (t) => {
    const { memory, both, reembed, parts } = await openReembedFixture(t)
    let isOver = false
    const adding = Array.from({ length: 4 }, async (_, writer) => {
      const ids: string[] = []
      for (let count = 0; !isOver; count += 1) {
        const added = await both.add(memory, [`The key of locker ${writer}-${count} hangs in the hall.`])
        ids.push(...added.documentIds)
      }
      return ids
    })
    assert.equal((await reembed('mini')).status, 'completed')
    isOver = true
    const ids = (await Promise.all(adding)).flat()
    const counts = await parts.memoryFile.count(memory)
    assert.deepEqual(
      ids.filter((id) => counts.get(id) !== 1),
      [],
    )
  })

  test('an add that commits behind the switch is embedded by the new model', async (t) => {
    const { memory, embeddersOf, start, reembed, found, onAdd, parts } = await openReembedFixture(t)
    let times = 0
    const late = onAdd(async () => {
      times += 1
      if (times > 1) return
      assert.equal((await reembed('mini')).status, 'completed')
      server.requests.length = 0
    }, CELLAR)
    await start(embeddersOf('mini', server.url), late).add(memory, [CELLAR])
    const texts = server.requests.flatMap(({ body }) => [body.input ?? []].flat())
    assert.ok(texts.some((text) => text.includes(CELLAR)))
    assert.equal(times, 2)
    assert.equal((await found('the cellar floods'))[0], CELLAR)
    assert.deepEqual(await parts.db.selectFrom('intents').selectAll().execute(), [])
  })

  test('a job that adds, prepared with the old model, is done again with the new one', async (t) => {
    const { memory, embeddersOf, start, found, onAdd } = await openReembedFixture(t)
    let times = 0
    const late = onAdd(async () => {
      times += 1
      if (times > 1) return
      const { id } = await adding.reembed(memory, 'mini')
      assert.equal((await adding.endOf(id)).status, 'completed')
    }, CELLAR)
    const adding = start(embeddersOf('mini', server.url), late)
    const worker = adding.worker()
    const accepted = await adding.add(memory, [CELLAR], { async: true })
    assert.ok('jobId' in accepted)
    worker.start()
    const { status, attempts } = await adding.endOf(accepted.jobId)
    await worker.stop()
    assert.deepEqual([status, attempts, times], ['completed', 2, 2])
    assert.equal((await found('the cellar floods'))[0], CELLAR)
  })

  test('its progress counts embedded chunks before their write', async (t) => {
    const { memory, both, reembed, readAll, caller, onAdd } = await openReembedFixture(t)
    const chunks = (await readAll()).length
    let heard = ''
    const given = onAdd(async () => {
      const { jobs } = await both.jobs.list(caller, { status: null, memoryId: memory }, PAGE)
      const watched = both.jobs.watch(caller, jobs[0]?.id ?? '', AbortSignal.timeout(20_000))
      for await (const { message } of watched) {
        heard = message
        if (/^re-embedded [1-9]/.test(message)) break
      }
    })
    assert.equal((await reembed('mini', given)).status, 'completed')
    assert.equal(heard, `re-embedded ${chunks} of ${chunks} chunks`)
  })

  test('another re-embedding is refused and names the running job', async (t) => {
    const { memory, both } = await openReembedFixture(t)
    const { id } = await both.reembed(memory, 'mini')
    await assert.rejects(both.reembed(memory, 'static-multi'), (error: ApiError) => {
      assert.deepEqual([error.code, error.facts.extra], ['reembedding_in_progress', { jobId: id }])
      return true
    })
  })
})

describe('an unfinished re-embedding', () => {
  test('leaves the memory unchanged when cancelled, and a retry restarts it', async (t) => {
    const { memory, caller, both, embeddersOf, start, reembed, found, files, onAdd, sweepAfter, modelOf } =
      await openReembedFixture(t)
    const cancelling = start(
      embeddersOf('mini', server.url),
      onAdd(
        async () => void (await both.jobs.cancel(caller, (await both.jobs.list(caller, ALL, PAGE)).jobs[0]?.id ?? '')),
      ),
    )
    const worker = cancelling.worker()
    worker.start()
    const { id } = await cancelling.reembed(memory, 'mini')
    const { status, errorCode } = await cancelling.endOf(id)
    await worker.stop()
    assert.deepEqual([status, errorCode, await modelOf(memory)], ['failed', 'cancelled', 'static-multi'])
    assert.equal((await found('who services the lift'))[0], LIFT)
    await sweepAfter(0)
    assert.deepEqual(await files.list(), [memory])
    await both.jobs.retry(caller, id)
    const retried = both.worker()
    retried.start()
    assert.equal((await both.endOf(id)).status, 'completed')
    await retried.stop()
    assert.equal(await modelOf(memory), 'mini')
    await reembed('static-multi')
    await sweepAfter(30 * 60_000)
    assert.equal((await files.list()).length, 1)
  })

  test('continues after the death of its worker, embedding nothing twice', async (t) => {
    const { memory, both, embeddersOf, start, found, onAdd, parts } = await openReembedFixture(t)
    const { id } = await both.reembed(memory, 'mini')
    let writes = 0
    const dying = start(
      embeddersOf('mini', server.url),
      onAdd(async () => {
        writes += 1
        throw new Error('died')
      }),
    )
    const worker = dying.worker()
    worker.start()
    while (writes < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await worker.stop()
    await parts.db.updateTable('jobs').set({ attempts: 0, run_after: '' }).where('id', '=', id).execute()
    const alive = both.worker()
    alive.start()
    assert.equal((await both.endOf(id)).status, 'completed')
    await alive.stop()
    assert.equal((await found('who services the lift'))[0], LIFT)
  })

  test('repairs what a kill left twice or in part in the new file', async (t) => {
    const { memory, both, readAll, onAdd, embeddersOf, start, parts } = await openReembedFixture(t)
    const before = await readAll()
    let once = false
    const doubling = start(
      embeddersOf('mini', server.url),
      onAdd(async (rows) => {
        if (once) return
        once = true
        const { next_file: file } = await parts.db
          .selectFrom('memories')
          .selectAll()
          .where('id', '=', memory)
          .executeTakeFirstOrThrow()
        await parts.memoryFile.named(file ?? '').add(memory, rows.slice(0, 2), { areNew: true })
      }),
    )
    const worker = doubling.worker()
    worker.start()
    assert.equal((await doubling.endOf((await doubling.reembed(memory, 'mini')).id)).status, 'completed')
    await worker.stop()
    assert.ok(once)
    const names = (rows: readonly ChunkRow[]) => rows.map(({ documentId, chunkIndex }) => `${documentId}.${chunkIndex}`)
    assert.deepEqual(names(await readAll()), names(before))
    assert.equal((await both.find(memory, 'who services the lift')).hits[0]?.text, LIFT)
  })
})

test('an unknown model is refused with the available ones, not replaced', async (t) => {
  const { memory, both } = await openReembedFixture(t)
  await assert.rejects(both.reembed(memory, 'text-embedding-3-small'), (error: Error) => {
    assert.ok(refusedAs('validation_failed')(error))
    assert.match(error.message, /static-multi, mini/)
    return true
  })
})

const ALL = { status: null, memoryId: null }
const PAGE = { limit: 10, cursor: null }
