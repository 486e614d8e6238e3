import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { FetchedResource } from '../../url-fetch/url-fetcher.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { addFile } from './add-file.ts'
import type { Add, AddEntries } from './begin-add.ts'
import type { IngestParts } from './ingest-parts.ts'
import type { UploadedFile } from './uploaded-file.ts'

/** What is to be downloaded, and how its scans are read. */
export type UrlToAdd = { url: string; recognition: RecognitionPlan }

/**
 * Downloads a resource and adds it as {@link addFile} does; the download is over, and its file removed, when this settles. Rejects
 * with `validation_failed`, `url_not_allowed`, `url_fetch_failed`, `url_too_large`, and with what is wrong with the file.
 */
export async function addUrl(
  parts: IngestParts,
  addEntries: AddEntries,
  add: Add,
  { url, recognition }: UrlToAdd,
): Promise<AddedDocuments | AcceptedDocuments> {
  const { hostname } = parts.fetcher.requireUrl(url)
  const path = join(parts.temporaryDirectory, `download-${randomUUID()}`)
  try {
    const file = toFile(await parts.fetcher.fetchToFile(url, path, add.signal), path)
    // Code hosts show a page at the path of a README.md: a server that says so is believed before the name.
    const type = await sniff(isPage(file) ? { ...file, filename: null } : file)
    const origin = { sourceType: 'url', url, title: null, namelessTitle: hostname } as const
    return await addFile(parts, addEntries, add, { file, type, ...origin, recognition })
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
