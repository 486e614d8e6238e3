import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { FetchedResource } from '../../url-fetch/url-fetcher.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { addFile } from './add-file.ts'
import { addImage } from './add-image.ts'
import { addTexts } from './add-texts.ts'
import { type Add, type AddEntries, beginAdd, createAddEntries } from './begin-add.ts'
import type { IngestOptions, IngestService, UploadedFile } from './ingest.ts'
import type { IngestDeps } from './ingest-deps.ts'

/** Adds documents to memories: small ones at once, large ones by a job. See `ingest/` for the steps. */
export function createIngestService(parts: IngestDeps): IngestService {
  const addEntries = createAddEntries(parts)

  return {
    async addTexts(caller, memoryId, documents, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options, work })
      return addTexts(parts, addEntries, { begun: add, documents })
    },

    async addFile(caller, memoryId, file, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options, work })
      const type = await sniff(file)
      const recognition = toRecognitionPlan(options)
      return addFile(parts, addEntries, {
        add,
        given: { file, type, sourceType: 'file', url: null, title: null, recognition },
      })
    },

    async addUrl(caller, memoryId, url, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options, work })
      return addUrl(parts, addEntries, add, { url, recognition: toRecognitionPlan(options) })
    },

    async addImage(caller, memoryId, image, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options: { ...options, enableOcr: true }, work })
      return addImage(parts, addEntries, { add, image, options })
    },
  }
}

/** How scans of a document are treated: a whole book may come, so one pass a page has to do where no model is configured. */
function toRecognitionPlan({ enableOcr, ocrMaxPages }: IngestOptions): RecognitionPlan {
  return { enabled: enableOcr, maxPages: ocrMaxPages, mode: 'fast', vision: true, languages: [] }
}

/** What is to be downloaded, and how its scans are read. */
type UrlToAdd = { url: string; recognition: RecognitionPlan }

/**
 * Downloads a resource and adds it as {@link addFile} does; the download is over, and its file removed, when this settles. Rejects
 * with `validation_failed`, `url_not_allowed`, `url_fetch_failed`, `url_too_large`, and with what is wrong with the file.
 */
async function addUrl(
  parts: IngestDeps,
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
    return await addFile(parts, addEntries, { add, given: { file, type, ...origin, recognition } })
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
