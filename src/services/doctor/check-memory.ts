import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { normalizeTags } from '../../database/memories/document-tags-table.ts'
import {
  type Counters,
  compareCounters,
  filterOrphanedDocuments,
  type InventoryDocument,
  listInconsistentFingerprints,
  listInventoryDocuments,
  listTagRows,
} from '../../database/memories/inventory.ts'
import { isMemoryRowWrong, listWrongDocuments } from '../../database/row-checksums.ts'
import { LIVE_STATUSES } from '../../database/schema.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { pluralize } from '../../text/pluralize.ts'
import { documentFolder, documentObject, isOfUpload } from '../document-objects.ts'
import { checkMemoryFile } from './check-memory-file.ts'
import type { IntegrityIssue, MemoryCheckDeps } from './integrity-issues.ts'

/** Object sizes in bytes by document and object name (`text`, `source`, …). */
type ObjectSizes = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Size of the memory: documents without corrections, and chunks of both. */
export type MemorySize = { documents: number; chunks: number }

/** A memory with its objects. `areRowsNamed`: wrong rows have already been reported. */
type MemoryToCheck = { memoryId: string; objects: ObjectSizes; signal?: AbortSignal; areRowsNamed?: boolean }

/**
 * Reports every issue of a memory and returns its size. Documents may be added or deleted
 * meanwhile: an issue only counts if its row is unchanged after the check. Rejects if database or
 * object store cannot be read, and with `signal`.
 */
export async function checkMemory(
  deps: MemoryCheckDeps,
  { memoryId, objects, signal, areRowsNamed = false }: MemoryToCheck,
  note: (damage: IntegrityIssue) => void,
): Promise<MemorySize> {
  const before = await listInventoryDocuments(deps.db, memoryId)
  const wrong = await listWrongDocuments(
    deps.db,
    before.map(({ seq }) => Number(seq)),
  )
  if (!areRowsNamed) for (const damage of await toRowIssues(deps, memoryId, wrong)) note(damage)
  // A wrong row cannot be compared with data.
  const sound = before.filter(({ id, status }) => LIVE_STATUSES.includes(status) && !wrong.has(id))
  const live = new Map(sound.map((row) => [row.id, row]))
  const found: IntegrityIssue[] = []
  const counts = await checkMemoryFile(deps, { memoryId, live, signal }, (damage) => void found.push(damage))
  for (const row of live.values()) {
    if (counts !== null) found.push(...compareCount(memoryId, row, counts.get(row.id) ?? 0))
    found.push(...compareObjects(memoryId, row, objects.get(row.id) ?? new Map()))
  }
  const rows = [...live.values()].filter((row) => hasOriginal(row, objects))
  for await (const damage of checkOriginals(deps.blobs, { memoryId, rows, signal })) found.push(damage)
  found.push(...(await checkTags(deps, memoryId, live)))
  for (const documentId of await listInconsistentFingerprints(deps.db, memoryId))
    found.push({ kind: 'wrong_fingerprint', memoryId, documentId, detail: live.get(documentId)?.title ?? '' })
  signal?.throwIfAborted()
  const counters = await checkCounters(deps, memoryId)
  // The memory was deleted meanwhile; its data is being deleted.
  if (counters === null) return { documents: 0, chunks: 0 }
  // Read rows after data: documents added since the first query have data without a row in it.
  const now = new Map((await listInventoryDocuments(deps.db, memoryId)).map((row) => [row.id, row.updated_at]))
  const isSteady = ({ documentId }: IntegrityIssue) =>
    documentId === null || live.get(documentId)?.updated_at === now.get(documentId)
  for (const damage of await confirmIssues(deps, memoryId, found.filter(isSteady))) note(damage)
  const strangers = [...new Set([...(counts?.keys() ?? []), ...objects.keys()])].filter((id) => !now.has(id))
  for (const documentId of await filterOrphanedDocuments(deps.db, strangers)) {
    const chunks = counts === null ? 0 : await countChunks(deps, memoryId, documentId)
    const { size } = await deps.blobs.measure(documentFolder(memoryId, documentId))
    // A document deleted meanwhile has no data left.
    const detail = `${pluralize(chunks, 'chunk')}, ${pluralize(size, 'object')}`
    if (chunks + size > 0) note({ kind: 'forgotten_document', memoryId, documentId, detail })
  }
  for (const damage of counters) note(damage)
  const there = [...live.values()].filter(({ id }) => now.has(id))
  const documents = there.filter(({ source_type }) => source_type !== 'correction').length
  return { documents, chunks: there.reduce((sum, row) => sum + row.chunk_count, 0) }
}

async function toRowIssues(
  { db }: MemoryCheckDeps,
  memoryId: string,
  wrong: Iterable<string>,
): Promise<IntegrityIssue[]> {
  const about = (documentId: string | null, row: IntegrityIssue['row']): IntegrityIssue => ({
    ...{ kind: 'wrong_row', memoryId, documentId, detail: '' },
    ...(row === undefined ? {} : { row }),
  })
  const ofMemory = (await isMemoryRowWrong(db, memoryId)) ? [about(null, { table: 'memories', id: memoryId })] : []
  return [...ofMemory, ...[...wrong].map((id) => about(id, { table: 'documents', id }))]
}

async function countChunks({ memoryFile }: MemoryCheckDeps, memoryId: string, documentId: string): Promise<number> {
  let count = 0
  for await (const batch of memoryFile.scan(memoryId, { documentIds: [documentId], withVectors: false }))
    count += batch.length
  return count
}

