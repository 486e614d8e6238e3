import type { Table } from '@lancedb/lancedb'
import { readDimensions } from '../chunk-table.ts'
import { type Fragment, readManifest } from '../manifest.ts'
import type { FoundChunk, SearchOptions } from '../memory-file.ts'
import type { VersionFiles } from '../version-files.ts'
import { bytesOf, NO_SLOT, type Texts } from './chunk-index.ts'
import { createDocumentNumbers, type DocumentNumbers } from './document-numbers.ts'
import { withLength } from './growing-array.ts'
import type { IndexReply, IndexRequest } from './index-thread.ts'
import { fragmentOf, placeInFragment, type ReadRows, readRowIdsOf, readTableRows, rowAt } from './table-rows.ts'
import { MAX_SLOTS } from './term-postings.ts'
import { MAX_DIMENSIONS } from './vector-blocks.ts'

/** The index of a table, in the thread, with the records of its rows in this thread. */
export type LoadedIndex = {
  /** Bytes of the data that was read, about those of the index. */
  bytes(): number
  /**
   * Applies the commits since the last call. False if more than `maxRows` rows would have to be
   * read, or the index has to be built again. Rejects if the table cannot be read.
   */
  sync(table: Table, maxRows: number): Promise<boolean>
  /** `null` if the thread failed. */
  searchLexical(terms: readonly string[], options: SearchOptions): Promise<FoundChunk[] | null>
  /** `null` also if the index has no vectors, or vectors of another length. */
  searchVector(vector: Float32Array, options: SearchOptions): Promise<FoundChunk[] | null>
  /** The record of a row, a view; `null` if the row is unknown. */
  recordOf(row: bigint): Uint8Array | null
  close(): void
}

/** Options of {@link createLoadedIndex}. */
export type LoadedIndexOptions = {
  name: string
  /** Number of the index in the thread. */
  number: number
  versions: Pick<VersionFiles, 'read'>
  /** Sends a request to the thread. */
  call: (request: IndexRequest) => Promise<IndexReply>
  /** A table with more rows is indexed without its vectors. Default: `MAX_COMPARED_ROWS`. */
  maxComparedRows?: number | undefined
}

/**
 * All vectors are compared with a query. For 100,000 with 384 dimensions, that takes 4 ms of
 * processor time, as does Lance. Lance compares a quarter of a large table.
 */
const MAX_COMPARED_ROWS = 131_072
/** Bytes of a number of a vector in a table. */
const VECTOR_BYTES = 2

/** Removed rows keep their slots. An index with more slots is built again. */
const MAX_SLOTS_A_ROW = 2
const MIN_SPARE_SLOTS = 8192
/** Versions that are read one after another before searches use Lance. */
const MAX_TRIES = 4

/** Bytes of the data that an index of a table would hold. */
export async function countIndexedBytes(
  table: Table,
  fragments: readonly Fragment[],
  maxComparedRows = MAX_COMPARED_ROWS,
): Promise<number> {
  const [rows, bytes] = [sum(fragments, countRows), sum(fragments, (fragment) => fragment.bytes)]
  return rows > maxComparedRows ? bytes - rows * VECTOR_BYTES * (await readDimensions(table)) : bytes
}

