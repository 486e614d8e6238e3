import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { ZIP } from '../../parsers/formats.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { FetchedResource } from '../../url-fetch/url-fetcher.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { type AddContext, type AddDeps, createAddContext } from './add-context.ts'
import { addFile, type FileToAdd } from './add-file.ts'
import { addImage } from './add-image.ts'
import { addTexts } from './add-texts.ts'
import { addZip } from './add-zip.ts'
import type { IngestOptions, IngestService, UploadedFile } from './ingest.ts'
import type { IngestDeps } from './ingest-deps.ts'

/** Adds small documents within the request and large ones by a job. The steps are in `ingest/`. */
export function createIngestService(given: IngestDeps): IngestService {
  const deps: AddDeps = { ...given, deduplicating: createKeyedMutex(), unpacking: createKeyedMutex() }

  return {
    async addTexts(caller, memoryId, { documents, options, work }) {
      const add = await createAddContext(deps, { caller, memoryId, options, work })
      return addTexts(deps, add, documents)
    },

    async addFile(caller, memoryId, { file, url = null, fields, options, work }) {
      const add = await createAddContext(deps, { caller, memoryId, options, work })
      const type = await sniff(file)
      const recognition = toRecognitionPlan(options)
      const named = url === null ? {} : { namelessTitle: new URL(url).hostname }
      const origin = { sourceType: url === null ? 'file' : 'url', url, fields, ...named } as const
      return addFileOrZip(deps, add, { file, type, ...origin, recognition })
    },

    async addUrl(caller, memoryId, { url, fields, options, work }) {
      const add = await createAddContext(deps, { caller, memoryId, options, work })
      return addUrl(deps, add, { url, fields })
    },

    async addImage(caller, memoryId, { image, options, work }) {
      const add = await createAddContext(deps, { caller, memoryId, options: { ...options, enableOcr: true }, work })
      return addImage(deps, add, { image, options })
    },
  }
}

function addFileOrZip(deps: AddDeps, add: AddContext, file: FileToAdd): Promise<AddedDocuments | AcceptedDocuments> {
  return file.type.format === ZIP ? addZip(deps, add, file) : addFile(deps, add, file)
}

/** Recognition of scans in a document: fast mode, since a document may be a whole book. */
function toRecognitionPlan({ enableOcr, ocrMaxPages }: IngestOptions): RecognitionPlan {
  return { enabled: enableOcr, maxPages: ocrMaxPages, mode: 'fast', vision: true, languages: [] }
}

/**
 * Downloads a resource and adds the file as {@link addFile} does; removes the download at the end.
 * Rejects with `validation_failed`, `url_not_allowed`, `url_fetch_failed`, `url_too_large`, and
 * errors of the file.
 */
async function addUrl(
  deps: AddDeps,
  add: AddContext,
  { url, fields }: Pick<FileToAdd, 'fields'> & { url: string },
): Promise<AddedDocuments | AcceptedDocuments> {
  const { hostname } = deps.fetcher.requireUrl(url)
  const path = join(deps.temporaryDirectory, `download-${randomUUID()}`)
  try {
    const file = toFile(await deps.fetcher.fetchToFile(url, path, add.signal), path)
    // Code hosts serve an HTML page under the path of a README.md: trust the content type, not the
    // name.
    const type = await sniff(isPage(file) ? { ...file, filename: null } : file)
    const origin = { sourceType: 'url', url, fields, namelessTitle: hostname } as const
    return await addFileOrZip(deps, add, { file, type, ...origin, recognition: toRecognitionPlan(add.options) })
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
