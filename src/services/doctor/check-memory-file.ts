import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type InventoryDocument, listInlineTexts } from '../../database/memories/inventory.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { isUnitVector } from '../../engine/vectors.ts'
import type { ChunkRow, MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { pluralize } from '../../text/pluralize.ts'
import { documentObject } from '../document-objects.ts'
import { isSliceOf, openTextSlices, type TextSlices } from '../documents/text-slices.ts'
import { analyzeChunk } from '../ingest/indexing/embed-chunks.ts'
import { headingOfRow } from '../ingest/indexing/indexed-facts.ts'
import type { IntegrityIssue, MemoryCheckDeps } from './integrity-issues.ts'

/** A failure concerns the file itself: the store responds, and two attempts failed. */
type Outcome<Value> = { value: Value } | { failure: unknown }

type FileToCheck = { memoryId: string; live: ReadonlyMap<string, InventoryDocument>; signal: AbortSignal | undefined }

/**
 * Checks the memory file and every chunk. Returns the number of chunks by document; `null` if the
 * file is missing or unreadable, which is a single issue and not one per document. Rejects if the
 * store does not respond.
 */
export async function checkMemoryFile(
  deps: MemoryCheckDeps,
  { memoryId, live, signal }: FileToCheck,
  note: (damage: IntegrityIssue) => void,
): Promise<Map<string, number> | null> {
  const about = (kind: IntegrityIssue['kind'], detail: string) => note({ kind, memoryId, documentId: null, detail })
  const expected = [...live.values()].reduce((sum, row) => sum + row.chunk_count, 0)
  const inspected = await tryTwice(deps, () => deps.memoryFile.inspect(memoryId))
  if ('failure' in inspected) {
    about('broken_memory_file', describeFailure(inspected.failure))
    return null
  }
  if (inspected.value === null) {
    if (expected > 0) about('missing_memory_file', pluralize(expected, 'chunk'))
    return expected > 0 ? null : new Map()
  }
  if (!inspected.value.areIndexesReadable) {
    about('broken_index', 'not readable')
    // Unreadable indexes prevent reading the file; other issues show after the repair.
    return null
  }
  // No write is acknowledged between a table and its index.
  if (!inspected.value.hasTermsIndex && expected > 0) about('missing_index', pluralize(expected, 'chunk'))
  let sample: ChunkRow | null = null
  const memoryFile = {
    async *scan(id: string) {
      for await (const batch of deps.memoryFile.scan(id)) {
        signal?.throwIfAborted()
        sample ??= batch[0] ?? null
        yield batch
      }
    },
  }
  const read = await tryTwice(deps, async () => {
    const found: IntegrityIssue[] = []
    const counts = await checkContents({ ...deps, memoryFile }, memoryId, {
      live,
      note: (damage) => void found.push(damage),
    })
    return { counts, found }
  })
  signal?.throwIfAborted()
  if ('failure' in read) {
    about('broken_memory_file', describeFailure(read.failure))
    return null
  }
  const searched = sample === null ? { value: null } : await tryTwice(deps, () => probeIndexes(deps, memoryId, sample))
  if ('failure' in searched) about('broken_index', describeFailure(searched.failure))
  for (const damage of read.value.found) note(damage)
  return read.value.counts
}

/** Queries every index once with an existing chunk. */
async function probeIndexes({ memoryFile }: MemoryCheckDeps, memoryId: string, sample: ChunkRow | null): Promise<void> {
  if (sample === null) return
  await memoryFile.searchLexical(memoryId, sample.terms.split(' ').slice(0, 1), { limit: 1 })
  if (sample.vector.every(Number.isFinite)) await memoryFile.searchVector(memoryId, sample.vector, { limit: 1 })
}

/** Rejects if the store is down, because the state of the file is then unknown. */
async function tryTwice<Value>({ blobs }: MemoryCheckDeps, work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() }
  } catch {
    await blobs.probe()
  }
  try {
    return { value: await work() }
  } catch (failure) {
    await blobs.probe()
    return { failure }
  }
}

/** First line of the reason, for the operator. */
function describeFailure(failure: unknown): string {
  const { message, cause } = failure as Error
  return (cause instanceof Error ? cause.message : message).split('\n')[0]?.slice(0, 300) ?? ''
}

/** Dependencies for checking the content. */
type ContentCheckDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get'>
  memoryFile: Pick<MemoryFile, 'scan'>
  analyzer: Pick<Analyzer, 'terms'>
}

