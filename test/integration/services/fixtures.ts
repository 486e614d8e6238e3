import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { Kysely } from 'kysely'
import { insertOrganization } from '../../../src/database/account/organizations-table.ts'
import {
  insertDocuments,
  type PublishedDocument,
  updateDocumentCounters,
} from '../../../src/database/memories/document-writes.ts'
import { pinEmbeddingModel } from '../../../src/database/memories/memories-table.ts'
import type { NewDocument, Tables } from '../../../src/database/schema.ts'
import { ApiError, type ErrorCode } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import type { PlanId } from '../../../src/limits.ts'
import type { Blobs } from '../../../src/objects/blobs.ts'
import { bootstrap, createFirstKey } from '../../../src/services/account/organizations-service.ts'
import type { Caller } from '../../../src/services/caller.ts'
import { temporaryStore } from '../database/temporary-store.ts'

export const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** A predicate for `assert.rejects`: an error with this code. */
export function refusedAs(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ApiError && error.code === code
}

/** A database with one organization, a caller, and a manual clock. */
export async function openFixture(t: Pick<TestContext, 'after'>, plan: PlanId = 'unlimited') {
  const store = await temporaryStore(t)
  const { db } = store
  let at = Date.parse('2026-11-21T08:00:00.000Z')
  const now = () => new Date(at)
  const pass = (ms: number) => {
    at += ms
  }
  const caller = await bootstrap({ db, now, plan, bootstrapKey: null })
  const key = await createFirstKey({ db, now }, caller.organizationId)
  return { db, store, now, pass, caller, key: key ?? '' }
}

/** The caller of a second organization in the same database. */
export async function addStranger(db: Kysely<Tables>): Promise<Caller> {
  const organizationId = newId('org')
  await insertOrganization(db, { id: organizationId, name: 'Other', plan: 'unlimited', created_at: '' })
  return {
    organizationId,
    keyId: null,
    keyName: null,
    scope: 'organization',
    memoryIds: null,
    role: 'admin',
    planId: 'unlimited',
  }
}

/** The same organization's caller with a key for one memory. */
export function scopedTo(caller: Caller, memoryId: string): Caller {
  return { ...caller, scope: 'memory', role: 'writer', memoryIds: [memoryId] }
}

/** Changed columns and dependent rows. */
export type DocumentFacts = Partial<NewDocument> & { tagNames?: readonly string[]; inlineText?: string | Uint8Array }

/**
 * Publishes a document of 100 stored bytes in 2 English chunks, as an ingest does; returns the id.
 */
export async function addDocument(
  db: Kysely<Tables>,
  caller: Caller,
  memoryId: string,
  { tagNames = [], inlineText, ...facts }: DocumentFacts = {},
): Promise<string> {
  const id = newId('doc')
  const at = '2026-11-21T08:00:00.000Z'
  const row: NewDocument = {
    id,
    organization_id: caller.organizationId,
    memory_id: memoryId,
    title: 'a document',
    mime_type: 'text/plain',
    source_type: 'text',
    tags: JSON.stringify(tagNames),
    metadata: '{}',
    status: 'ready',
    size_bytes: 90,
    storage_bytes: 100,
    ocr_pages: 0,
    chunk_count: 2,
    character_count: 90,
    language: 'en',
    has_source: 0,
    pages: '[]',
    created_at: at,
    updated_at: at,
    ...facts,
  }
  const signature = { value: 'c2lnbmF0dXJl', bands: ['000000000001', '000000000002'] }
  const document: PublishedDocument = { row, tags: tagNames, inlineText: inlineText ?? null, signature }
  await db.transaction().execute(async (transaction) => {
    await insertDocuments(transaction, [document])
    if (row.status !== 'ready' && row.status !== 'partial') return
    const change = { memoryId, documents: [row], times: 1 as const }
    await pinEmbeddingModel(transaction, memoryId, 'static-multi')
    await updateDocumentCounters(transaction, change, at)
  })
  return id
}

/**
 * An object store and memory files with a record of all calls; both fail while `broken` is true.
 */
export function rememberingStores() {
  const objects = new Map<string, Buffer>()
  const asked: string[] = []
  const state = { broken: false }
  const ask = (what: string) => {
    if (state.broken) throw new ApiError('service_unavailable')
    asked.push(what)
  }
  const blobs: Pick<Blobs, 'get' | 'size' | 'purge' | 'releaseBallast'> = {
    async get(key, range) {
      const whole = objects.get(key)
      if (whole === undefined) return null
      return Readable.from([range === undefined ? whole : whole.subarray(range.start, range.end + 1)])
    },
    size: async (key) => objects.get(key)?.length ?? null,
    releaseBallast: async () => {},
    async purge(...prefixes) {
      for (const prefix of prefixes) {
        ask(`objects ${prefix}`)
        for (const key of [...objects.keys()]) if (key.startsWith(prefix)) objects.delete(key)
      }
    },
  }
  const memoryFile = {
    deleteDocuments: async (memoryId: string, documentIds: readonly string[]) =>
      ask(`chunks ${memoryId} ${documentIds}`),
    drop: async (memoryId: string) => ask(`file ${memoryId}`),
    byName: { drop: async (name: string) => ask(`file ${name}`) },
  }
  return { objects, asked, state, blobs, memoryFile }
}
