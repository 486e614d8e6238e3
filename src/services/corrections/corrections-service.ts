import type { Kysely, Transaction } from 'kysely'
import type { CorrectionResource } from '../../api/correction.ts'
import { DOCUMENT_DEFAULTS } from '../../api/ingest.ts'
import { listExpiredCorrections } from '../../database/memories/corrections-table.ts'
import {
  countListedDocuments,
  deleteDocumentRows,
  type ListedDocument,
  listDocuments,
} from '../../database/memories/documents-table.ts'
import { lockMemory } from '../../database/memories/memories-table.ts'
import type { Tables } from '../../database/schema.ts'
import { invalid } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { CORRECTION_FIELDS } from '../../limits.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText } from '../../text/characters.ts'
import type { Caller } from '../caller.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import { chooseEmbeddingModel } from '../ingest/embedding-model.ts'
import { headingOf } from '../ingest/indexing/indexed-facts.ts'
import type { IngestDeps } from '../ingest/ingest-deps.ts'
import { type DocumentToAdd, ingestInline } from '../ingest/ingest-inline.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { textEvents } from '../reading/read-event.ts'
import { storeNoResponse, type Work } from '../request-work.ts'
import { hasExpired } from '../search/find-corrections.ts'
import { openMemory } from '../search/search-service.ts'
import {
  authorOf,
  pickCorrectionFields,
  serializeAuthor,
  titleOfStatement,
  toCorrectionResource,
} from './correction-resource.ts'
import { addOutrankedTitles, listOutranked, type OutrankingDeps } from './outranked-passages.ts'
import type { OutrankingRecorder } from './outranking-recorder.ts'

/**
 * Dependencies of the corrections service. Without `search`, outranked passages are unknown;
 * without `outranking`, the stored passages may be a second old.
 */
type CorrectionsDeps = IngestDeps & Pick<OutrankingDeps, 'search'> & { outranking?: Pick<OutrankingRecorder, 'flush'> }

/**
 * A correction is a document with `sourceType: "correction"`, usually a single chunk, with its own
 * kind in the memory file. Topics are indexed with the statement and count as tags.
 */
export function createCorrectionsService(deps: CorrectionsDeps): CorrectionsService {
  return {
    add: (caller, memoryId, request) => addCorrections(deps, { caller, memoryId, ...request }),
    list: (caller, memoryId, request) => listCorrections(deps, { caller, memoryId, ...request }),
  }
}

async function addCorrections(
  deps: CorrectionsDeps,
  {
    caller,
    memoryId,
    corrections,
    signal,
    isOne = false,
    storeResponse = storeNoResponse,
  }: CallerMemory & AddCorrectionsRequest,
): Promise<CorrectionResource[]> {
  const searched = await openMemory(deps.db, caller, memoryId)
  const cleaned = validateCorrections(corrections, { isOne, now: deps.now() })
  const choice = { pinned: searched.memory.embedding_model, requested: null }
  const { model: embeddingModel } = chooseEmbeddingModel(deps.embedders, choice)
  const entries = cleaned.map((correction) => toEntry({ caller, memoryId, embeddingModel }, correction))
  const at = deps.now().toISOString()
  const createdBy = authorOf(caller)
  const added: CorrectionResource[] = []
  // Sequentially, and before the corrections themselves become searchable.
  for (const [index, correction] of cleaned.entries()) {
    signal.throwIfAborted()
    const isLookedFor = index < CORRECTION_FIELDS.outrankingPerRequest
    const about = { searched, statement: correction.statement }
    const outranks = isLookedFor ? await listOutranked(deps, about) : null
    const id = entries[index]?.facts.id ?? ''
    const facts = {
      id,
      memoryId,
      ...correction,
      createdBy,
      isExpired: false,
      outranks,
      lastOutranked: null,
      createdAt: at,
    }
    added.push(pickCorrectionFields(facts))
  }
  await ingestInline(deps, {
    caller,
    memoryId,
    embeddingModel,
    entries,
    deduplicate: false,
    fallbackLanguage: searched.languages[0],
    warnings: [],
    at,
    signal,
    storeResponse: (transaction) => storeResponse(transaction, added),
  })
  failpoint('correction:committed')
  return added
}

async function listCorrections(
  deps: CorrectionsDeps,
  { caller, memoryId, outranks: withOutranked, ...page }: CallerMemory & ListCorrectionsRequest,
): Promise<Page<'corrections', CorrectionResource>> {
  const searched = await openMemory(deps.db, caller, memoryId)
  await deps.outranking?.flush()
  const listing = { memoryId, status: null, tag: null, sourceType: 'correction' as const }
  const now = deps.now()
  const listed = await readPage(page, {
    name: 'corrections',
    list: `corrections ${memoryId}`,
    pattern: /^\d{1,15}$/,
    positionOf: ({ seq }) => `${seq}`,
    read: (after, limit) => listDocuments(deps.db, { ...listing, after: toPosition(after), limit }),
    count: () => countListedDocuments(deps.db, listing),
    toResource: (document: ListedDocument) => toCorrectionResource(caller, document, now),
  })
  const named = await addOutrankedTitles(deps.db, memoryId, listed.corrections)
  if (!withOutranked) return { ...listed, corrections: named }
  const corrections: CorrectionResource[] = []
  for (const correction of named) {
    const { statement, isExpired } = correction
    const outranks = isExpired ? [] : await listOutranked(deps, { searched, statement })
    corrections.push({ ...correction, outranks })
  }
  return { ...listed, corrections }
}

