import { confirmLease } from '../../../database/jobs/job-leases-table.ts'
import { LeaseLostError, savePayload } from '../../../database/jobs/jobs-table.ts'
import { listDocumentsOfJob, setDownloadedFile } from '../../../database/memories/document-writes.ts'
import { ApiError } from '../../../errors.ts'
import { ZIP } from '../../../parsers/formats.ts'
import { documentObject } from '../../document-objects.ts'
import { type JobWork, requireWorking } from '../../jobs/job-handler.ts'
import { titleFromName } from '../add-file.ts'
import { withDownload } from '../download.ts'
import type { IngestDeps } from '../ingest-deps.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

type DownloadDeps = Pick<IngestDeps, 'db' | 'blobs' | 'fetcher' | 'temporaryDirectory'>

/**
 * Downloads the URL of a job and stores the file as the upload of its document, as if the caller
 * had sent it. Returns the payload with the file. A payload that names no download, or whose
 * download is stored, is returned as it is: an attempt after a kill continues with the stored file.
 * Rejects with errors of the URL, the download and the type of the file.
 */
export async function downloadUpload(
  deps: DownloadDeps,
  work: JobWork,
  payload: IngestionPayload,
): Promise<IngestionPayload> {
  const { download } = payload
  if (download === undefined || payload.file !== null) return payload
  const [row] = await listDocumentsOfJob(deps.db, work.job.id)
  if (!row) throw new ApiError('document_not_found', { message: 'The document was deleted.' })
  const { id, memory_id: memoryId, url } = row
  if (url === null) throw new Error(`the document ${id} to download has no URL`)
  work.report(0, 'downloading')
  return withDownload(deps, { url, signal: work.signal }, async ({ file, type }) => {
    if (type.format === ZIP) throw archiveError()
    requireWorking(work)
    const { path, bytes, filename, declaredType } = file
    await deps.blobs.requireRoom(bytes)
    await deps.blobs.putFile(documentObject(memoryId, id, 'upload'), path)
    const stored = { ...payload, file: { bytes, filename, declaredType, type, ...download } }
    const lease = { jobId: work.job.id, leaseToken: work.leaseToken }
    await deps.db.transaction().execute(async (transaction) => {
      if (!(await confirmLease(transaction, lease))) throw new LeaseLostError(work.job.id)
      const title = titleFromName(filename) || new URL(url).hostname
      await setDownloadedFile(transaction, id, { filename, mimeType: type.mimeType, sizeBytes: bytes, title })
      await savePayload(transaction, lease, stored)
    })
    return stored
  })
}

/** The response has named one document already, and each member would need one. */
function archiveError(): ApiError {
  const message = 'The URL leads to a ZIP archive. Add it without options.async: each member becomes a document.'
  return new ApiError('unprocessable_document', { message })
}
