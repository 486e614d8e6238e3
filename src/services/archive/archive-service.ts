import type { ImportedMemory } from '../../api/memory.ts'
import { requireMemory } from '../../database/memories/memories.ts'
import { ApiError } from '../../errors.ts'
import { ARCHIVE_CONTENTS, ASYNC_FILE_BYTES } from '../../limits.ts'
import { requireProject } from '../account/projects-service.ts'
import { requireOrganizationScope } from '../account/require-organization-scope.ts'
import type { IngestParts } from '../ingest/ingest-parts.ts'
import { keepNothing } from '../keep.ts'
import { checkMemoryTexts } from '../memories/memories-service.ts'
import type { ArchiveService, ImportOptions } from './archives.ts'
import { exportEntries } from './export/export-entries.ts'
import { packArchive } from './export/pack-archive.ts'
import { acceptImport } from './import/accept-import.ts'
import { importArchive } from './import/import-archive.ts'

/** Exports memories, and imports them: small archives within the request, large ones by a job. */
export function createArchiveService(parts: IngestParts): ArchiveService {
  return {
    async export(caller, memoryId) {
      const memory = await requireMemory(parts.db, caller, memoryId)
      if (memory.document_count + memory.correction_count > ARCHIVE_CONTENTS.documents)
        throw new ApiError('memory_too_large')
      const at = parts.now()
      const entries = exportEntries(parts, memory, at)
      return { content: packArchive(entries, at, parts.log), filename: `${toFileName(memory.name)}.tar.gz` }
    },

    async import(caller, file, options, { signal, keep = keepNothing }) {
      requireOrganizationScope(caller)
      const { name, projectId } = options
      if (name !== null) checkMemoryTexts({ name, description: null })
      if (projectId !== null) await requireProject(parts.db, caller.organizationId, projectId)
      const reason = chooseReason(file.bytes, options)
      if (reason !== null) return acceptImport(parts, { caller, file, options, reason, signal, keep })
      const { memory, warnings } = await importArchive(parts, {
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

/** Of a memory's name what every file system takes: letters, digits and single spaces, at most 80 characters. */
function toFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[^\p{L}\p{N}._-]+/gu, ' ')
    .replace(/^[ .]+/, '')
  return [...clean].slice(0, 80).join('').trim() || 'memory'
}
