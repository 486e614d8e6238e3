import type { RecognizedImage } from '../../api/image.ts'
import type { AcceptedDocuments, AddedDocuments, TextDocument } from '../../api/ingest.ts'
import type { Caller } from '../caller.ts'
import type { Work } from '../request-work.ts'
import type { FileFields } from './given-fields.ts'

/** Adds documents to memories. */
export type IngestService = {
  /** Adds all texts or none. */
  addTexts(
    caller: Caller,
    memoryId: string,
    request: AddRequest & { documents: readonly TextDocument[] },
  ): Promise<AddedDocuments | AcceptedDocuments>
  /** `url`: where the file was downloaded. */
  addFile(
    caller: Caller,
    memoryId: string,
    request: AddRequest & { file: UploadedFile; url?: string | null; fields?: FileFields },
  ): Promise<AddedDocuments | AcceptedDocuments>
  /** Downloads a URL and adds the file. Also rejects with errors of the URL or the download. */
  addUrl(
    caller: Caller,
    memoryId: string,
    request: AddRequest & { url: string; fields?: FileFields },
  ): Promise<AddedDocuments | AcceptedDocuments>
  /**
   * Recognises the text of an image and adds the text; an image without text adds nothing and is
   * not an error.
   */
  addImage(
    caller: Caller,
    memoryId: string,
    request: { image: UploadedFile; options: ImageOptions; work: Work<RecognizedImage | AcceptedDocuments> },
  ): Promise<RecognizedImage | AcceptedDocuments>
}

type AddRequest = { options: IngestOptions; work: Work<AddedDocuments | AcceptedDocuments> }

/** Options of an add. */
export type IngestOptions = {
  async: boolean
  deduplicate: boolean
  enableOcr: boolean
  ocrMaxPages: number
  storeSource: boolean
  /** `null` when the caller named none. */
  embeddingModel: string | null
}

/** Options for adding an image. */
export type ImageOptions = Omit<IngestOptions, 'enableOcr'> & {
  mode: 'fast' | 'accurate'
  /** Language codes or names; empty: the configured languages. Unknown hints cause a warning. */
  languageHints: readonly string[]
  fields?: FileFields
}

/** An uploaded file on the local disk; removed by the uploader. */
export type UploadedFile = {
  path: string
  bytes: number
  filename: string | null
  declaredType: string | null
}
