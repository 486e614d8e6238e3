import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import type { Blobs } from '../../blobs/blobs.ts'
import { createFingerprint } from '../../engine/similarity/fingerprint.ts'
import type { ChunkRow, MemoryFile } from '../../memory-file/memory-file.ts'
import { type DocumentStock, listInlineTexts } from '../../store/inventory.ts'
import type { Tables } from '../../store/schema.ts'
import type { Damage } from './damage.ts'
import { readTextSlices, type TextSlices } from './text-slices.ts'

/** What is read. */
export type ContentParts = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'get'>
  memoryFile: Pick<MemoryFile, 'scan'>
}

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
}

/**
 * Holds every chunk of these documents, in whatever order they come, to the texts they are slices of: each number once, the words of its place in the text, a vector of numbers.
 * Gives the number of chunks of every document there is a chunk of. A memory of any size takes the same room beside that.
 */
export async function examineContents(
  parts: ContentParts,
  memoryId: string,
  live: ReadonlyMap<string, DocumentStock>,
  note: (damage: Damage) => void,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let reading: Reading | null = null
  for await (const batch of parts.memoryFile.scan(memoryId)) {
    const texts = await listInlineTexts(
      parts.db,
      [...new Set(batch.map(({ documentId }) => documentId))].filter((id) => live.get(id)?.inline === true),
    )
    for (const chunk of batch) {
      counts.set(chunk.documentId, (counts.get(chunk.documentId) ?? 0) + 1)
      if (reading?.row.id !== chunk.documentId) {
        if (reading !== null) await finish(parts, memoryId, reading, note)
        reading = await begin(parts, memoryId, live.get(chunk.documentId), texts)
      }
      if (reading !== null) await compare(reading, chunk)
    }
  }
  if (reading !== null) await finish(parts, memoryId, reading, note)
  return counts
}

async function begin(
  parts: ContentParts,
  memoryId: string,
  row: DocumentStock | undefined,
  texts: ReadonlyMap<string, string>,
): Promise<Reading | null> {
  if (row === undefined) return null
  const inline = texts.get(row.id)
  const content =
    inline === undefined
      ? await parts.blobs.get(textKey(memoryId, row.id))
      : Readable.from([Buffer.from(inline)], { objectMode: false })
  const text = content === null ? null : readTextSlices(content)
  return { row, text, seen: 0, next: 0, isDisordered: false, differs: null, noVectorAt: null }
}

async function compare(reading: Reading, chunk: ChunkRow): Promise<void> {
  reading.seen += 1
  if (chunk.chunkIndex !== reading.next) reading.isDisordered = true
  reading.next = chunk.chunkIndex + 1
  if (!chunk.vector.every(Number.isFinite)) reading.noVectorAt ??= chunk.chunkIndex
  const words = (await reading.text?.slice(chunk.startOffset, chunk.endOffset)) ?? chunk.text
  if (words !== chunk.text) reading.differs ??= chunk.chunkIndex
}

async function finish(
  parts: ContentParts,
  memoryId: string,
  { row, text, seen, isDisordered, differs, noVectorAt }: Reading,
  note: (damage: Damage) => void,
): Promise<void> {
  const about = (kind: Damage['kind'], detail: string) =>
    note({ kind, memoryId, documentId: row.id, detail: `${row.title}: ${detail}` })
  const characters = await text?.measure()
  const isShort = characters !== undefined && characters !== row.character_count
  if (isShort) about('wrong_text', `${characters} of ${row.character_count} characters`)
  else if (differs !== null && !(await isAsAdded(parts, memoryId, row))) about('wrong_text', 'its hash differs')
  else if (differs !== null) about('wrong_chunks', `chunk ${differs} says other than the text at its place`)
  if (noVectorAt !== null) about('wrong_vectors', `chunk ${noVectorAt} has a vector with what is no number`)
  if (seen === row.chunk_count && isDisordered) about('missing_chunks', 'its chunks are not numbered one by one')
}

/** Whether the whole text has the hash of what was added; the text is read anew, as few documents come here. */
async function isAsAdded({ db, blobs }: ContentParts, memoryId: string, row: DocumentStock): Promise<boolean> {
  if (row.content_hash === null) return true
  const inline = (await listInlineTexts(db, [row.id])).get(row.id)
  const content = inline === undefined ? await blobs.get(textKey(memoryId, row.id)) : null
  const whole = inline ?? (content === null ? '' : (await buffer(content)).toString())
  const fingerprint = createFingerprint()
  fingerprint.add(whole)
  return fingerprint.digest().hash === row.content_hash
}

function textKey(memoryId: string, documentId: string): string {
  return `memories/${memoryId}/documents/${documentId}/text`
}
