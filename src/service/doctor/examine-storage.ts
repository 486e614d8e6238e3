/**
 * Compares what the database says with what object store and memory files hold. Services may run meanwhile: whatever is written is named
 * before it is there, and removed before it is named no longer. So what no row names is looked for data first, rows after; and what a row
 * names and is not there counts only if the row is still the same afterwards.
 */
import type { Kysely } from 'kysely'
import type { Blobs } from '../../blobs/blobs.ts'
import { isId } from '../../ids.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import { LIVE } from '../../store/documents.ts'
import {
  type Counters,
  compareCounters,
  type DocumentStock,
  listForgottenDocuments,
  listForgottenMemories,
  listMemoryIds,
  listStock,
} from '../../store/inventory.ts'
import type { Tables } from '../../store/schema.ts'
import type { Damage } from './damage.ts'

/** What is compared. */
export type ExaminedParts = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'list'>
  memoryFile: Pick<MemoryFile, 'count'> & { list(): Promise<string[]> }
}

const DOCUMENT_OBJECT = /^memories\/([^/]+)\/documents\/([^/]+)\/(.+)$/
const MEMORIES_A_STEP = 100

type Objects = { ofMemories: Map<string, Map<string, string[]>>; strange: string[] }

/** Everything that is wrong, memory by memory. Rejects when one of the three cannot be read. Changes nothing. */
export async function* examineStorage(parts: ExaminedParts): AsyncGenerator<Damage> {
  const { db, memoryFile } = parts
  const { ofMemories, strange } = sortObjects(await parts.blobs.list('memories/'))
  for (const key of strange) yield { kind: 'strange_object', memoryId: null, documentId: null, detail: key }
  const files = await memoryFile.list()
  for (const name of files.filter((name) => !isId('mem', name)))
    yield { kind: 'strange_memory_file', memoryId: null, documentId: null, detail: `${name}.lance` }
  const withData = new Set([...ofMemories.keys(), ...files].filter((name) => isId('mem', name)))
  for (const memoryId of await listForgottenMemories(db, [...withData])) {
    const objects = [...(ofMemories.get(memoryId)?.values() ?? [])].flat().length
    const file = files.includes(memoryId) ? 'a memory file' : 'no memory file'
    yield { kind: 'forgotten_memory', memoryId, documentId: null, detail: `${file}, ${objects} objects` }
  }
  let ids: string[] = []
  do {
    ids = await listMemoryIds(db, ids.at(-1) ?? '', MEMORIES_A_STEP)
    for (const memoryId of ids) yield* examineMemory(parts, memoryId, ofMemories.get(memoryId) ?? new Map())
  } while (ids.length === MEMORIES_A_STEP)
}

/** By memory and document what of it there is (`text`, `source`, …). */
function sortObjects(keys: readonly string[]): Objects {
  const ofMemories: Objects['ofMemories'] = new Map()
  const strange: string[] = []
  for (const key of keys) {
    const [, memoryId = '', documentId = '', name = ''] = DOCUMENT_OBJECT.exec(key) ?? []
    if (isId('mem', memoryId) && isId('doc', documentId)) {
      const documents = ofMemories.get(memoryId) ?? new Map<string, string[]>()
      ofMemories.set(memoryId, documents.set(documentId, [...(documents.get(documentId) ?? []), name]))
    } else strange.push(key)
  }
  return { ofMemories, strange }
}

async function* examineMemory(
  parts: ExaminedParts,
  memoryId: string,
  objects: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<Damage> {
  const { db, memoryFile } = parts
  const before = await listStock(db, memoryId)
  const chunks = await memoryFile.count(memoryId)
  // Listed anew where the first list is older than a row: what was added since has its objects by now.
  const now = await listStock(db, memoryId)
  const unchanged = new Map(now.map((row) => [row.id, row.updated_at]))
  const steady = before.filter((row) => unchanged.get(row.id) === row.updated_at)
  const live = steady.filter(({ status }) => LIVE.includes(status))
  for (const row of live) yield* examineChunks(memoryId, row, chunks.get(row.id) ?? 0)
  for (const row of live) yield* examineObjects(parts, memoryId, row, objects.get(row.id) ?? [])
  for (const documentId of await listForgottenDocuments(db, [...new Set([...chunks.keys(), ...objects.keys()])])) {
    const detail = `${chunks.get(documentId) ?? 0} chunks, ${objects.get(documentId)?.length ?? 0} objects`
    yield { kind: 'forgotten_document', memoryId, documentId, detail }
  }
  const compared = await db.transaction().execute((transaction) => compareCounters(transaction, memoryId))
  if (compared === null) return
  const differing = describeDifference(compared.said, compared.counted)
  if (differing !== null) yield { kind: 'wrong_counters', memoryId, documentId: null, detail: differing }
}

function* examineChunks(memoryId: string, row: DocumentStock, there: number): Generator<Damage> {
  if (there === row.chunk_count) return
  const kind = there < row.chunk_count ? 'missing_chunks' : 'surplus_chunks'
  yield { kind, memoryId, documentId: row.id, detail: `${row.title}: ${there} of ${row.chunk_count} chunks` }
}

async function* examineObjects(
  { blobs }: ExaminedParts,
  memoryId: string,
  row: DocumentStock,
  listed: readonly string[],
): AsyncGenerator<Damage> {
  const missing = [
    ...(row.inline || listed.includes('text') ? [] : (['text'] as const)),
    ...(row.has_source === 0 || listed.includes('source') ? [] : (['source'] as const)),
  ]
  const left = row.status === 'ready' ? listed.filter(isOfUpload) : []
  if (missing.length + left.length === 0) return
  const folder = `memories/${memoryId}/documents/${row.id}/`
  // What was added or removed since the store was listed.
  const there = (await blobs.list(folder)).map((key) => key.slice(folder.length))
  for (const name of missing.filter((name) => !there.includes(name))) {
    const kind = name === 'text' ? 'missing_text' : 'missing_original'
    yield { kind, memoryId, documentId: row.id, detail: `${row.title}: ${folder}${name}` }
  }
  const still = left.filter((name) => there.includes(name)).length
  if (still > 0)
    yield { kind: 'leftover_upload', memoryId, documentId: row.id, detail: `${row.title}: ${still} objects` }
}

/** The file as it came, and its recognised pages: kept until the document is whole. */
function isOfUpload(name: string): boolean {
  return name === 'upload' || name.startsWith('recognized/')
}

function describeDifference(said: Counters, counted: Counters): string | null {
  const [one, other] = [flat(said), flat(counted)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const wrong = names.filter((name) => (one[name] ?? 0) !== (other[name] ?? 0))
  if (wrong.length === 0) return null
  return wrong.map((name) => `${name} ${one[name] ?? 0}, counted ${other[name] ?? 0}`).join('; ')
}

function flat({ languages, ...counters }: Counters): Record<string, number> {
  const chunks = Object.entries(languages).map(([language, count]) => [`chunks in ${language}`, count])
  return { ...counters, ...Object.fromEntries(chunks) }
}
