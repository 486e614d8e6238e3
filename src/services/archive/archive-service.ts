import { pipeline as pipe, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as createPack, type Pack } from 'tar-stream'
import type { AcceptedDocuments } from '../../api/ingest.ts'
import type { ImportedMemory } from '../../api/memory.ts'
import { requireMemory } from '../../database/memories/memories-table.ts'
import { ApiError } from '../../errors.ts'
import { ARCHIVE_CONTENTS, ASYNC_FILE_BYTES } from '../../limits.ts'
import type { Log } from '../../observability/log.ts'
import { requireOrganizationScope } from '../account/account-checks.ts'
import { requireProject } from '../account/projects-service.ts'
import type { Caller } from '../caller.ts'
import type { UploadedFile } from '../ingest/ingest.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import { checkMemoryTexts } from '../memories/memories-service.ts'
import { storeNoResponse, type Work } from '../request-work.ts'
import type { ArchiveEntry } from './archive-format.ts'
import { exportEntries } from './export-entries.ts'
import { importArchive } from './import-archive.ts'
import { acceptImport } from './import-job.ts'

/** Exports and imports memories: small archives within the request, large archives as a job. */
export function createArchiveService(deps: IngestDeps): ArchiveService {
  return {
    async export(caller, memoryId) {
      const memory = await requireMemory(deps.db, caller, memoryId)
      if (memory.document_count + memory.correction_count > ARCHIVE_CONTENTS.documents)
        throw new ApiError('memory_too_large')
      const at = deps.now()
      const entries = exportEntries(deps, memory, at)
      return { content: packArchive(entries, at, deps.log), filename: `${toFileName(memory.name)}.tar.gz` }
    },

    async import(caller, file, { options, work }) {
      const { signal, storeResponse = storeNoResponse } = work
      requireOrganizationScope(caller)
      const { name, projectId } = options
      if (name !== null) checkMemoryTexts({ name, description: null })
      if (projectId !== null) await requireProject(deps.db, caller.organizationId, projectId)
      const reason = chooseReason(file.bytes, options)
      if (reason !== null) return acceptImport(deps, { caller, file, options, reason, signal, storeResponse })
      const { memory, warnings } = await importArchive(deps, {
        caller,
        name,
        projectId,
        path: file.path,
        signal,
        progress: () => undefined,
        finish: (transaction, imported) => storeResponse(transaction, toImported(imported)),
      })
      return toImported({ memory, warnings })
    },
  }
}

function toImported({
  memory,
  warnings,
}: Pick<ImportedMemory, 'warnings'> & { memory: Omit<ImportedMemory, 'warnings'> }) {
  return { ...memory, warnings }
}

/** Reason for importing as a job; `null` for an import within the request. */
function chooseReason(bytes: number, { async }: ImportOptions) {
  if (async) return 'async_requested'
  return bytes > ASYNC_FILE_BYTES ? 'file_over_sync_threshold' : null
}

/**
 * File name from the memory's name, valid on every file system: letters, digits and single spaces,
 * at most 80 characters.
 */
function toFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[^\p{L}\p{N}._-]+/gu, ' ')
    .replace(/^[ .]+/, '')
  return [...clean].slice(0, 80).join('').trim() || 'memory'
}

/**
 * Level 1 packs texts, vectors and windows of 1,024 chunks to 1.56 MB in 50 ms. The default, level
 * 6, packs them to 1.52 MB in 94 ms.
 */
const GZIP_LEVEL = 1

/**
 * Packs entries as a .tar.gz while the stream is read, with backpressure on `entries`. When the
 * reader leaves, `entries` ends. When `entries` fails, the stream is destroyed with the error,
 * which marks the download as incomplete.
 */
export function packArchive(entries: AsyncIterable<ArchiveEntry>, at: Date, log: Pick<Log, 'warn'>): Readable {
  const pack = createPack()
  const gzip = createGzip({ level: GZIP_LEVEL })
  pipe(pack as unknown as Readable, gzip, () => undefined)
  void fill(pack, entries, at).catch((err: unknown) => {
    if (!gzip.destroyed) log.warn({ err }, 'export failed')
    pack.destroy(err as Error)
  })
  return gzip
}

async function fill(pack: Pack, entries: AsyncIterable<ArchiveEntry>, at: Date): Promise<void> {
  for await (const { name, bytes, content } of entries) {
    const header = { name, size: bytes, mode: 0o600, mtime: at, type: 'file' as const }
    await pipeline(Readable.from(content), pack.entry(header) as unknown as Writable)
  }
  pack.finalize()
}

/** Options of an import; `name: null` takes the name in the archive. */
export type ImportOptions = { name: string | null; projectId: string | null; async: boolean }

/** Exports and imports memories as archives. */
export type ArchiveService = {
  /** Exports the memory as a .tar.gz stream. Later errors destroy the stream. */
  export(caller: Caller, memoryId: string): Promise<{ content: Readable; filename: string }>
  /**
   * Creates a memory from an archive, within the request or as a job. Rejects with
   * `invalid_archive` and as creating a memory and adding documents do.
   */
  import(
    caller: Caller,
    file: UploadedFile,
    request: { options: ImportOptions; work: Work<ImportedMemory | AcceptedDocuments> },
  ): Promise<ImportedMemory | AcceptedDocuments>
}
