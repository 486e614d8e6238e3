import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ARCHIVE_CONTENTS, DOCUMENT_FIELDS } from '../../../src/limits.ts'
import type { MemoryFile } from '../../../src/memory-file/memory-file.ts'
import { createArchiveService } from '../../../src/services/archive/archive-service.ts'
import { refusedAs } from '../services/fixtures.ts'
import { textDocument } from '../services/ingest-fixture.ts'
import { openArchiveFixture, readFiles } from './archive-fixture.ts'

const MB = 1024 * 1024
/** The part size in `docs/guides/export-and-import.md`. */
const PART_BYTES = 8 * MB

/** As much as a document may have; each character takes six bytes of JSON. */
function largestMetadata(): Record<string, string> {
  const { metadataCharactersInAll, metadataKeyCharacters, metadataKeys } = DOCUMENT_FIELDS
  const value = '\u0001'.repeat(Math.floor(metadataCharactersInAll / metadataKeys) - metadataKeyCharacters)
  const names = Array.from({ length: metadataKeys }, (_, key) => `${key}`.padEnd(metadataKeyCharacters, '\u0001'))
  return Object.fromEntries(names.map((name) => [name, value]))
}

test('documents with the largest metadata leave in parts of at most 8 MB, and come back', async (t) => {
  const fixture = await openArchiveFixture(t)
  const metadata = largestMetadata()
  const titles = Array.from({ length: 50 }, (_, at) => `Tide ${at}`)
  await fixture.add(
    {},
    titles.map((title) => textDocument(`${title} is low at noon.`, { title, metadata })),
  )
  const archive = await fixture.exportWhole(fixture.memory.id)
  const parts = (await readFiles(archive)).filter(({ name }) => name.startsWith('documents/'))
  assert.deepEqual(
    parts.map(({ name }) => name),
    ['documents/00000001.ndjson', 'documents/00000002.ndjson'],
  )
  for (const { content } of parts) assert.ok(content.length <= PART_BYTES, `${content.length} bytes`)
  const copy = await fixture.importWhole(archive)
  assert.deepEqual([copy.documentCount, copy.chunkCount], [50, 50])
})

test('a memory with more documents than an archive holds is refused before anything of it is sent', async (t) => {
  const { archives, caller, memory, parts } = await openArchiveFixture(t)
  const count = (documents: number) => parts.db.updateTable('memories').set({ document_count: documents }).execute()
  await count(ARCHIVE_CONTENTS.documents)
  const { content } = await archives.export(caller, memory.id)
  content.destroy()
  await count(ARCHIVE_CONTENTS.documents + 1)
  await assert.rejects(archives.export(caller, memory.id), refusedAs('memory_too_large'))
})

test('chunks leave in parts of at most 8 MB with their vectors', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fixture.add({}, [textDocument('The tide comes in. '.repeat(1000))])
  const { memoryFile } = fixture.parts
  const large = 'x'.repeat(3 * MB)
  const watched: typeof memoryFile = {
    ...memoryFile,
    async *scan(...given: Parameters<MemoryFile['scan']>) {
      for await (const rows of memoryFile.scan(...given)) yield rows.map((row) => ({ ...row, text: large }))
    },
  }
  const { content } = await createArchiveService({ ...fixture.parts, memoryFile: watched }).export(
    fixture.caller,
    fixture.memory.id,
  )
  const parts = (await readFiles(await buffer(content))).filter(({ name }) => name.startsWith('chunks/'))
  assert.ok(parts.length > 1)
  for (const { content: lines } of parts) assert.ok(lines.length <= PART_BYTES, `${lines.length} bytes`)
})
