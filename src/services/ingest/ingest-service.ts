import { sniff } from '../../parsers/sniff.ts'
import type { RecognitionPlan } from '../reading/recognition.ts'
import { addFile } from './add-file.ts'
import { addImage } from './add-image.ts'
import { addTexts } from './add-texts.ts'
import { addUrl } from './add-url.ts'
import { beginAdd, createAddEntries } from './begin-add.ts'
import type { IngestOptions, IngestService } from './ingest.ts'
import type { IngestParts } from './ingest-parts.ts'

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
