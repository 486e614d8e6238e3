import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { getDominantLanguage, requireMemory } from '../../database/memories/memories-table.ts'
import type { Memory } from '../../database/schema.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { newId } from '../../ids.ts'
import type { Caller } from '../caller.ts'
import { requireFile } from '../memory-files.ts'
import { type Keep, keepNothing, type Work } from '../request-work.ts'
import type { Accept } from './accept-job.ts'
import { addNow, type Entry } from './add-now.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import type { IngestOptions } from './ingest.ts'
import type { IngestDeps } from './ingest-deps.ts'
import type { IngestionPayload } from './job/ingestion-payload.ts'
import type { DocumentFacts } from './storing/document-row.ts'

/**
 * What all forms of an add have in common once the memory is found. `Result`: what its caller is
 * told in the end.
 */
export type Add<Result = AddedDocuments | AcceptedDocuments> = {
  caller: Caller
  memory: Memory
  options: IngestOptions
  model: string
  warnings: readonly Warning[]
  fallbackLanguage: string
  signal: AbortSignal
  keep: Keep<Result>
  /** `performance.now()` of the beginning. */
  startedMs: number
}

/** Of a service: what ingestion is built of, and the deduplicating adds by memory. */
export type AddDeps = IngestDeps & { deduplicating: KeyedMutex }

/**
 * Looks the memory up and settles its embedder. Rejects with `memory_not_found`,
 * `embedding_model_pinned`.
 */
export async function beginAdd<Result>(
  { db, memoryFile, embedders }: Pick<IngestDeps, 'db' | 'memoryFile' | 'embedders'>,
  { memoryId, work, ...given }: Pick<Add, 'caller' | 'options'> & { memoryId: string; work: Work<Result> },
): Promise<Add<Result>> {
  const startedMs = performance.now()
  const { signal, keep = keepNothing } = work
  const memory = await requireMemory(db, given.caller, memoryId)
  await requireFile({ db, memoryFile }, memory)
  const choice = { pinned: memory.embedding_model, requested: given.options.embeddingModel }
  const fallbackLanguage = (await getDominantLanguage(db, memoryId)) ?? DEFAULT_LANGUAGE
  return {
    ...given,
    memory,
    ...chooseEmbeddingModel(embedders, choice),
    fallbackLanguage,
    signal,
    keep,
    startedMs,
  }
}

/** Reads, indexes and publishes documents of an add within its request, see {@link addNow}. */
export function addEntries(deps: AddDeps, add: Add, entries: readonly Entry[]): Promise<AddedDocuments> {
  const { memory, options, model: embeddingModel, ...rest } = add
  const { deduplicate } = options
  const now = { ...rest, memoryId: memory.id, embeddingModel, entries, deduplicate }
  const run = () => addNow(deps, { ...now, at: deps.now().toISOString() })
  // Two equal documents added at once must not both be new, so deduplicating adds to a memory go
  // one by one.
  return deduplicate ? deps.deduplicating.run(memory.id, run) : run()
}

/** What is known of a document from the request alone; the rest is its own. */
export function commonFacts({ caller, memory, options, model }: Add) {
  return {
    id: newId('doc'),
    organizationId: caller.organizationId,
    memoryId: memory.id,
    embeddingModel: model,
    storeSource: options.storeSource,
    jobId: null,
    correction: null,
  }
}

/** The part of {@link Accept} that all forms of an add have in common. */
export function toAccept(
  { caller, memory, options, model: embeddingModel, warnings, fallbackLanguage, signal, keep }: Add,
  documents: readonly DocumentFacts[],
  { reason, file }: { reason: AcceptedDocuments['reason']; file: IngestionPayload['file'] },
): Omit<Accept, 'stage'> {
  const { deduplicate, storeSource } = options
  const documentIds = documents.map(({ id }) => id)
  const { planId, keyId } = caller
  const payload = { documentIds, planId, keyId, deduplicate, storeSource, fallbackLanguage, file }
  return { caller, memoryId: memory.id, embeddingModel, documents, reason, warnings, payload, signal, keep }
}
