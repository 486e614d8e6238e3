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
import { keepNothing, type Work } from '../request-work.ts'
import type { ArchiveEntry } from './archive-format.ts'
import { exportEntries } from './export-entries.ts'
import { importArchive } from './import-archive.ts'
import { acceptImport } from './import-job.ts'

/** Exports memories, and imports them: small archives within the request, large ones by a job. */
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
      const { signal, keep = keepNothing } = work
      requireOrganizationScope(caller)
      const { name, projectId } = options
      if (name !== null) checkMemoryTexts({ name, description: null })
      if (projectId !== null) await requireProject(deps.db, caller.organizationId, projectId)
      const reason = chooseReason(file.bytes, options)
      if (reason !== null) return acceptImport(deps, { caller, file, options, reason, signal, keep })
      const { memory, warnings } = await importArchive(deps, {
        caller,
        name,
        projectId,
        path: file.path,
        signal,
        progress: () => undefined,
        finish: (transaction, imported) => keep(transaction, toImported(imported)),
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

/** Why a job takes the archive over; `null`: it does not. */
function chooseReason(bytes: number, { async }: ImportOptions) {
  if (async) return 'async_requested'
  return bytes > ASYNC_FILE_BYTES ? 'file_over_sync_threshold' : null
}

/**
 * Of a memory's name what every file system takes: letters, digits and single spaces, at most 80
 * characters.
 */
function toFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[^\p{L}\p{N}._-]+/gu, ' ')
    .replace(/^[ .]+/, '')
  return [...clean].slice(0, 80).join('').trim() || 'memory'
}

/**
 * Level 1 packs texts, vectors and windows of 1,024 chunks to 1.56 MB in 50 ms, level 6, the usual
 * one, to 1.52 MB in 94 ms.
 */
const GZIP_LEVEL = 1

/**
 * The entries as a .tar.gz, made while it is read: nothing is asked of `entries` before there is
 * room for it. When the reader goes, `entries` is ended; when `entries` fails, the stream breaks
 * off with its error, so that what was read is no whole archive.
 */
export function packArchive(entries: AsyncIterable<ArchiveEntry>, at: Date, log: Pick<Log, 'warn'>): Readable {
  const pack = createPack()
  const gzip = createGzip({ level: GZIP_LEVEL })
  pipe(pack as unknown as Readable, gzip, () => undefined)
  void fill(pack, entries, at).catch((err: unknown) => {
    if (!gzip.destroyed) log.warn({ err }, 'an export was broken off')
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

/** What an import is told beside its archive; `name` `null`: that of the archive. */
export type ImportOptions = { name: string | null; projectId: string | null; async: boolean }

/** Memories as archives: out of one installation, into another. */
export type ArchiveService = {
  /**
   * The memory as a .tar.gz that is made while it is read; what goes wrong by then breaks it off.
   */
  export(caller: Caller, memoryId: string): Promise<{ content: Readable; filename: string }>
  /**
   * A new memory, at once or by a job; rejects with `invalid_archive` and as adding a memory and
   * documents does.
   */
  import(
    caller: Caller,
    file: UploadedFile,
    request: { options: ImportOptions; work: Work<ImportedMemory | AcceptedDocuments> },
  ): Promise<ImportedMemory | AcceptedDocuments>
}
