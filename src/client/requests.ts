/**
 * Options of requests.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */

export type ImageOptions = {
  /** OCR mode. `fast` (default) runs one pass; `accurate` runs as many passes as needed. */
  mode?: 'fast' | 'accurate'
  /** Languages of the text, such as `de`, `deu` or `German`. Unknown languages cause a warning. */
  languageHints?: string[]
  /** If true, always processes the documents in a background job. */
  async?: boolean
  /** If true, skips documents whose content is similar to an existing document. */
  deduplicate?: boolean
  /** Maximum number of pages per document on which OCR runs. */
  ocrMaxPages?: number
  /** If true, stores the original for GET …/source. */
  storeSource?: boolean
  /** Embedding model. The first document of a memory fixes its embedding model. */
  embeddingModel?: string
  /**
   * Title of the document. Default, also if empty: the title of the file. Not allowed for an
   * archive.
   */
  title?: string
  /** Tags of the document. Searches and lists can filter by tag. */
  tags?: string[]
  /** Key-value pairs for the document. Values are strings, numbers, booleans or null. */
  metadata?: Record<string, string | number | boolean | null>
  /**
   * Your own identifier of the document. Adding the same externalId again replaces the document.
   */
  externalId?: string
}

export type ImportOptions = {
  /** If true, always processes the documents in a background job. */
  async?: boolean
}

export type IngestOptions = {
  /** If true, always processes the documents in a background job. */
  async?: boolean
  /** If true, skips documents whose content is similar to an existing document. */
  deduplicate?: boolean
  /** If true, runs OCR on scanned and image-only PDF pages. */
  enableOcr?: boolean
  /** Maximum number of pages per document on which OCR runs. */
  ocrMaxPages?: number
  /** If true, stores the original for GET …/source. */
  storeSource?: boolean
  /** Embedding model. The first document of a memory fixes its embedding model. */
  embeddingModel?: string
  /**
   * Title of the document. Default, also if empty: the title of the file. Not allowed for an
   * archive.
   */
  title?: string
  /** Tags of the document. Searches and lists can filter by tag. */
  tags?: string[]
  /** Key-value pairs for the document. Values are strings, numbers, booleans or null. */
  metadata?: Record<string, string | number | boolean | null>
  /**
   * Your own identifier of the document. Adding the same externalId again replaces the document.
   */
  externalId?: string
}
