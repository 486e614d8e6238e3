import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type DocumentStock, listInlineTexts } from '../../database/memories/inventory.ts'
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
import type { Damage, MemoryDeps } from './damage.ts'

/** Whether a failure is of the file alone: the store answers, and the same was tried twice. */
type Outcome<Value> = { value: Value } | { failure: unknown }

type Asked = { memoryId: string; live: ReadonlyMap<string, DocumentStock>; signal: AbortSignal | undefined }

/**
 * Examines the memory file and every chunk in it. The number of chunks by document; `null` where the file is gone or cannot be read, which is one
 * damage then and not one a document. Rejects when the store does not answer.
 */
export async function examineFile(
  parts: MemoryDeps,
  { memoryId, live, signal }: Asked,
  note: (damage: Damage) => void,
): Promise<Map<string, number> | null> {
  const about = (kind: Damage['kind'], detail: string) => note({ kind, memoryId, documentId: null, detail })
  const expected = [...live.values()].reduce((sum, row) => sum + row.chunk_count, 0)
  const inspected = await tryTwice(parts, () => parts.memoryFile.inspect(memoryId))
  if ('failure' in inspected) {
    about('broken_memory_file', describe(inspected.failure))
    return null
  }
  if (inspected.value === null) {
    if (expected > 0) about('missing_memory_file', pluralize(expected, 'chunk'))
    return expected > 0 ? null : new Map()
  }
  if (!inspected.value.areIndexesReadable) {
    about('broken_index', 'not readable')
    // Opened with it, nothing can be read; what else there is shows once it is mended.
    return null
  }
  // Between a table and its index nothing is acknowledged.
  if (!inspected.value.hasTermsIndex && expected > 0) about('missing_index', pluralize(expected, 'chunk'))
  let sample: ChunkRow | null = null
  const memoryFile = {
    async *scan(id: string) {
      for await (const batch of parts.memoryFile.scan(id)) {
        signal?.throwIfAborted()
        sample ??= batch[0] ?? null
        yield batch
      }
    },
  }
  const read = await tryTwice(parts, async () => {
    const found: Damage[] = []
    const counts = await examineContents({ ...parts, memoryFile }, memoryId, {
      live,
      note: (damage) => void found.push(damage),
    })
    return { counts, found }
  })
  signal?.throwIfAborted()
  if ('failure' in read) {
    about('broken_memory_file', describe(read.failure))
    return null
  }
  const searched = sample === null ? { value: null } : await tryTwice(parts, () => searchFor(parts, memoryId, sample))
  if ('failure' in searched) about('broken_index', describe(searched.failure))
  for (const damage of read.value.found) note(damage)
  return read.value.counts
}

/** Asks every index once, by a chunk that is there. */
async function searchFor({ memoryFile }: MemoryDeps, memoryId: string, sample: ChunkRow | null): Promise<void> {
  if (sample === null) return
  await memoryFile.searchLexical(memoryId, sample.terms.split(' ').slice(0, 1), { limit: 1 })
  if (sample.vector.every(Number.isFinite)) await memoryFile.searchVector(memoryId, sample.vector, { limit: 1 })
}

/** Rejects where the store is down, for then nothing can be said of the file. */
async function tryTwice<Value>({ blobs }: MemoryDeps, work: () => Promise<Value>): Promise<Outcome<Value>> {
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

/** The first line of the reason, for whoever runs the service. */
function describe(failure: unknown): string {
  const { message, cause } = failure as Error
  return (cause instanceof Error ? cause.message : message).split('\n')[0]?.slice(0, 300) ?? ''
}

/** What is read. */
type ContentDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get'>
  memoryFile: Pick<MemoryFile, 'scan'>
  analyzer: Pick<Analyzer, 'terms'>
}

/** Chunks compared before others have their turn: some 3 ms. */
const CHUNKS_A_TURN = 64