function* compareCount(memoryId: string, row: InventoryDocument, there: number): Generator<IntegrityIssue> {
  if (there === row.chunk_count) return
  const kind = there < row.chunk_count ? 'missing_chunks' : 'surplus_chunks'
  yield {
    kind,
    memoryId,
    documentId: row.id,
    detail: `${row.title}: ${there} of ${pluralize(row.chunk_count, 'chunk')}`,
  }
}

function* compareObjects(
  memoryId: string,
  row: InventoryDocument,
  sizes: ReadonlyMap<string, number>,
): Generator<IntegrityIssue> {
  const about = (kind: IntegrityIssue['kind'], detail: string): IntegrityIssue => ({
    kind,
    memoryId,
    documentId: row.id,
    detail,
  })
  if (!row.inline && !sizes.has('text')) yield about('missing_text', row.title)
  const source = sizes.get('source')
  if (row.has_source === 1 && source === undefined) yield about('missing_original', row.title)
  if (row.has_source === 1 && source !== undefined && source !== row.size_bytes)
    yield about('wrong_original', `${row.title}: ${source} of ${row.size_bytes} bytes`)
  const left = row.status === 'ready' ? [...sizes.keys()].filter(isOfUpload).length : 0
  if (left > 0) yield about('leftover_upload', `${row.title}: ${left} objects`)
}

/** True if the original exists with the expected size. */
function hasOriginal({ id, has_source, size_bytes }: InventoryDocument, objects: ObjectSizes): boolean {
  return has_source === 1 && objects.get(id)?.get('source') === size_bytes
}

/** Drops issues that only reflect an object created or deleted during the listing. */
async function confirmIssues(
  { blobs }: MemoryCheckDeps,
  memoryId: string,
  found: readonly IntegrityIssue[],
): Promise<IntegrityIssue[]> {
  const confirmed: IntegrityIssue[] = []
  for (const damage of found) {
    const name = OBJECT_BY_KIND[damage.kind]
    if (name === undefined || damage.documentId === null) confirmed.push(damage)
    else {
      const folder = documentFolder(memoryId, damage.documentId)
      const names = [...(await blobs.measure(folder)).keys()].map((key) => key.slice(folder.length))
      const isThere = name === 'upload' ? names.some(isOfUpload) : names.includes(name)
      if (isThere === (name === 'upload')) confirmed.push(damage)
    }
  }
  return confirmed
}

/** Objects to check again: `upload` must be absent, the others must exist. */
const OBJECT_BY_KIND: { [kind in IntegrityIssue['kind']]?: string } = {
  missing_text: 'text',
  missing_original: 'source',
  leftover_upload: 'upload',
}

async function checkTags(
  { db }: MemoryCheckDeps,
  memoryId: string,
  live: ReadonlyMap<string, InventoryDocument>,
): Promise<IntegrityIssue[]> {
  const listed = await listTagRows(db, memoryId)
  const nothing = new Set<string>()
  return [...live.values()].flatMap(({ id, title, tags }): IntegrityIssue[] => {
    const own = new Set(normalizeTags(JSON.parse(tags) as string[]))
    const rows = listed.get(id) ?? nothing
    if (own.size === rows.size && [...own].every((tag) => rows.has(tag))) return []
    return [{ kind: 'wrong_tags', memoryId, documentId: id, detail: `${title}: ${rows.size} of ${own.size} tags` }]
  })
}

/** `null` if the memory no longer exists. */
async function checkCounters({ db }: MemoryCheckDeps, memoryId: string): Promise<IntegrityIssue[] | null> {
  const compared = await db.transaction().execute((transaction) => compareCounters(transaction, memoryId))
  if (compared === null) return null
  const differing = describeDifference(compared.said, compared.counted)
  return differing === null ? [] : [{ kind: 'wrong_counters', memoryId, documentId: null, detail: differing }]
}

function describeDifference(said: Counters, counted: Counters): string | null {
  const [one, other] = [flatten(said), flatten(counted)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const wrong = names.filter((name) => (one[name] ?? 0) !== (other[name] ?? 0))
  if (wrong.length === 0) return null
  return wrong.map((name) => `${name} ${one[name] ?? 0}, counted ${other[name] ?? 0}`).join('; ')
}

function flatten({ languages, ...counters }: Counters): Record<string, number> {
  const chunks = Object.entries(languages).map(([language, count]) => [`chunks in ${language}`, count])
  return { ...counters, ...Object.fromEntries(chunks) }
}

/** Originals of a memory; `rows` are those with an object of the expected size. */
type OriginalsToCheck = { memoryId: string; rows: Iterable<InventoryDocument>; signal: AbortSignal | undefined }

/**
 * Compares every stored original with its hash, streaming the content. Skips originals of earlier
 * versions, which have no hash, and originals deleted meanwhile. Rejects if the store does not
 * respond, and with `signal`.
 */
async function* checkOriginals(
  blobs: Pick<Blobs, 'get'>,
  { memoryId, rows, signal }: OriginalsToCheck,
): AsyncGenerator<IntegrityIssue> {
  for (const { id: documentId, title, original_hash: wanted } of rows) {
    signal?.throwIfAborted()
    if (wanted === null) continue
    const content = await blobs.get(documentObject(memoryId, documentId, 'source'))
    if (content === null) continue
    const hash = createHash('sha256')
    await pipeline(content, hash, ...(signal === undefined ? [] : [{ signal }]))
    if (hash.digest('hex') === wanted) continue
    yield { kind: 'wrong_original', memoryId, documentId, detail: `${title}: its hash differs` }
  }
}
