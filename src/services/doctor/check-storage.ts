import { filterOrphanedMemories, listMemoryIds, listReferencedFiles } from '../../database/memories/inventory.ts'
import { listWrongRows } from '../../database/row-checksums.ts'
import type { DatabaseCheck, DatabaseProblem } from '../../database/store.ts'
import { isDamage } from '../../errors.ts'
import { memoryOfFile } from '../../memory-file/file-name.ts'
import { memoryFolder, readObjectKey } from '../document-objects.ts'
import { checkMemory, type MemorySize } from './check-memory.ts'
import type { IntegrityIssue, MemoryCheckDeps } from './integrity-issues.ts'

/**
 * Compares the database with the object store and the memory files. Services may run meanwhile: a
 * row is written before its data, and deleted after it. So data without a row is listed before the
 * rows are read. A row without data only counts if the row is unchanged afterwards.
 */
/** Dependencies of the check, including a listing of memory files. */
export type StorageCheckDeps = MemoryCheckDeps & { listFiles(): Promise<string[]> }

/** Other objects of the service: the id of `bind-object-store.ts`, and probes of the store. */
const STORE_OBJECTS = /^(installation\/id$|probe\/)/
const MEMORIES_PER_BATCH = 100

type GroupedObjects = { ofMemories: Map<string, Map<string, Map<string, number>>>; strange: string[] }

/** Reports every issue, memory by memory, without changes. Rejects if a store cannot be read. */
export async function* checkStorage(deps: StorageCheckDeps): AsyncGenerator<IntegrityIssue> {
  const { db } = deps
  for await (const { table, id, memoryId } of listWrongRows(db)) {
    const documentId = table === 'documents' ? id : null
    yield { kind: 'wrong_row', memoryId, documentId, detail: `${table} ${id}`, row: { table, id } }
  }
  const { ofMemories, strange } = groupObjects(await deps.blobs.measure(''))
  for (const key of strange) yield { kind: 'strange_object', memoryId: null, documentId: null, detail: key }
  const files = (await deps.listFiles()).map((name) => ({ name, memoryId: memoryOfFile(name) }))
  for (const { name, memoryId } of files)
    if (memoryId === null)
      yield { kind: 'strange_memory_file', memoryId: null, documentId: null, detail: `${name}.lance` }
  const withData = new Set([...ofMemories.keys(), ...files.flatMap(({ memoryId }) => memoryId ?? [])])
  const forgotten = new Set(await filterOrphanedMemories(db, [...withData]))
  for (const memoryId of forgotten) {
    const objects = [...(ofMemories.get(memoryId)?.values() ?? [])].reduce((sum, { size }) => sum + size, 0)
    const own = files.filter((file) => file.memoryId === memoryId).length
    yield { kind: 'forgotten_memory', memoryId, documentId: null, detail: `${own} memory files, ${objects} objects` }
  }
  const named = await listReferencedFiles(db)
  for (const { name, memoryId } of files)
    if (memoryId !== null && !forgotten.has(memoryId) && !named.has(name))
      yield { kind: 'forgotten_memory_file', memoryId, documentId: null, detail: name }
  let ids: string[] = []
  do {
    ids = await listMemoryIds(db, ids.at(-1) ?? '', MEMORIES_PER_BATCH)
    for (const memoryId of ids) {
      const found: IntegrityIssue[] = []
      const objects = ofMemories.get(memoryId) ?? new Map()
      await checkMemory(deps, { memoryId, objects, areRowsNamed: true }, (damage) => void found.push(damage))
      yield* found
    }
  } while (ids.length === MEMORIES_PER_BATCH)
}

/** Groups object sizes by memory, document and object name (`text`, `source`, …). */
function groupObjects(sizes: ReadonlyMap<string, number>): GroupedObjects {
  const ofMemories: GroupedObjects['ofMemories'] = new Map()
  const strange: string[] = []
  for (const [key, bytes] of sizes) {
    const object = readObjectKey(key)
    if (object !== null) {
      const { memoryId, documentId, name } = object
      const documents = ofMemories.get(memoryId) ?? new Map<string, Map<string, number>>()
      const objects = documents.get(documentId) ?? new Map<string, number>()
      ofMemories.set(memoryId, documents.set(documentId, objects.set(name, bytes)))
    } else if (!STORE_OBJECTS.test(key)) strange.push(key)
  }
  return { ofMemories, strange }
}

/**
 * Checks a single memory and returns its size. Rejects if a store cannot be read, and with
 * `signal`.
 */
export async function checkOneMemory(
  deps: MemoryCheckDeps,
  memoryId: string,
  { note, signal }: { note: (damage: IntegrityIssue) => void; signal?: AbortSignal },
): Promise<MemorySize> {
  const { ofMemories } = groupObjects(await deps.blobs.measure(memoryFolder(memoryId)))
  const objects = ofMemories.get(memoryId) ?? new Map()
  return checkMemory(deps, { memoryId, objects, ...(signal === undefined ? {} : { signal }) }, note)
}

/** Maximum number of problems in an issue. */
const MAX_NAMED_PROBLEMS = 5

/**
 * Converts the problems of the database's own check: one issue for damaged pages, and one for each
 * kind of broken reference.
 */
export function* toDatabaseIssues({ problems }: DatabaseCheck): Generator<IntegrityIssue> {
  const ofPages = problems.filter(({ part }) => part !== 'reference')
  const isOfTable = ofPages.some(({ part }) => part === 'table')
  if (ofPages.length > 0)
    yield toIssue(isOfTable ? 'damaged_database' : 'damaged_database_index', describeProblems(ofPages))
  for (const { part, detail } of problems) if (part === 'reference') yield toIssue('broken_reference', detail)
}

/** Stops the iteration at a damaged database and reports the damage as the last issue. */
export async function* stopAtDamage(
  damages: AsyncIterable<IntegrityIssue>,
  isKnown: () => boolean,
): AsyncGenerator<IntegrityIssue> {
  try {
    yield* damages
  } catch (error) {
    if (!isDamage(error)) throw error
    const { cause } = error
    if (!isKnown()) yield toIssue('damaged_database', cause instanceof Error ? cause.message : error.message)
  }
}

function toIssue(kind: IntegrityIssue['kind'], detail: string): IntegrityIssue {
  return { kind, memoryId: null, documentId: null, detail }
}

function describeProblems(problems: readonly DatabaseProblem[]): string {
  const named = problems.slice(0, MAX_NAMED_PROBLEMS).map(({ detail }) => detail)
  const left = problems.length - named.length
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')
}
