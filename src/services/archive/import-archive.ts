import type { Transaction } from 'kysely'
import type { MemoryResource } from '../../api/memory.ts'
import type { Warning } from '../../api/values.ts'
import { closeIntents, openIntents } from '../../database/deletion/intents-table.ts'
import { insertLanguages } from '../../database/memories/archived-documents.ts'
import { requireMemory } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Embedders } from '../../models/embedders.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { Caller } from '../caller.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import { intentExpired } from '../ingest/storing/commit-documents.ts'
import { discardBeforeAnswer } from '../ingest/storing/discard-documents.ts'
import { getRemainingStorage, requireStorage } from '../ingest/storing/storage-quota.ts'
import { createMemoryRow, requireRoomForMemory, toMemoryResource } from '../memories/memories-service.ts'
import type { Head } from './archive-schemas.ts'
import { type CheckedArchive, checkArchive } from './check-archive.ts'
import type { ImportEmbedding } from './imported-rows.ts'
import { type WrittenArchive, writeArchive } from './write-archive.ts'

/** Who may make the new memory, and what it is called where the archive does not say so. */
type ImportFacts = {
  caller: Pick<Caller, 'organizationId' | 'planId'>
  /** `null`: that of the archive. */
  name: string | null
  projectId: string | null
}

/** What came of an import. */
export type ImportedArchive = { memory: MemoryResource; warnings: Warning[]; chunks: number; totalBytes: number }

/** An import under way. */
type ArchiveImport = ImportFacts & {
  path: string
  signal: AbortSignal
  /** Hears of the documents that are written, and of how many there are. */
  progress(documents: number, all: number): void
  /** The last of the transaction in which the memory shows. */
  finish(transaction: Transaction<Tables>, imported: ImportedArchive): Promise<void>
}

/**
 * Makes a memory of an archive: checks all of it before anything is written, writes it unseen, and
 * lets it show in one transaction. Rejects with `invalid_archive`, `memory_limit_reached`,
 * `storage_quota_exceeded`, `project_not_found`, `insufficient_storage`, and the signal's reason;
 * nothing is left then, and what a crash leaves is removed at the next start.
 */
export async function importArchive(deps: IngestDeps, given: ArchiveImport): Promise<ImportedArchive> {
  const archive = await checkArchive(given.path, given.signal)
  await requireRoom(deps, given, archive)
  const begunAt = deps.now()
  const memoryId = newId('mem', begunAt)
  // The memory itself stands for all that is written of it.
  const intent = { documentIds: [memoryId], owner: deps.owner }
  await openIntents(deps.db, { ...intent, memoryId, at: begunAt.toISOString() })
  failpoint('import:intended')
  try {
    const embedding = chooseImportEmbedding(deps, archive.head)
    const all = archive.manifest.counts.documents + archive.manifest.counts.corrections
    const written = await writeArchive(deps, {
      path: given.path,
      archive,
      place: { organizationId: given.caller.organizationId, memoryId, model: embedding.model },
      embedding,
      signal: given.signal,
      progress: (documents) => given.progress(documents, all),
    })
    given.signal.throwIfAborted()
    const shown = await deps.db.transaction().execute(async (transaction) => {
      const memory = await show(transaction, deps, { ...given, archive, memoryId, written, model: embedding.model })
      const warnings = [...embedding.warnings, ...warnOfIncomplete(archive)]
      const imported = { memory, warnings, chunks: written.chunks, totalBytes: archive.totalBytes }
      await given.finish(transaction, imported)
      given.signal.throwIfAborted()
      failpoint('import:about-to-show')
      return imported
    })
    failpoint('import:shown')
    return shown
  } catch (error) {
    await discardBeforeAnswer(deps, { memoryId, documentIds: intent.documentIds, error })
    throw error
  }
}

/** What was wrong with the memory where the archive was made is so with the new one. */
function warnOfIncomplete({ incomplete }: CheckedArchive): Warning[] {
  if (incomplete.size === 0) return []
  const documents = pluralize(incomplete.size, 'document')
  const message =
    `Something of ${documents} was missing or wrong where the archive was made already, and is so here; ` +
    'verify the new memory to see what.'
  return [{ code: 'documents_incomplete', message, param: 'file' }]
}

/** What can be known beforehand; another memory or document may come between all the same. */
async function requireRoom(deps: IngestDeps, { caller }: ImportFacts, archive: CheckedArchive): Promise<void> {
  await requireRoomForMemory(deps.db, caller)
  const { organizationId, planId } = caller
  const remaining = await getRemainingStorage(deps.db, organizationId, planId)
  if (remaining !== null && archive.storageBytes > remaining) {
    const held = `${archive.storageBytes} bytes of texts and originals`
    const message = `The archive holds ${held}; the plan has room for ${remaining}.`
    throw new ApiError('storage_quota_exceeded', { message })
  }
  await deps.blobs.requireRoom(archive.storageBytes)
}

type Showing = ImportFacts & {
  archive: CheckedArchive
  memoryId: string
  written: WrittenArchive
  model: string | null
}

/** The moment at which the memory is there: its row, with all that it counts. */
async function show(transaction: Transaction<Tables>, deps: IngestDeps, showing: Showing): Promise<MemoryResource> {
  const { caller, archive, memoryId, written, model } = showing
  const { name, description } = archive.head.memory
  const input = {
    id: memoryId,
    name: showing.name ?? name,
    description,
    projectId: showing.projectId,
    projectName: null,
  }
  await createMemoryRow(transaction, caller, { input, now: deps.now() })
  await transaction
    .updateTable('memories')
    .set({
      embedding_model: model,
      document_count: written.documents,
      correction_count: written.corrections,
      chunk_count: written.chunks,
      storage_bytes: written.storageBytes,
    })
    .where('id', '=', memoryId)
    .execute()
  await insertLanguages(transaction, memoryId, written.languages)
  await requireStorage(transaction, caller, written.storageBytes)
  if (!(await closeIntents(transaction, { documentIds: [memoryId], owner: deps.owner }))) throw intentExpired()
  return toMemoryResource(await requireMemory(transaction, { ...caller, memoryId: null }, memoryId))
}

/**
 * The vectors of the archive where its embedding model is configured here; otherwise the chunks are
 * embedded again by the default one, with a warning, since vectors of two models do not compare.
 */
function chooseImportEmbedding(
  { embedders, analyzer }: Pick<IngestDeps, 'embedders' | 'analyzer'>,
  { embedder: archived }: Head,
): ImportEmbedding {
  if (archived === null) return { model: null, indexing: null, warnings: [] }
  if (isConfigured(embedders, archived.model)) return { model: archived.model, indexing: null, warnings: [] }
  const { model } = embedders.default
  const missing = archived.model.slice(0, 100)
  const message =
    `The embedding model of the archive, ${missing}, is not available here; ` +
    `its chunks were embedded again by ${model}.`
  const warning = { code: 'embedding_model_unavailable', message, param: 'file' }
  return { model, indexing: { analyzer, embedder: embedders.default }, warnings: [warning] }
}

/** By its own name: how settings name an embedder says nothing of its vectors. */
function isConfigured(embedders: Embedders, model: string): boolean {
  return embedders.get(model)?.model === model
}
