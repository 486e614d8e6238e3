import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import type { ImportedMemory } from '../../../src/api/memory.ts'
import type { PlanId } from '../../../src/limits.ts'
import type { ImportOptions } from '../../../src/services/archive/archive-service.ts'
import { createArchiveService } from '../../../src/services/archive/archive-service.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { openIngestFixture, textDocument } from '../services/ingest-fixture.ts'

/** A fixture whose memories are exported and imported. */
export async function openArchiveFixture(t: TestContext, plan: PlanId = 'unlimited') {
  const fixture = await openIngestFixture(t, plan)
  const { parts, caller } = fixture
  const archives = createArchiveService(parts)
  const search = createSearchService({ ...parts, rerank: true })

  async function exportWhole(memoryId: string): Promise<Buffer> {
    const { content } = await archives.export(caller, memoryId)
    return buffer(content)
  }

  async function importWhole(
    archive: Buffer,
    options: Partial<ImportOptions> = {},
    own: Partial<IngestDeps> = {},
  ): Promise<ImportedMemory> {
    const path = join(parts.temporaryDirectory, `upload-${randomUUID()}`)
    await writeFile(path, archive)
    try {
      const file = { path, bytes: archive.length, filename: 'a.tar.gz', declaredType: null }
      const service = createArchiveService({ ...parts, ...own })
      const { signal } = new AbortController()
      const chosen = { name: null, projectId: null, async: false, ...options }
      const imported = await service.import(caller, file, { options: chosen, work: { signal } })
      assert.ok('warnings' in imported && 'documentCount' in imported, 'imported within the request')
      return imported
    } finally {
      await rm(path, { force: true })
    }
  }

  const findIn = async (memoryId: string, query: string) =>
    search.find(await search.open(caller, memoryId), {
      query,
      limit: 20,
      mode: 'hybrid',
      highlight: true,
    })

  return {
    ...fixture,
    archives,
    exportWhole,
    importWhole,
    findIn,
    documents: createDocumentsService(parts),
    corrections: createCorrectionsService(parts),
  }
}

export type ArchiveFixture = Awaited<ReturnType<typeof openArchiveFixture>>

/**
 * Documents of several languages, chat turns, a table, a long text, originals and corrections in
 * the memory of the house.
 */
export async function fillMemory({ add, corrections, caller, memory }: ArchiveFixture): Promise<void> {
  const long = Array.from(
    { length: 900 },
    (_, line) => `Paragraph ${line} tells of pump ${line % 17} and valve ${line % 29}.`,
  )
  await add({}, [
    textDocument('# Escalation\n\nP1 incidents are acknowledged within 10 minutes.', {
      title: 'P1 Playbook',
      tags: ['ops', 'p1'],
      metadata: { owner: 'Ann', level: 1, active: true, note: null },
      externalId: 'playbook',
    }),
    textDocument('Die Kündigungsfrist beträgt drei Monate zum Quartalsende.', { title: 'Mietvertrag' }),
    textDocument('Le remboursement arrive sur la carte dans les cinq jours ouvrables.', { title: 'Remboursements' }),
    textDocument('返金は五営業日以内にカードへ戻ります。', { title: '返金' }),
    textDocument('| Part | Price |\n|---|---|\n| Bolt | 3 EUR |\n| Nut | 1 EUR |', { title: 'Prices' }),
    textDocument(long.join('\n\n'), { title: 'Manual' }),
  ])
  const turns = ['Where is the key?', 'In the drawer.', 'Which drawer?', 'The blue one.']
  await add(
    {},
    turns.map((text, turn) => textDocument(text, { title: `Turn ${turn}` })),
    { storeSource: true },
  )
  const given = [
    { statement: 'P1 incidents are acknowledged within 5 minutes.', topics: ['p1'], boost: 3 },
    { statement: 'The drawer is the red one.', topics: [], boost: 2, expiresAt: '2099-01-01T00:00:00.000Z' },
  ]
  await corrections.add(caller, memory.id, { corrections: given, signal: new AbortController().signal })
}

/** A file of an archive. */
export type ArchiveFile = { name: string; content: Buffer }

/** The entries of an archive, read by an independent tar implementation. */
export async function readFiles(archive: Buffer): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  const entries = extract()
  Readable.from([gunzipSync(archive)]).pipe(entries as never)
  for await (const entry of entries) files.push({ name: entry.header.name, content: await buffer(entry as never) })
  return files
}

/** An archive of these files, written by an independent tar implementation. */
export async function writeFiles(files: readonly ArchiveFile[]): Promise<Buffer> {
  const tar = pack()
  for (const { name, content } of files) tar.entry({ name, size: content.length }, content)
  tar.finalize()
  return gzipSync(await buffer(tar as never))
}
