import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { SentSource, SourceResource } from '../../api/source.ts'
import { countSourceDocuments, forgetFingerprints, listSourceItems } from '../../database/jobs/source-items-table.ts'
import {
  changeSource,
  countSources,
  deleteSource,
  getSource,
  insertSource,
  listSources,
  type SourceChange,
} from '../../database/jobs/sources-table.ts'
import { lockMemory, requireMemory } from '../../database/memories/memories-table.ts'
import type { Source, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { SOURCES } from '../../limits.ts'
import type { Caller } from '../caller.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import { deleteMany } from '../documents/delete-documents.ts'
import type { DocumentFilters } from '../filters/document-filters.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'
import { type NewSource, newSource, readChange, type SourceRowDeps, toSourceResource } from './source-rows.ts'
import { mergeSettings, readSettings, type SourceSettings } from './source-settings.ts'

/** Dependencies of the sources service. */
type SourcesDeps = SourceRowDeps & {
  db: Kysely<Tables>
  removals: DeletionOutbox
  changes: JobChanges
  filters: DocumentFilters
}

/** A source in a request. */
type SourceKey = { memoryId: string; sourceId: string }

/**
 * Manages the sources of memories. All functions reject with `memory_not_found`, and with
 * `source_not_found` for an unknown id.
 */
export type SourcesService = {
  /**
   * Rejects also with `validation_failed`, `source_limit_reached`, `source_not_allowed` and
   * `url_not_allowed`.
   */
  create(
    caller: Caller,
    memoryId: string,
    request: { sent: NewSource; storeResponse?: StoreResponse<SourceResource> },
  ): Promise<SourceResource>
  list(caller: Caller, memoryId: string, page: PageRequest): Promise<Page<'sources', SourceResource>>
  get(caller: Caller, key: SourceKey): Promise<SourceResource>
  /** Changes the given fields. Rejects as `create` does. */
  change(caller: Caller, key: SourceKey, sent: SentSource): Promise<SourceResource>
  /**
   * Ends a run in progress and deletes the source. If the run does not end in time, rejects with
   * `source_running` and leaves the source paused.
   */
  delete(caller: Caller, key: SourceKey, how: { withDocuments: boolean; signal: AbortSignal }): Promise<void>
  /** Makes a run due now, unless one is in progress. Rejects with `source_paused`. */
  runNow(caller: Caller, key: SourceKey): Promise<SourceResource>
  pause(caller: Caller, key: SourceKey): Promise<SourceResource>
  resume(caller: Caller, key: SourceKey): Promise<SourceResource>
}

/** Creates the service. The runs are those of `source-runner.ts`. */
export function createSourcesService(deps: SourcesDeps): SourcesService {
  const { db, now } = deps

  async function require(caller: Caller, { memoryId, sourceId }: SourceKey): Promise<Source> {
    await requireMemory(db, caller, memoryId)
    const source = isId('src', sourceId) ? await getSource(db, { memoryId, sourceId }) : null
    if (source === null) throw new ApiError('source_not_found')
    return source
  }

  async function change(caller: Caller, key: SourceKey, changed: SourceChange): Promise<SourceResource> {
    const { id } = await require(caller, key)
    await changeSource(db, id, changed)
    return get(caller, key)
  }

  async function get(caller: Caller, key: SourceKey): Promise<SourceResource> {
    const source = await require(caller, key)
    const documents = (await countSourceDocuments(db, [source.id])).get(source.id) ?? 0
    return toSourceResource(source, { documents, now: now() })
  }

  return {
    create: (caller, memoryId, request) => createSource(deps, caller, { memoryId, ...request }),

    list: (caller, memoryId, page) => listPage(deps, caller, { memoryId, page }),

    get,

    async change(caller, key, sent) {
      const source = await require(caller, key)
      await changeSource(db, source.id, await readChange(deps, source, sent))
      if (readsAgain(readSettings(source), sent)) await forgetFingerprints(db, source.id)
      return get(caller, key)
    },

    async delete(caller, key, { withDocuments, signal }) {
      const { id } = await require(caller, key)
      await endRun(deps, { ...key, sourceId: id, signal })
      if (withDocuments) await deleteDocuments(deps, caller, { ...key, signal })
      await db.transaction().execute((transaction) => deleteSource(transaction, id))
    },

    async runNow(caller, key) {
      const { paused, lease_token: token } = await require(caller, key)
      if (paused === 1) throw new ApiError('source_paused')
      if (token !== null) return get(caller, key)
      return change(caller, key, { next_run_at: now().toISOString() })
    },

    pause: (caller, key) => change(caller, key, { paused: 1 }),

    async resume(caller, key) {
      const { interval_minutes: minutes, next_run_at: next } = await require(caller, key)
      const due = next ?? (minutes === null ? null : now().toISOString())
      return change(caller, key, { paused: 0, next_run_at: due })
    },
  }
}

async function listPage(
  { db, now }: SourcesDeps,
  caller: Caller,
  { memoryId, page }: { memoryId: string; page: PageRequest },
): Promise<Page<'sources', SourceResource>> {
  await requireMemory(db, caller, memoryId)
  let documents: ReadonlyMap<string, number> = new Map()
  return readPage(page, {
    name: 'sources',
    list: `sources ${memoryId}`,
    pattern: /^src_\w{26}$/,
    positionOf: ({ id }: Source) => id,
    read: async (after, limit) => {
      const sources = await listSources(db, { memoryId, after, limit })
      const ids = sources.map(({ id }) => id)
      documents = await countSourceDocuments(db, ids)
      return sources
    },
    count: () => countSources(db, memoryId),
    toResource: (source) => toSourceResource(source, { documents: documents.get(source.id) ?? 0, now: now() }),
  })
}

type Creation = { memoryId: string; sent: NewSource; storeResponse?: StoreResponse<SourceResource> }

async function createSource(
  deps: SourcesDeps,
  caller: Caller,
  { memoryId, sent, storeResponse = storeNoResponse }: Creation,
): Promise<SourceResource> {
  const memory = await requireMemory(deps.db, caller, memoryId)
  const chosen = await mergeSettings(deps, { type: sent.type, settings: null }, sent)
  const source = newSource(deps, chosen, { memory, sent })
  const created = toSourceResource(source, { documents: 0, now: deps.now() })
  await deps.db.transaction().execute(async (transaction) => {
    await requireRoom(transaction, memory.id)
    await insertSource(transaction, source)
    await storeResponse(transaction, created)
  })
  return created
}

/** Locks the memory, so that concurrent requests cannot exceed the limit. */
async function requireRoom(transaction: Transaction<Tables>, memoryId: string): Promise<void> {
  if ((await lockMemory(transaction, memoryId)) === null) throw new ApiError('memory_not_found')
  const limit = SOURCES.perMemory
  if ((await countSources(transaction, memoryId)) < limit) return
  throw new ApiError('source_limit_reached', { message: `A memory has at most ${limit} sources.`, extra: { limit } })
}

/** True if the text of unchanged pages changes. */
function readsAgain(before: SourceSettings, { website }: SentSource): boolean {
  if (before.type !== 'website' || website?.mainContent === undefined) return false
  return website.mainContent !== before.settings.mainContent
}

/** A run notices the pause within seconds; the lease of a dead process expires after 30 s. */
const MAX_WAIT_MS = 45_000
const WAIT_STEP_MS = 200

/** Pauses a source and waits until nothing writes its documents. */
async function endRun(
  { db, now }: SourcesDeps,
  { memoryId, sourceId, signal }: SourceKey & { signal: AbortSignal },
): Promise<void> {
  await changeSource(db, sourceId, { paused: 1 })
  for (const start = performance.now(); performance.now() - start < MAX_WAIT_MS; ) {
    const source = await getSource(db, { memoryId, sourceId })
    if (source === null || source.lease_token === null || (source.lease_expires_at ?? '') <= now().toISOString()) return
    signal.throwIfAborted()
    await pause(WAIT_STEP_MS)
  }
  throw new ApiError('source_running')
}

const ITEMS_PER_STEP = 500

async function deleteDocuments(
  deps: SourcesDeps,
  caller: Caller,
  { memoryId, sourceId, signal }: SourceKey & { signal: AbortSignal },
): Promise<void> {
  for (let after = ''; ; ) {
    const items = await listSourceItems(deps.db, { sourceId, after, limit: ITEMS_PER_STEP })
    const ids = items.flatMap(({ document_id: id }) => id ?? [])
    await deleteMany(deps, caller, { memoryId, ids, filter: null, dryRun: false, signal })
    const last = items.at(-1)
    if (last === undefined || items.length < ITEMS_PER_STEP) return
    after = last.key
  }
}
