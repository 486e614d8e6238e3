import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { listedTags } from '../../database/memories/document-tags-table.ts'
import {
  type Counters,
  compareCounters,
  type DocumentStock,
  listForgottenDocuments,
  listHalfFingerprints,
  listStock,
  listTagRows,
} from '../../database/memories/inventory.ts'
import { isMemoryWrong, listWrongDocuments } from '../../database/row-checksums.ts'
import { LIVE } from '../../database/schema.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { pluralize } from '../../text/pluralize.ts'
import { documentFolder, documentObject, isOfUpload } from '../document-objects.ts'
import type { Damage, MemoryDeps } from './damage.ts'
import { examineFile } from './examine-file.ts'

/** Object sizes in bytes by document and object name (`text`, `source`, …). */
type ObjectSizes = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Size of the memory: documents without corrections, and chunks of both. */
export type Examined = { documents: number; chunks: number }

/** A memory with its objects. `areRowsNamed`: wrong rows have already been reported. */
type ExaminedMemory = { memoryId: string; objects: ObjectSizes; signal?: AbortSignal; areRowsNamed?: boolean }

/**
 * Reports every issue of a memory and returns its size. Documents may be added or deleted
 * meanwhile: an issue only counts if its row is unchanged after the check. Rejects if database or
 * object store cannot be read, and with `signal`.
 */
export async function examineMemory(
  parts: MemoryDeps,
  { memoryId, objects, signal, areRowsNamed = false }: ExaminedMemory,
  note: (damage: Damage) => void,
): Promise<Examined> {
  const before = await listStock(parts.db, memoryId)
  const wrong = await listWrongDocuments(
    parts.db,
    before.map(({ seq }) => Number(seq)),
  )
  if (!areRowsNamed) for (const damage of await nameRows(parts, memoryId, wrong)) note(damage)
  // A wrong row cannot be compared with data.
  const sound = before.filter(({ id, status }) => LIVE.includes(status) && !wrong.has(id))
  const live = new Map(sound.map((row) => [row.id, row]))
  const found: Damage[] = []
  const counts = await examineFile(parts, { memoryId, live, signal }, (damage) => void found.push(damage))
  for (const row of live.values()) {
    if (counts !== null) found.push(...compareCount(memoryId, row, counts.get(row.id) ?? 0))
    found.push(...compareObjects(memoryId, row, objects.get(row.id) ?? new Map()))
  }
  const rows = [...live.values()].filter((row) => hasOriginal(row, objects))
  for await (const damage of examineOriginals(parts.blobs, { memoryId, rows, signal })) found.push(damage)
  found.push(...(await examineTags(parts, memoryId, live)))
  for (const documentId of await listHalfFingerprints(parts.db, memoryId))
    found.push({ kind: 'wrong_fingerprint', memoryId, documentId, detail: live.get(documentId)?.title ?? '' })
  signal?.throwIfAborted()
  const counters = await examineCounters(parts, memoryId)
  // The memory was deleted meanwhile; its data is being deleted.
  if (counters === null) return { documents: 0, chunks: 0 }
  // Read rows after data: documents added since the first query have data without a row in it.
  const now = new Map((await listStock(parts.db, memoryId)).map((row) => [row.id, row.updated_at]))
  const isSteady = ({ documentId }: Damage) =>
    documentId === null || live.get(documentId)?.updated_at === now.get(documentId)
  for (const damage of await confirm(parts, memoryId, found.filter(isSteady))) note(damage)
  const strangers = [...new Set([...(counts?.keys() ?? []), ...objects.keys()])].filter((id) => !now.has(id))
  for (const documentId of await listForgottenDocuments(parts.db, strangers)) {
    const chunks = counts === null ? 0 : await countChunks(parts, memoryId, documentId)
    const { size } = await parts.blobs.measure(documentFolder(memoryId, documentId))
    // A document deleted meanwhile has no data left.
    const detail = `${pluralize(chunks, 'chunk')}, ${pluralize(size, 'object')}`
    if (chunks + size > 0) note({ kind: 'forgotten_document', memoryId, documentId, detail })
  }
  for (const damage of counters) note(damage)
  const there = [...live.values()].filter(({ id }) => now.has(id))
  const documents = there.filter(({ source_type }) => source_type !== 'correction').length
  return { documents, chunks: there.reduce((sum, row) => sum + row.chunk_count, 0) }
}

