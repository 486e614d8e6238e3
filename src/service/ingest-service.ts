import { sniff } from '../parsers/sniff.ts'
import { addFile } from './ingest/add-file.ts'
import { addImage } from './ingest/add-image.ts'
import { addTexts } from './ingest/add-texts.ts'
import { addUrl } from './ingest/add-url.ts'
import { beginAdd, createAddEntries } from './ingest/begin-add.ts'
import type { IngestOptions, IngestService } from './ingest/ingest.ts'
import type { IngestParts } from './ingest/ingest-parts.ts'
import type { RecognitionPlan } from './reading/recognition.ts'

/** Adds documents to memories: small ones at once, large ones by a job. See `ingest/` for the steps. */
export function createIngestService(parts: IngestParts): IngestService {
  const addEntries = createAddEntries(parts)

  return {
    async addTexts(caller, memoryId, documents, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options, work })
      return addTexts(parts, addEntries, add, documents)
    },

    async addFile(caller, memoryId, file, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options, work })
      const type = await sniff(file)
      const recognition = toRecognitionPlan(options)
      return addFile(parts, addEntries, add, { file, type, sourceType: 'file', url: null, title: null, recognition })
    },

    async addUrl(caller, memoryId, url, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options, work })
      return addUrl(parts, addEntries, add, { url, recognition: toRecognitionPlan(options) })
    },

    async addImage(caller, memoryId, image, options, work) {
      const add = await beginAdd(parts, { caller, memoryId, options: { ...options, enableOcr: true }, work })
      return addImage(parts, addEntries, add, { image, options })
    },
  }
}

/** How scans of a document are treated: a whole book may come, so one pass a page has to do where no model is configured. */
function toRecognitionPlan({ enableOcr, ocrMaxPages }: IngestOptions): RecognitionPlan {
  return { enabled: enableOcr, maxPages: ocrMaxPages, mode: 'fast', vision: true, languages: [] }
}