function toPosition(after: string | null): { seq: number; id: string } | null {
  return after === null ? null : { seq: Number(after), id: '' }
}

type CallerMemory = { caller: Caller; memoryId: string }

function toEntry(
  { caller, memoryId, embeddingModel }: CallerMemory & { embeddingModel: string },
  correction: ValidCorrection,
): DocumentToAdd {
  const { statement, topics } = correction
  const title = titleOfStatement(statement)
  return {
    kind: 'correction',
    title,
    heading: headingOf({ title, topics }),
    events: () => textEvents(statement),
    isInMemory: true,
    original: () => null,
    facts: {
      id: newId('doc'),
      organizationId: caller.organizationId,
      memoryId,
      ...DOCUMENT_DEFAULTS,
      title,
      hasGivenTitle: true,
      filename: null,
      mimeType: 'text/plain',
      sourceType: 'correction',
      url: null,
      tags: topics,
      sizeBytes: Buffer.byteLength(statement),
      embeddingModel,
      storeSource: false,
      jobId: null,
      correction: { ...correction, createdBy: serializeAuthor(caller) },
    },
  }
}

type ValidCorrection = Required<CorrectionInput>

function validateCorrections(
  corrections: readonly CorrectionInput[],
  { isOne, now }: { isOne: boolean; now: Date },
): ValidCorrection[] {
  return corrections.map((one, index) =>
    validateCorrection(one, { prefix: isOne ? '' : `corrections[${index}].`, now }),
  )
}

/** The correction as stored; throws `validation_failed` with the prefixed field. */
export function validateCorrection(
  { statement, topics, boost, expiresAt = null }: CorrectionInput,
  { prefix, now }: { prefix: string; now: Date },
): ValidCorrection {
  const text = replaceUnstorable(statement).trim()
  if (!hasVisibleText(text)) throw invalid(`${prefix}statement`, 'must contain text')
  const until = expiresAt === null ? null : new Date(expiresAt).toISOString()
  if (hasExpired(until, now)) throw invalid(`${prefix}expiresAt`, 'must be in the future')
  return { statement: text, topics: [...new Set(topics.map(replaceUnstorable))], boost, expiresAt: until }
}

/** Corrections of a memory, ranked before its documents. */
export type CorrectionsService = {
  /**
   * Adds all corrections or none. Rejects with `validation_failed`, naming the field as
   * `corrections[0].expiresAt`, or as `expiresAt` if `isOne`.
   */
  add(caller: Caller, memoryId: string, request: AddCorrectionsRequest): Promise<CorrectionResource[]>
  /**
   * Lists corrections, newest first, including expired ones until the sweep; `outranks` is computed
   * on request.
   */
  list(
    caller: Caller,
    memoryId: string,
    request: ListCorrectionsRequest,
  ): Promise<Page<'corrections', CorrectionResource>>
}

/**
 * `isOne`: the request body is the correction itself, so errors name its fields without an index.
 */
type AddCorrectionsRequest = Work<CorrectionResource[]> & { corrections: readonly CorrectionInput[]; isOne?: boolean }

type ListCorrectionsRequest = PageRequest & { outranks: boolean }

/** A correction in a request. */
export type CorrectionInput = {
  statement: string
  topics: string[]
  boost: number
  /** Absent or `null`: never expires. */
  expiresAt?: string | null
}

/**
 * Retention of expired corrections in lists, so that users can see why they no longer apply. Our
 * choice.
 */
const RETENTION_MS = 7 * 24 * 3600 * 1000
/** Batch size of the sweep. */
const SWEEP_BATCH = 100

/** Deletes corrections a week after they expired. Searches ignore them from their expiry. */
export async function sweepCorrections({
  db,
  removals,
  now,
}: {
  db: Kysely<Tables>
  removals: Pick<DeletionOutbox, 'process'>
  now: () => Date
}): Promise<void> {
  const before = new Date(now().getTime() - RETENTION_MS).toISOString()
  for (;;) {
    const expired = await listExpiredCorrections(db, { before, limit: SWEEP_BATCH })
    const removed: string[] = []
    for (const { id, memory_id: memoryId } of expired) {
      const removalId = await db
        .transaction()
        .execute((transaction) => deleteCorrection(transaction, { id, memoryId }, now()))
      if (removalId !== null) removed.push(removalId)
    }
    await removals.process(removed)
    if (expired.length < SWEEP_BATCH) return
  }
}

/** `null` if already deleted. */
async function deleteCorrection(
  transaction: Transaction<Tables>,
  { id, memoryId }: { id: string; memoryId: string },
  now: Date,
): Promise<string | null> {
  await lockMemory(transaction, memoryId)
  const document = await transaction.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  const [removalId = null] = await deleteDocumentRows(transaction, document === undefined ? [] : [document], now)
  return removalId
}
