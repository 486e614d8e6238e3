/**
 * Options of requests.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */

export type Filter = {
  /** Only documents with all of these tags. */
  tags?: string[]
  /** Only these documents. An empty list matches none. */
  documentIds?: string[]
  /**
   * Conditions by metadata key: a value, or an object of operators, such as `{"year": {"$gte":
   * 2020}}`. Operators: `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`.
   * Beside keys, `$and` and `$or` take an array of such objects, `$not` an object. Numbers compare
   * with numbers, ISO 8601 dates with dates, other strings with strings. `$ne`, `$nin` and `$not`
   * also match documents without the key.
   */
  metadata?: Record<string, unknown>
  /** Only documents added after this time. ISO 8601 date or time, in UTC without a time zone. */
  createdAfter?: string
  /** Only documents added before this time. ISO 8601 date or time, in UTC without a time zone. */
  createdBefore?: string
  /** Only documents with this source. */
  sourceType?: 'file' | 'text' | 'url' | 'ocr' | 'correction'
}

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