/** Creates the index of a table, without rows. */
export function createLoadedIndex(options: LoadedIndexOptions): LoadedIndex {
  const { name, number, versions, call } = options
  const numbers = createDocumentNumbers()
  const rows = createIndexedRows(options, numbers)
  let synced: { table: Table; version: number } | null = null
  let last: Promise<unknown> = Promise.resolve()

  /** Reads what changed; `null` if that is too much, otherwise the number of fragments. */
  async function apply(table: Table, version: number, maxRows: number): Promise<number | null> {
    const { fragments } = readManifest(await versions.read(name, version))
    const added = fragments.filter(({ path }) => !rows.has(path)).sort((a, b) => a.id - b.id)
    const more = sum(added, (fragment) => fragment.rows)
    if (more + rows.countRowsToList(fragments) > maxRows) return null
    const allRows = sum(fragments, (fragment) => fragment.rows)
    if (rows.slots() + more > Math.min(MAX_SLOTS, MAX_SLOTS_A_ROW * allRows + MIN_SPARE_SLOTS)) return null
    await rows.removeOthers(table, fragments)
    if (added.length > 0) await rows.add(table, added)
    return fragments.length
  }

  /** Repeats after commits in between: rows are then of a later version than the manifest. */
  async function syncNow(table: Table, maxRows: number): Promise<boolean> {
    let applied = null as { version: number; fragments: number } | null
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const version = await table.version()
      if (synced?.table === table && synced.version === version) return true
      if (applied?.version === version) {
        // In a bucket, another process may replace an empty table by one with the same versions.
        synced = applied.fragments === 0 ? null : { table, version }
        return true
      }
      synced = null
      const fragments = await apply(table, version, maxRows)
      if (fragments === null) return false
      applied = { version, fragments }
    }
    return false
  }

  async function search(request: IndexRequest): Promise<FoundChunk[] | null> {
    if (rows.slots() === 0) return []
    const found = await call(request).catch(() => null)
    return found && Array.from(found.slots, (slot, at) => ({ row: rows.rowOf(slot), score: found.scores[at] ?? 0 }))
  }

  return {
    bytes: rows.bytes,
    sync(table, maxRows) {
      const done = last.then(() => syncNow(table, maxRows))
      last = done.catch(() => undefined)
      return done
    },
    searchLexical: (terms, { limit, filter }) =>
      search({ index: number, kind: 'lexical', terms, limit, filter: numbers.toSlotFilter(filter) }),
    async searchVector(vector, { limit, filter }) {
      return rows.slots() === 0 || vector.length === rows.dimensions()
        ? search({ index: number, kind: 'vector', vector, limit, filter: numbers.toSlotFilter(filter) })
        : null
    },
    recordOf: rows.recordOf,
    close() {
      call({ index: number, kind: 'close' }).catch(() => undefined)
    },
  }
}

/** A fragment whose rows have the slots from `first`; `present` of them exist. */
type IndexedFragment = Pick<Fragment, 'id' | 'rows'> & { first: number; present: number }

/**
 * The rows of an index by fragment. The path of a data file is unique, unlike numbers: another
 * process may drop a table and create one of the same name.
 */
type IndexedRows = Pick<LoadedIndex, 'bytes' | 'recordOf'> & {
  /** True if the fragment with this path is indexed. */
  has(path: string): boolean
  /** Number of slots, with those of removed rows. */
  slots(): number
  /** Length of the vectors; 0 without vectors. */
  dimensions(): number
  rowOf(slot: number): bigint
  /** Adds fragments with ascending numbers. */
  add(table: Table, added: readonly Fragment[]): Promise<void>
  /** Number of rows of the fragments with new deletions, whose row ids have to be listed. */
  countRowsToList(fragments: readonly Fragment[]): number
  /** Removes the rows that these fragments do not have. */
  removeOthers(table: Table, fragments: readonly Fragment[]): Promise<void>
}

