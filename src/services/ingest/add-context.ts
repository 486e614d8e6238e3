import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { getDominantLanguage, requireMemory } from '../../database/memories/memories-table.ts'
import type { Memory } from '../../database/schema.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { newId } from '../../ids.ts'
import type { Caller } from '../caller.ts'
import { requireFile } from '../memory-files.ts'
import { type StoreResponse, storeNoResponse, type Work } from '../request-work.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import type { AcceptCommand } from './enqueue-ingestion.ts'
import type { IngestOptions } from './ingest.ts'
import type { IngestDeps } from './ingest-deps.ts'
import { type DocumentToAdd, ingestInline } from './ingest-inline.ts'
import type { IngestionPayload } from './job/ingestion-payload.ts'
import type { DocumentFacts } from './storing/document-row.ts'

/** Context of an add, shared by texts, files, URLs and images. `Result` is the final answer. */
export type AddContext<Result = AddedDocuments | AcceptedDocuments> = {
  caller: Caller
  memory: Memory
  options: IngestOptions
  model: string
  warnings: readonly Warning[]
  fallbackLanguage: string
  signal: AbortSignal
  storeResponse: StoreResponse<Result>
  /** `performance.now()` at the start. */
  startedMs: number
}

/**
 * Dependencies of the service. `deduplicating` serialises deduplicating adds per memory,
 * `unpacking` the unpacking of archives per organization.
 */
export type AddDeps = IngestDeps & { deduplicating: KeyedMutex; unpacking: KeyedMutex }

/**
 * Loads the memory and chooses the embedding model. Rejects with `memory_not_found`,
 * `embedding_model_pinned`.
 */
export async function createAddContext<Result>(
  { db, memoryFile, embedders }: Pick<IngestDeps, 'db' | 'memoryFile' | 'embedders'>,
  { memoryId, work, ...given }: Pick<AddContext, 'caller' | 'options'> & { memoryId: string; work: Work<Result> },
): Promise<AddContext<Result>> {
  const startedMs = performance.now()
  const { signal, storeResponse = storeNoResponse } = work
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
    storeResponse,
    startedMs,
  }
}

/** Adds documents within the request, see {@link ingestInline}. */
export function addDocuments(
  deps: AddDeps,
  add: AddContext,
  entries: readonly DocumentToAdd[],
): Promise<AddedDocuments> {
  const { memory, options, model: embeddingModel, ...rest } = add
  const { deduplicate } = options
  const now = { ...rest, memoryId: memory.id, embeddingModel, entries, deduplicate }
  const run = () => ingestInline(deps, { ...now, at: deps.now().toISOString() })
  // Serialises deduplicating adds per memory, so that two identical documents cannot both be
  // accepted.
  return deduplicate ? deps.deduplicating.run(memory.id, run) : run()
}

/** Facts of a document known from the request alone. */
export function sharedFacts({ caller, memory, options, model }: AddContext) {
  return {
    id: newId('doc'),
    organizationId: caller.organizationId,
    memoryId: memory.id,
    embeddingModel: model,
    hasGivenTitle: true,
    storeSource: options.storeSource,
    jobId: null,
    correction: null,
  }
}

/** Fields of {@link AcceptCommand} shared by all forms of an add. */
export function toAcceptCommand(
  { caller, memory, options, model: embeddingModel, warnings, fallbackLanguage, signal, storeResponse }: AddContext,
  documents: readonly DocumentFacts[],
  { reason, ...input }: { reason: AcceptedDocuments['reason'] } & Pick<IngestionPayload, 'file' | 'zip' | 'download'>,
): Omit<AcceptCommand, 'stage'> {
  const { deduplicate, storeSource } = options
  const documentIds = documents.map(({ id }) => id)
  const { planId, keyId } = caller
  const payload = { documentIds, planId, keyId, deduplicate, storeSource, fallbackLanguage, ...input }
  return { caller, memoryId: memory.id, embeddingModel, documents, reason, warnings, payload, signal, storeResponse }
}
