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
import type { ArchiveHead } from './archive-schemas.ts'
import { type CheckedArchive, checkArchive } from './check-archive.ts'
import type { ImportEmbedding } from './imported-rows.ts'
import { type WrittenArchive, writeArchive } from './write-archive.ts'

/** Owner and name of the new memory. */
type ImportFacts = {
  caller: Pick<Caller, 'organizationId' | 'planId'>
  /** `null`: the name in the archive. */
  name: string | null
  projectId: string | null
}

/** Result of an import. */
export type ImportedArchive = { memory: MemoryResource; warnings: Warning[]; chunks: number; totalBytes: number }

type ImportRequest = ImportFacts & {
  path: string
  signal: AbortSignal
  /** Called with the number of written documents and their total. */
  progress(documents: number, all: number): void
  /** Last step of the transaction that publishes the memory. */
  finish(transaction: Transaction<Tables>, imported: ImportedArchive): Promise<void>
}

/**
 * Creates a memory from an archive: checks the whole archive, writes all data unpublished, and
 * publishes in one transaction. Rejects with `invalid_archive`, `memory_limit_reached`,
 * `storage_quota_exceeded`, `project_not_found`, `insufficient_storage`, and the signal's reason.
 * Data of a failed import is deleted; after a crash, the next start deletes the data.
 */
export async function importArchive(deps: IngestDeps, request: ImportRequest): Promise<ImportedArchive> {
  const archive = await checkArchive(request.path, request.signal)
  await requireCapacity(deps, request, archive)
  const begunAt = deps.now()
  const memoryId = newId('mem', begunAt)
  // The intent of the memory id covers all data written for the memory.
  const intent = { documentIds: [memoryId], owner: deps.owner }
  await openIntents(deps.db, { ...intent, memoryId, at: begunAt.toISOString() })
  failpoint('import:intended')
  try {
    const embedding = chooseImportEmbedding(deps, archive.head)
    const all = archive.manifest.counts.documents + archive.manifest.counts.corrections
    const written = await writeArchive(deps, {
      path: request.path,
      archive,
      place: { organizationId: request.caller.organizationId, memoryId, model: embedding.model },
      embedding,
      signal: request.signal,
      progress: (documents) => request.progress(documents, all),
    })
    request.signal.throwIfAborted()
    const shown = await deps.db.transaction().execute(async (transaction) => {
      const memory = await publishMemory(transaction, deps, {
        ...request,
        archive,
        memoryId,
        written,
        model: embedding.model,
      })
      const warnings = [...embedding.warnings, ...warnOfIncomplete(archive)]
      const imported = { memory, warnings, chunks: written.chunks, totalBytes: archive.totalBytes }
      await request.finish(transaction, imported)
      request.signal.throwIfAborted()
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

/** Damage at export time remains in the new memory. */
function warnOfIncomplete({ incomplete }: CheckedArchive): Warning[] {
  if (incomplete.size === 0) return []
  const documents = pluralize(incomplete.size, 'document')
  const message =
    `${documents} had missing or damaged data in the exported memory, and so in this one. ` +
    'Verify the new memory for details.'
  return [{ code: 'documents_incomplete', message, param: 'file' }]
}

/** Early check; concurrent requests may still exceed the limits later. */
async function requireCapacity(deps: IngestDeps, { caller }: ImportFacts, archive: CheckedArchive): Promise<void> {
  await requireRoomForMemory(deps.db, caller)
  const { organizationId, planId } = caller
  const remaining = await getRemainingStorage(deps.db, organizationId, planId)
  if (remaining !== null && archive.storageBytes > remaining) {
    const held = `${archive.storageBytes} bytes of texts and originals`
    const message = `The archive contains ${held}; the plan has ${remaining} bytes left.`
    throw new ApiError('storage_quota_exceeded', { message })
  }
  await deps.blobs.requireRoom(archive.storageBytes)
}

type MemoryToPublish = ImportFacts & {
  archive: CheckedArchive
  memoryId: string
  written: WrittenArchive
  model: string | null
}

/** Inserts the memory's row with all counters. */
async function publishMemory(
  transaction: Transaction<Tables>,
  deps: IngestDeps,
  showing: MemoryToPublish,
): Promise<MemoryResource> {
  const { caller, archive, memoryId, written, model } = showing
  const { name, description, chunking = null } = archive.head.memory
  const input = {
    id: memoryId,
    name: showing.name ?? name,
    description,
    projectId: showing.projectId,
    projectName: null,
    chunking,
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
  return toMemoryResource(await requireMemory(transaction, { ...caller, memoryIds: null }, memoryId))
}

/**
 * Keeps the archived vectors when the embedding model is configured here. Otherwise embeds the
 * chunks again with the default model and adds a warning, since vectors of two models are not
 * comparable.
 */
function chooseImportEmbedding(
  { embedders, analyzer }: Pick<IngestDeps, 'embedders' | 'analyzer'>,
  { embedder: archived }: ArchiveHead,
): ImportEmbedding {
  if (archived === null) return { model: null, indexing: null, warnings: [] }
  if (isConfigured(embedders, archived.model)) return { model: archived.model, indexing: null, warnings: [] }
  const { model } = embedders.default
  const missing = archived.model.slice(0, 100)
  const message =
    `The embedding model of the archive, ${missing}, is not configured; ` +
    `the chunks were embedded again with ${model}.`
  const warning = { code: 'embedding_model_unavailable', message, param: 'file' }
  return { model, indexing: { analyzer, embedder: embedders.default }, warnings: [warning] }
}

/** Compares the model's own name: the configured name says nothing about the vectors. */
function isConfigured(embedders: Embedders, model: string): boolean {
  return embedders.get(model)?.model === model
}
