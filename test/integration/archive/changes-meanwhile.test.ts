import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { requireMemory } from '../../../src/database/memories/memories-table.ts'
import type { MemoryFile } from '../../../src/memory-file/memory-file.ts'
import { createArchiveService, packArchive } from '../../../src/services/archive/archive-service.ts'
import { exportEntries } from '../../../src/services/archive/export-entries.ts'
import { refusedAs, silent } from '../services/fixtures.ts'
import { textDocument } from '../services/ingest-fixture.ts'
import { type ArchiveFixture, openArchiveFixture } from './archive-fixture.ts'
import { openArchive } from './rewrite-archive.ts'

/** The memory's archive, while `meanwhile` is done when the first entry of this name is read. */
async function exportWhile(fixture: ArchiveFixture, name: string, meanwhile: () => Promise<unknown>): Promise<Buffer> {
  const { parts, caller, memory, now } = fixture
  const row = await requireMemory(parts.db, caller, memory.id)
  let isDone = false
  async function* watched() {
    for await (const entry of exportEntries(parts, row, now())) {
      if (entry.name.startsWith(name) && !isDone) {
        isDone = true
        await meanwhile()
      }
      yield entry
    }
  }
  const archive = await buffer(packArchive(watched(), now(), silent))
  assert.ok(isDone)
  return archive
}

async function titlesOf({ documents, caller }: ArchiveFixture, memoryId: string): Promise<string[]> {
  const filter = { status: null, tag: null, sourceType: null }
  const page = await documents.list(caller, memoryId, { ...filter, page: { limit: 100, cursor: null } })
  return page.documents.map(({ title }) => title).sort()
}

async function fill(fixture: ArchiveFixture): Promise<string[]> {
  const long = 'The tide comes in. '.repeat(3000)
  const documents = ['one', 'two', 'three'].map((title) =>
    textDocument(`${title}. ${long}`, { title, externalId: title }),
  )
  const added = await fixture.add({}, documents, { storeSource: true })
  assert.ok('documents' in added)
  return added.documentIds
}

for (const entry of ['documents/', 'texts/', 'originals/', 'chunks/', 'windows/']) {
  test(`a document that is deleted while ${entry} is written is not in the archive, and all others are whole`, async (t) => {
    const fixture = await openArchiveFixture(t)
    const [, second = ''] = await fill(fixture)
    const archive = await exportWhile(fixture, entry, () =>
      fixture.documents.delete(fixture.caller, fixture.memory.id, second),
    )
    const copy = await fixture.importWhole(archive)
    assert.deepEqual(await titlesOf(fixture, copy.id), ['one', 'three'])
    const { chunkCount, sizeBytes } = await fixture.memories.get(fixture.caller, fixture.memory.id)
    assert.deepEqual([copy.chunkCount, copy.sizeBytes], [chunkCount, sizeBytes])
  })
}

test('an export contains documents added and replaced while it runs', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fill(fixture)
  const archive = await exportWhile(fixture, 'chunks/', () =>
    fixture.add({}, [
      textDocument('The new one.', { title: 'one, again', externalId: 'one' }),
      textDocument('Another.', { title: 'four' }),
    ]),
  )
  const copy = await fixture.importWhole(archive)
  assert.deepEqual(await titlesOf(fixture, copy.id), ['four', 'one, again', 'three', 'two'])
  const { files } = await openArchive(archive)
  const manifest = JSON.parse(files.at(-1)?.content.toString() ?? '') as { dropped: number[] }
  assert.deepEqual(manifest.dropped, [1])
})

test('an export aborts when its memory is deleted, so that it does not look complete', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fill(fixture)
  const archive = exportWhile(fixture, 'chunks/', () => fixture.memories.delete(fixture.caller, fixture.memory.id))
  await assert.rejects(archive, refusedAs('memory_not_found'))
})

test('an export of an empty memory aborts when the memory gets its first vectors: its head says there are none', async (t) => {
  const fixture = await openArchiveFixture(t)
  const archive = exportWhile(fixture, 'memory.json', () => fixture.add({}, [textDocument('The tide is low.')]))
  await assert.rejects(archive, refusedAs('service_unavailable'))
})

test('a disconnected client ends the export, and its open objects are closed', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fill(fixture)
  const opened: Readable[] = []
  let scans = 0
  const { blobs, memoryFile } = fixture.parts
  const watched = {
    ...fixture.parts,
    blobs: {
      ...blobs,
      async get(key: string) {
        const content = await blobs.get(key)
        if (content !== null) opened.push(content)
        return content
      },
    },
    memoryFile: {
      ...memoryFile,
      async *scan(...given: Parameters<MemoryFile['scan']>) {
        scans += 1
        yield* memoryFile.scan(...given)
      },
    },
  }
  const { content } = await createArchiveService(watched).export(fixture.caller, fixture.memory.id)
  for await (const _ of content) break
  content.destroy()
  // A destroyed stream closes in a later turn; only that needs waiting.
  for (const source of opened) if (!source.closed) await new Promise((resolve) => source.once('close', resolve))
  assert.ok(opened.every((source) => source.destroyed))
  assert.equal(scans, 0)
})

test('a memory of another organization or key is not found, and its name is not revealed', async (t) => {
  const fixture = await openArchiveFixture(t)
  const stranger = { ...fixture.caller, organizationId: 'org_01m7yr0f4bf21vdwvz6y0h2sjx' }
  await assert.rejects(fixture.archives.export(stranger, fixture.memory.id), refusedAs('memory_not_found'))
})

test('the file name of an export is made of letters and digits of the memory', async (t) => {
  const fixture = await openArchiveFixture(t)
  const make = (name: string) =>
    fixture.memories.create(fixture.caller, { name, description: null, projectId: null, projectName: null })
  const expected = {
    'Support KB': 'Support KB',
    '../../etc': 'etc',
    'a/b\\c"d\r\n': 'a b c d',
    日本語: '日本語',
    '...': 'memory',
  }
  for (const [name, file] of Object.entries(expected)) {
    const { content, filename } = await fixture.archives.export(fixture.caller, (await make(name)).id)
    content.on('error', () => undefined).destroy()
    assert.equal(filename, `${file}.tar.gz`)
  }
})

test('an empty memory leaves and comes back as one', async (t) => {
  const fixture = await openArchiveFixture(t)
  const copy = await fixture.importWhole(await fixture.exportWhole(fixture.memory.id))
  assert.deepEqual([copy.name, copy.documentCount, copy.embeddingModel], ['m', 0, null])
})
