import type { RecognizedImage } from '../../api/image.ts'
import type { AcceptedDocuments, AddedDocuments, TextDocument } from '../../api/ingest.ts'
import type { Caller } from '../caller.ts'
import type { Work } from '../request-work.ts'

/** Adds documents to memories. */
export type IngestService = {
  /** All or nothing. */
  addTexts(
    caller: Caller,
    memoryId: string,
    request: AddRequest & { documents: readonly TextDocument[] },
  ): Promise<AddedDocuments | AcceptedDocuments>
  addFile(
    caller: Caller,
    memoryId: string,
    request: AddRequest & { file: UploadedFile },
  ): Promise<AddedDocuments | AcceptedDocuments>
  /**
   * Downloads the resource of `url` and adds it as a file. Rejects also with what is wrong with the
   * URL or the download.
   */
  addUrl(
    caller: Caller,
    memoryId: string,
    request: AddRequest & { url: string },
  ): Promise<AddedDocuments | AcceptedDocuments>
  /**
   * Recognises the text of a picture and adds it; a picture without text adds nothing and is no
   * error.
   */
  addImage(
    caller: Caller,
    memoryId: string,
    request: { image: UploadedFile; options: ImageOptions; work: Work<RecognizedImage | AcceptedDocuments> },
  ): Promise<RecognizedImage | AcceptedDocuments>
}

type AddRequest = { options: IngestOptions; work: Work<AddedDocuments | AcceptedDocuments> }

/** How documents are added. */
export type IngestOptions = {
  async: boolean
  deduplicate: boolean
  enableOcr: boolean
  ocrMaxPages: number
  storeSource: boolean
  /** `null` when the caller named none. */
  embeddingModel: string | null
}

/** How a picture of text is added. */
export type ImageOptions = Omit<IngestOptions, 'enableOcr'> & {
  mode: 'fast' | 'accurate'
  /** Codes or names of languages; none: those of the settings. An unknown one is a warning. */
  languageHints: readonly string[]
}

/** A file that an upload has put on the local disk; whoever put it there removes it. */
export type UploadedFile = {
  path: string
  bytes: number
  filename: string | null
  declaredType: string | null
}
