import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SniffedType } from '../../parsers/parse-event.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { FetchedResource } from '../../url-fetch/url-fetcher.ts'
import type { UploadedFile } from './ingest.ts'
import type { IngestDeps } from './ingest-deps.ts'

/** A file from a URL, with its detected type. */
export type Download = { file: UploadedFile; type: SniffedType }

/**
 * Downloads a URL to a temporary file for `use`, and removes the file at the end. Rejects with
 * `validation_failed`, `url_not_allowed`, `url_fetch_failed`, `url_too_large`,
 * `unsupported_file_type`, the signal's reason, and as `use` does.
 */
export async function withDownload<Result>(
  { fetcher, temporaryDirectory }: Pick<IngestDeps, 'fetcher' | 'temporaryDirectory'>,
  { url, signal }: { url: string; signal: AbortSignal },
  use: (download: Download) => Promise<Result>,
): Promise<Result> {
  const path = join(temporaryDirectory, `download-${randomUUID()}`)
  try {
    const file = toFile(await fetcher.fetchToFile(url, path, signal), path)
    // Code hosts serve an HTML page under the path of a README.md: trust the content type, not the
    // name.
    const type = await sniff(isPage(file) ? { ...file, filename: null } : file)
    return await use({ file, type })
  } finally {
    await rm(path, { force: true })
  }
}

function isPage({ declaredType }: UploadedFile): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/.test(declaredType ?? '')
}

function toFile({ bytes, filename, contentType, charset }: FetchedResource, path: string): UploadedFile {
  const declaredType = contentType === null || charset === null ? contentType : `${contentType}; charset=${charset}`
  return { path, bytes, filename, declaredType }
}