/** Chunks per event-loop turn, about 3 ms. */
const CHUNKS_PER_TURN = 64

/** State of a document while its chunks are scanned. */
type DocumentCheck = {
  row: InventoryDocument
  text: TextSlices | null
  /** Number of chunks scanned. */
  seen: number
  next: number
  isDisordered: boolean
  differs: number | null
  noVectorAt: number | null
  otherTermsAt: number | null
}

/**
 * Compares every chunk with its text, in any order. Chunk numbers must be unique, and the text must
 * match its slice. The terms must match the text, and the vector must have length 1 or zero.
 * Compares every text with its hash. Returns the number of chunks by document. Memory use does not
 * depend on the size of the memory.
 */
async function checkContents(
  deps: ContentCheckDeps,
  memoryId: string,
  { live, note }: { live: ReadonlyMap<string, InventoryDocument>; note: (damage: IntegrityIssue) => void },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let reading: DocumentCheck | null = null
  for await (const batch of deps.memoryFile.scan(memoryId)) {
    const texts = await listInlineTexts(
      deps.db,
      [...new Set(batch.map(({ documentId }) => documentId))].filter((id) => live.get(id)?.inline === true),
    )
    for (const [at, chunk] of batch.entries()) {
      if (at % CHUNKS_PER_TURN === 0) await nextTurn()
      counts.set(chunk.documentId, (counts.get(chunk.documentId) ?? 0) + 1)
      if (reading?.row.id !== chunk.documentId) {
        if (reading !== null) await reportDocument(memoryId, reading, note)
        reading = await startDocument(deps, memoryId, { row: live.get(chunk.documentId), texts })
      }
      if (reading !== null) await compareChunk(deps, reading, chunk)
    }
  }
  if (reading !== null) await reportDocument(memoryId, reading, note)
  return counts
}

async function startDocument(
  deps: ContentCheckDeps,
  memoryId: string,
  { row, texts }: { row: InventoryDocument | undefined; texts: ReadonlyMap<string, string> },
): Promise<DocumentCheck | null> {
  if (row === undefined) return null
  const key = documentObject(memoryId, row.id, 'text')
  const text = await openTextSlices(deps.blobs, { inline: texts.get(row.id) ?? null, key })
  return { row, text, seen: 0, next: 0, isDisordered: false, differs: null, noVectorAt: null, otherTermsAt: null }
}

async function compareChunk({ analyzer }: ContentCheckDeps, reading: DocumentCheck, chunk: ChunkRow): Promise<void> {
  reading.seen += 1
  if (chunk.chunkIndex !== reading.next) reading.isDisordered = true
  reading.next = chunk.chunkIndex + 1
  if (!isUnitVector(chunk.vector)) reading.noVectorAt ??= chunk.chunkIndex
  if (reading.text !== null && !(await isSliceOf(reading.text, chunk))) reading.differs ??= chunk.chunkIndex
  const terms = analyzeChunk(analyzer, chunk, { heading: headingOfRow(reading.row), language: reading.row.language })
  if (terms !== chunk.terms) reading.otherTermsAt ??= chunk.chunkIndex
}

async function reportDocument(
  memoryId: string,
  { row, text, seen, isDisordered, differs, noVectorAt, otherTermsAt }: DocumentCheck,
  note: (damage: IntegrityIssue) => void,
): Promise<void> {
  const about = (kind: IntegrityIssue['kind'], detail: string) =>
    note({ kind, memoryId, documentId: row.id, detail: `${row.title}: ${detail}` })
  const whole = await text?.finish()
  if (whole !== undefined && whole.characters !== row.character_count)
    about('wrong_text', `${whole.characters} of ${row.character_count} characters`)
  else if (whole !== undefined && row.content_hash !== null && whole.hash !== row.content_hash)
    about('wrong_text', 'its hash differs')
  else if (differs !== null) about('wrong_chunks', `chunk ${differs} differs from the text`)
  if (noVectorAt !== null) about('wrong_vectors', `chunk ${noVectorAt} has a vector of the wrong length`)
  // A chunk with wrong text also has wrong terms, and one repair fixes both.
  if (otherTermsAt !== null && differs === null)
    about('wrong_terms', `chunk ${otherTermsAt} has terms that do not match its text`)
  if (seen === row.chunk_count && isDisordered) about('missing_chunks', 'its chunk numbers are not consecutive')
}
