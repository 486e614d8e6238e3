import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createFingerprint } from '../../engine/similarity/fingerprint.ts'
import { ApiError } from '../../errors.ts'
import { parse } from '../../parsers/parse.ts'
import type { SourceFile } from '../../parsers/parser.ts'
import { listDocumentsOfJob, type PublishedDocument } from '../../store/ingest.ts'
import type { Document } from '../../store/schema.ts'
import type { JobWork } from '../job-handler.ts'
import { INLINE_TEXT_CHARACTERS, readyDocument } from './document-row.ts'
import { findDuplicate } from './find-duplicate.ts'
import { finishIngestion } from './finish-ingestion.ts'
import { type IndexedDocument, indexDocument } from './index-document.ts'
import type { IngestParts } from './ingest-parts.ts'
import type { IngestionPayload } from './ingestion-payload.ts'
import { getRemainingStorage } from './remaining-storage.ts'
import { requireWorking } from './require-working.ts'
import { createTextSpool, type TextSpool } from './text-spool.ts'
import { factsOf, indexingOf } from './waiting-document.ts'
import { createWriteBehind } from './write-behind.ts'

type File = NonNullable<IngestionPayload['file']>
type Reading = { row: Document; payload: IngestionPayload; file: File; source: SourceFile; spool: TextSpool }

/**
 * The work of a job that has a file: reads it in one pass of flat memory, and publishes the document in the
 * transaction that ends the job. What does not fit in the plan is left out, and the job ends `partial`.
 */
export async function ingestFile(
  parts: IngestParts,
  work: JobWork,
  payload: IngestionPayload & { file: File },
): Promise<void> {
  const started = performance.now()
  const [row] = await listDocumentsOfJob(parts.db, work.job.id)
  if (!row) throw new ApiError('document_not_found', { message: 'The document was deleted.' })
  const source = await fetchUpload(parts, row, payload.file)
  const reading = { row, payload, file: payload.file, source, spool: createTextSpool(parts.temporaryDirectory) }
  try {
    const duplicateOf = payload.deduplicate ? await findDuplicateFile(parts, work, reading) : null
    const read = duplicateOf === null ? await readFile(parts, work, reading) : null
    requireWorking(work)
    await finishIngestion(parts, work, payload, {
      published: read === null ? [] : [await storeFile(parts, reading, read)],
      duplicates: duplicateOf === null ? [] : [{ row, duplicateOf }],
      tooLarge: [],
      warnings: read?.warnings ?? [],
      elapsedMs: performance.now() - started,
    })
  } finally {
    await reading.spool.remove()
    await rm(source.path, { force: true })
  }
}

/** The staged upload as a local file, as the parsers need it. */
async function fetchUpload(parts: IngestParts, row: Document, file: File): Promise<SourceFile> {
  const content = await parts.blobs.get(`memories/${row.memory_id}/documents/${row.id}/upload`)
  if (content === null) {
    throw new ApiError('unprocessable_document', { message: 'The uploaded file is gone; add it again.' })
  }
  const path = join(parts.temporaryDirectory, `job-${randomUUID()}`)
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return { path, bytes: file.bytes, filename: file.filename, declaredType: file.declaredType }
}

async function findDuplicateFile(parts: IngestParts, work: JobWork, { row, file, source }: Reading) {
  const fingerprint = createFingerprint()
  work.report(0, 'comparing with the documents of the memory')
  for await (const event of parse(source, file.type)) {
    requireWorking(work)
    if ('block' in event) fingerprint.add(event.block.text)
  }
  return findDuplicate(parts.db, row.memory_id, fingerprint.digest(), [])
}

async function readFile(parts: IngestParts, work: JobWork, reading: Reading): Promise<IndexedDocument> {
  const { row, payload, file, source, spool } = reading
  const left = await getRemainingStorage(parts.db, row.organization_id, payload.planId)
  const room = left === null ? null : left - (payload.storeSource ? file.bytes : 0)
  if (room !== null && room <= 0) throw new ApiError('storage_quota_exceeded')
  const writer = createWriteBehind((rows) => parts.memoryFile.add(row.memory_id, rows))
  const indexed = await indexDocument(parts, indexingOf(row, payload, room), parse(source, file.type), {
    text: async (piece) => {
      requireWorking(work)
      await spool.write(piece)
    },
    chunks: async (rows) => {
      requireWorking(work)
      await writer.add(rows)
    },
    progress: (characters, chunks) => {
      const percent = Math.min(99, Math.floor((100 * characters) / Math.max(1, file.bytes)))
      work.report(percent, `indexed ${chunks} chunks`)
    },
  })
  await writer.finish()
  if (indexed.truncated && indexed.chunkCount === 0) throw new ApiError('storage_quota_exceeded')
  return indexed
}

async function storeFile(parts: IngestParts, reading: Reading, indexed: IndexedDocument): Promise<PublishedDocument> {
  const { row, payload, source, spool } = reading
  const folder = `memories/${row.memory_id}/documents/${row.id}`
  const written = await spool.finish()
  const inlineText = 'text' in written && written.text.length <= INLINE_TEXT_CHARACTERS ? written.text : null
  if ('path' in written) await parts.blobs.putFile(`${folder}/text`, written.path)
  else if (inlineText === null) await parts.blobs.put(`${folder}/text`, Buffer.from(written.text))
  if (payload.storeSource) await parts.blobs.putFile(`${folder}/source`, source.path)
  const at = parts.now().toISOString()
  return readyDocument(factsOf(row, payload), indexed, { inlineText, createdAt: row.created_at, at })
}
