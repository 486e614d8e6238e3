/** What is added to a memory, and what came of it. */

import type { Caller } from '../caller.ts'
import type { Metadata } from '../documents/documents.ts'
import type { JobResource, JobResult } from '../jobs/jobs.ts'
import type { Work } from '../keep.ts'
import type { Warning } from '../warning.ts'
import type { UploadedFile } from './uploaded-file.ts'

export type IngestService = {
  /** All or nothing. */
  addTexts(
    caller: Caller,
    memoryId: string,
    documents: readonly TextDocument[],
    options: IngestOptions,
    work: Work<AddedDocuments | AcceptedDocuments>,
  ): Promise<AddedDocuments | AcceptedDocuments>
  addFile(
    caller: Caller,
    memoryId: string,
    file: UploadedFile,
    options: IngestOptions,
    work: Work<AddedDocuments | AcceptedDocuments>,
  ): Promise<AddedDocuments | AcceptedDocuments>
  /** Downloads what `url` names and adds it as a file. Rejects also with what is wrong with the URL or the download. */
  addUrl(
    caller: Caller,
    memoryId: string,
    url: string,
    options: IngestOptions,
    work: Work<AddedDocuments | AcceptedDocuments>,
  ): Promise<AddedDocuments | AcceptedDocuments>
  /** Recognises the text of a picture and adds it; a picture without text adds nothing and is no error. */
  addImage(
    caller: Caller,
    memoryId: string,
    image: UploadedFile,
    options: ImageOptions,
    work: Work<RecognizedImage | AcceptedDocuments>,
  ): Promise<RecognizedImage | AcceptedDocuments>
}

export type IngestOptions = {
  async: boolean
  deduplicate: boolean
  enableOcr: boolean
  ocrMaxPages: number
  storeSource: boolean
  /** `null` when the caller named none. */
  embeddingModel: string | null
}

export type TextDocument = {
  title: string
  text: string
  tags: readonly string[]
  metadata: Metadata
  externalId: string | null
}

/** How a picture of text is added. */
export type ImageOptions = Omit<IngestOptions, 'enableOcr'> & {
  mode: 'fast' | 'accurate'
  /** Codes or names of languages; none: those of the settings. An unknown one is a warning. */
  languageHints: readonly string[]
}

/** 200 of add-documents. */
export type AddedDocuments = JobResult & {
  status: 'completed'
  documents: {
    id: string | null
    title: string
    status: 'ready' | 'partial' | 'duplicate'
    chunkCount: number
    duplicateOf: string | null
  }[]
}

/** 202 of add-documents. */
export type AcceptedDocuments = {
  jobId: string
  pollUrl: string
  status: 'pending'
  reason: 'file_over_sync_threshold' | 'scanned_pages' | 'async_requested'
  documentIds: string[]
  job: JobResource
  warnings: Warning[]
}

/** 200 of ocr. `width` and `height` are those of the picture's first page, in pixels. */
export type RecognizedImage = Omit<JobResult, 'totalBytes'> & {
  text: string
  /** From 0 to 1, weighed by length; 0 without text. */
  confidence: number
  mode: 'fast' | 'accurate'
  engine: string
  languages: string[]
  width: number
  height: number
  /** `bbox` is left, top, width, height in pixels; `page` is there where the picture has more than one. */
  blocks: { text: string; confidence: number; bbox: [number, number, number, number]; page?: number }[]
  /** `null` when nothing was added. */
  documentId: string | null
  /** The document that has this text already, where the picture was left out for it. */
  duplicateOf: string | null
}