/** What is found out about one document while its chunks come. */
type Reading = {
  row: DocumentStock
  text: TextSlices | null
  /** The numbers of chunks that came. */
  seen: number
  next: number
  isDisordered: boolean
  differs: number | null
  noVectorAt: number | null
  otherTermsAt: number | null
}

/**
 * Holds every chunk of these documents, in whatever order they come, to the texts they are slices of: each number once, the words of its place in the text, the
 * terms that these words make, a vector of length 1 or none; and each text to the hash of what was added.
 * Gives the number of chunks of every document there is a chunk of. A memory of any size takes the same room beside that.
 */
async function examineContents(
  parts: ContentDeps,
  memoryId: string,
  { live, note }: { live: ReadonlyMap<string, DocumentStock>; note: (damage: Damage) => void },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let reading: Reading | null = null
  for await (const batch of parts.memoryFile.scan(memoryId)) {
    const texts = await listInlineTexts(
      parts.db,
      [...new Set(batch.map(({ documentId }) => documentId))].filter((id) => live.get(id)?.inline === true),
    )
    for (const [at, chunk] of batch.entries()) {
      if (at % CHUNKS_A_TURN === 0) await nextTurn()
      counts.set(chunk.documentId, (counts.get(chunk.documentId) ?? 0) + 1)
      if (reading?.row.id !== chunk.documentId) {
        if (reading !== null) await finish(memoryId, reading, note)
        reading = await begin(parts, memoryId, { row: live.get(chunk.documentId), texts })
      }
      if (reading !== null) await compare(parts, reading, chunk)
    }
  }
  if (reading !== null) await finish(memoryId, reading, note)
  return counts
}

async function begin(
  parts: ContentDeps,
  memoryId: string,
  { row, texts }: { row: DocumentStock | undefined; texts: ReadonlyMap<string, string> },
): Promise<Reading | null> {
  if (row === undefined) return null
  const key = documentObject(memoryId, row.id, 'text')
  const text = await openTextSlices(parts.blobs, { inline: texts.get(row.id) ?? null, key })
  return { row, text, seen: 0, next: 0, isDisordered: false, differs: null, noVectorAt: null, otherTermsAt: null }
}

async function compare({ analyzer }: ContentDeps, reading: Reading, chunk: ChunkRow): Promise<void> {
  reading.seen += 1
  if (chunk.chunkIndex !== reading.next) reading.isDisordered = true
  reading.next = chunk.chunkIndex + 1
  if (!isUnitVector(chunk.vector)) reading.noVectorAt ??= chunk.chunkIndex
  if (reading.text !== null && !(await isSliceOf(reading.text, chunk))) reading.differs ??= chunk.chunkIndex
  const terms = analyzeChunk(analyzer, chunk, { heading: headingOfRow(reading.row), language: reading.row.language })
  if (terms !== chunk.terms) reading.otherTermsAt ??= chunk.chunkIndex
}

async function finish(
  memoryId: string,
  { row, text, seen, isDisordered, differs, noVectorAt, otherTermsAt }: Reading,
  note: (damage: Damage) => void,
): Promise<void> {
  const about = (kind: Damage['kind'], detail: string) =>
    note({ kind, memoryId, documentId: row.id, detail: `${row.title}: ${detail}` })
  const whole = await text?.finish()
  if (whole !== undefined && whole.characters !== row.character_count)
    about('wrong_text', `${whole.characters} of ${row.character_count} characters`)
  else if (whole !== undefined && row.content_hash !== null && whole.hash !== row.content_hash)
    about('wrong_text', 'its hash differs')
  else if (differs !== null) about('wrong_chunks', `chunk ${differs} says other than the text at its place`)
  if (noVectorAt !== null) about('wrong_vectors', `chunk ${noVectorAt} has a vector that is not of length 1`)
  // Of a chunk with other words they are other terms, too, and both are mended by the same.
  if (otherTermsAt !== null && differs === null)
    about('wrong_terms', `chunk ${otherTermsAt} has other terms than its words make`)
  if (seen === row.chunk_count && isDisordered) about('missing_chunks', 'its chunks are not numbered one by one')
}
