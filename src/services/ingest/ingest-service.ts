import type { AcceptedDocuments, AddedDocuments } from '../../api/ingest.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { ZIP } from '../../parsers/formats.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { type AddContext, type AddDeps, createAddContext } from './add-context.ts'
import { addFile, enqueueDownload, type FileToAdd, withDownload } from './add-file.ts'
import { addImage } from './add-image.ts'
import { addTexts } from './add-texts.ts'
import { addZip } from './add-zip.ts'
import type { IngestOptions, IngestService } from './ingest.ts'
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
 * Downloads a resource and adds the file as {@link addFile} does. With `async`, a job downloads it,
 * after the checks of the URL that need no network. Rejects with `validation_failed`,
 * `url_not_allowed`, `url_fetch_failed`, `url_too_large`, and errors of the file.
 */
async function addUrl(
  deps: AddDeps,
  add: AddContext,
  { url, fields }: Pick<FileToAdd, 'fields'> & { url: string },
): Promise<AddedDocuments | AcceptedDocuments> {
  const { hostname } = deps.fetcher.requireUrl(url)
  const recognition = toRecognitionPlan(add.options)
  const origin = { sourceType: 'url', url, fields, namelessTitle: hostname, recognition } as const
  if (add.options.async) return enqueueDownload(deps, add, origin)
  return withDownload(deps, { url, signal: add.signal }, (download) =>
    addFileOrZip(deps, add, { ...download, ...origin }),
  )
}