async function nameRows({ db }: MemoryDeps, memoryId: string, wrong: Iterable<string>): Promise<Damage[]> {
  const about = (documentId: string | null, row: Damage['row']): Damage => ({
    ...{ kind: 'wrong_row', memoryId, documentId, detail: '' },
    ...(row === undefined ? {} : { row }),
  })
  const ofMemory = (await isMemoryWrong(db, memoryId)) ? [about(null, { table: 'memories', id: memoryId })] : []
  return [...ofMemory, ...[...wrong].map((id) => about(id, { table: 'documents', id }))]
}

async function countChunks({ memoryFile }: MemoryDeps, memoryId: string, documentId: string): Promise<number> {
  let count = 0
  for await (const batch of memoryFile.scan(memoryId, { documentIds: [documentId], withVectors: false }))
    count += batch.length
  return count
}

function* compareCount(memoryId: string, row: DocumentStock, there: number): Generator<Damage> {
  if (there === row.chunk_count) return
  const kind = there < row.chunk_count ? 'missing_chunks' : 'surplus_chunks'
  yield {
    kind,
    memoryId,
    documentId: row.id,
    detail: `${row.title}: ${there} of ${pluralize(row.chunk_count, 'chunk')}`,
  }
}

function* compareObjects(memoryId: string, row: DocumentStock, sizes: ReadonlyMap<string, number>): Generator<Damage> {
  const about = (kind: Damage['kind'], detail: string): Damage => ({ kind, memoryId, documentId: row.id, detail })
  if (!row.inline && !sizes.has('text')) yield about('missing_text', row.title)
  const source = sizes.get('source')
  if (row.has_source === 1 && source === undefined) yield about('missing_original', row.title)
  if (row.has_source === 1 && source !== undefined && source !== row.size_bytes)
    yield about('wrong_original', `${row.title}: ${source} of ${row.size_bytes} bytes`)
  const left = row.status === 'ready' ? [...sizes.keys()].filter(isOfUpload).length : 0
  if (left > 0) yield about('leftover_upload', `${row.title}: ${left} objects`)
}

/** True if the original exists with the expected size. */
function hasOriginal({ id, has_source, size_bytes }: DocumentStock, objects: ObjectSizes): boolean {
  return has_source === 1 && objects.get(id)?.get('source') === size_bytes
}

/** Drops issues that only reflect an object created or deleted during the listing. */
async function confirm({ blobs }: MemoryDeps, memoryId: string, found: readonly Damage[]): Promise<Damage[]> {
  const confirmed: Damage[] = []
  for (const damage of found) {
    const name = OBJECT_OF[damage.kind]
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
const OBJECT_OF: { [kind in Damage['kind']]?: string } = {
  missing_text: 'text',
  missing_original: 'source',
  leftover_upload: 'upload',
}

async function examineTags(
  { db }: MemoryDeps,
  memoryId: string,
  live: ReadonlyMap<string, DocumentStock>,
): Promise<Damage[]> {
  const listed = await listTagRows(db, memoryId)
  const nothing = new Set<string>()
  return [...live.values()].flatMap(({ id, title, tags }): Damage[] => {
    const own = new Set(listedTags(JSON.parse(tags) as string[]))
    const rows = listed.get(id) ?? nothing
    if (own.size === rows.size && [...own].every((tag) => rows.has(tag))) return []
    return [{ kind: 'wrong_tags', memoryId, documentId: id, detail: `${title}: ${rows.size} of ${own.size} tags` }]
  })
}

/** `null` if the memory no longer exists. */
async function examineCounters({ db }: MemoryDeps, memoryId: string): Promise<Damage[] | null> {
  const compared = await db.transaction().execute((transaction) => compareCounters(transaction, memoryId))
  if (compared === null) return null
  const differing = describeDifference(compared.said, compared.counted)
  return differing === null ? [] : [{ kind: 'wrong_counters', memoryId, documentId: null, detail: differing }]
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

/** Originals of a memory; `rows` are those with an object of the expected size. */
type OriginalsOfMemory = { memoryId: string; rows: Iterable<DocumentStock>; signal: AbortSignal | undefined }

/**
 * Compares every stored original with its hash, streaming the content. Skips originals of earlier
 * versions, which have no hash, and originals deleted meanwhile. Rejects if the store does not
 * respond, and with `signal`.
 */
async function* examineOriginals(
  blobs: Pick<Blobs, 'get'>,
  { memoryId, rows, signal }: OriginalsOfMemory,
): AsyncGenerator<Damage> {
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