function createIndexedRows(
  { number, call, maxComparedRows = MAX_COMPARED_ROWS }: LoadedIndexOptions,
  numbers: DocumentNumbers,
): IndexedRows {
  const byPath = new Map<string, IndexedFragment>()
  const byId = new Map<number, IndexedFragment>()
  const records = createRowRecords()
  let [slots, bytes] = [0, 0]
  let dimensions = 0

  async function remove(removed: Uint32Array): Promise<void> {
    records.remove(removed)
    await call({ index: number, kind: 'remove', slots: removed })
  }

  /** Removes the rows of a fragment that no longer exist. */
  async function removeDeleted(table: Table, fragment: IndexedFragment): Promise<void> {
    const exists = new Uint8Array(fragment.rows)
    for (const row of await readRowIdsOf(table, fragment.id)) exists[placeInFragment(row)] = 1
    const gone = listSlots(fragment).filter((slot) => !exists[slot - fragment.first] && records.get(slot) !== null)
    fragment.present -= gone.length
    await remove(gone)
  }

  async function addRows(
    { rows, records: texts, documentIds, indexed }: ReadRows,
    ids: ReadonlySet<number>,
  ): Promise<void> {
    const taken = takeSlots(rows, byId, ids)
    records.add(taken, rows, texts)
    await call({ index: number, kind: 'add', rows: { ...indexed, documents: numbers.add(documentIds), slots: taken } })
  }

  return {
    bytes: () => bytes,
    has: (path) => byPath.has(path),
    slots: () => slots,
    dimensions: () => dimensions,
    rowOf: records.rowOf,
    recordOf(row) {
      const fragment = byId.get(fragmentOf(row))
      return fragment === undefined ? null : records.get(fragment.first + placeInFragment(row))
    },
    async add(table, added) {
      const from = slots === 0 ? 0n : rowAt(added[0]?.id ?? 0, 0)
      if (slots === 0) {
        dimensions = sum(added, countRows) > maxComparedRows ? 0 : await readIndexedDimensions(table)
        await call({ index: number, kind: 'create', dimensions })
        bytes = await countIndexedBytes(table, added, maxComparedRows)
      } else bytes += sum(added, (fragment) => fragment.bytes)
      for (const { id, rows, path } of added) {
        const fragment = { id, rows, first: slots, present: 0 }
        byPath.set(path, fragment)
        byId.set(id, fragment)
        slots += rows
      }
      const ids = new Set(added.map(({ id }) => id))
      for await (const read of readTableRows(table, { from, dimensions })) await addRows(read, ids)
    },
    countRowsToList: (fragments) =>
      sum(fragments, (one) => (countRows(one) < (byPath.get(one.path)?.present ?? 0) ? one.rows : 0)),
    async removeOthers(table, fragments) {
      const remaining = new Map(fragments.map((one) => [one.path, countRows(one)]))
      for (const [path, fragment] of byPath) {
        const present = remaining.get(path)
        if (present !== undefined && present < fragment.present) await removeDeleted(table, fragment)
        if (present !== undefined) continue
        byPath.delete(path)
        if (byId.get(fragment.id) === fragment) byId.delete(fragment.id)
        await remove(listSlots(fragment))
      }
    },
  }
}

async function readIndexedDimensions(table: Table): Promise<number> {
  const dimensions = await readDimensions(table)
  if (dimensions > MAX_DIMENSIONS) throw new RangeError(`vectors of ${dimensions} numbers are too long to index`)
  return dimensions
}

/** Records and row ids by slot. */
type RowRecords = {
  /** Adds the rows of a batch, without those of `NO_SLOT`. */
  add(slots: Uint32Array, rows: BigUint64Array, records: Texts): void
  remove(slots: Uint32Array): void
  /** A view of the record; `null` if the slot has none. */
  get(slot: number): Uint8Array | null
  rowOf(slot: number): bigint
}

/** Keeps whole batches. The bytes of removed records stay until the index is built again. */
function createRowRecords(): RowRecords {
  const batches: Texts[] = []
  // The number of a batch plus 1, 0 without a record; and the place in the batch.
  let batchOf = new Uint32Array(0)
  let placeOf = new Uint32Array(0)
  let rowOf = new BigUint64Array(0)
  return {
    add(slots, rows, records) {
      batches.push(records)
      slots.forEach((slot, place) => {
        if (slot === NO_SLOT) return
        batchOf = withLength(batchOf, slot + 1)
        placeOf = withLength(placeOf, slot + 1)
        rowOf = withLength(rowOf, slot + 1)
        batchOf[slot] = batches.length
        placeOf[slot] = place
        rowOf[slot] = rows[place] ?? 0n
      })
    },
    remove(slots) {
      for (const slot of slots) if (slot < batchOf.length) batchOf[slot] = 0
    },
    get(slot) {
      const batch = batches[(batchOf[slot] ?? 0) - 1]
      const place = placeOf[slot] ?? 0
      return batch === undefined ? null : bytesOf(batch, place)
    },
    rowOf: (slot) => rowOf[slot] ?? 0n,
  }
}

/** The slots of new rows; `NO_SLOT` for a row of another fragment. Counts the rows as present. */
function takeSlots(
  rows: BigUint64Array,
  byId: ReadonlyMap<number, IndexedFragment>,
  ids: ReadonlySet<number>,
): Uint32Array {
  return Uint32Array.from(rows, (row) => {
    const fragment = byId.get(fragmentOf(row))
    if (fragment === undefined || !ids.has(fragment.id)) return NO_SLOT
    fragment.present += 1
    return fragment.first + placeInFragment(row)
  })
}

/** Number of rows that were not deleted. */
function countRows({ rows, deletedRows }: Fragment): number {
  return rows - deletedRows
}

function listSlots({ first, rows }: IndexedFragment): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, place) => first + place)
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
