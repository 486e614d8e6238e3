/**
 * Parameters and result of every operation on documents.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { AcceptedDocuments, AddedDocuments } from './answers.ts'
import type { Filter, IngestOptions } from './requests.ts'
import type {
  ChangedDocument,
  Chunk,
  DeletedDocuments,
  DocumentWithPages,
  MemoryDocument,
  Warning,
} from './resources.ts'

/** Every operation on documents, by its identifier. */
export type DocumentOperations = {
  /** List documents. `GET /v1/memories/{id}/documents` */
  listDocuments: {
    path: { id: string }
    query: {
      limit?: number
      cursor?: string
      status?: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'
      tag?: string
      sourceType?: 'file' | 'text' | 'url' | 'ocr' | 'correction'
      name?: string
      title?: string
      filename?: string
      externalId?: string
      metadata?: string
      createdAfter?: string
      createdBefore?: string
      sort?: '-createdAt' | 'createdAt'
    }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      documents: MemoryDocument[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Add documents. `POST /v1/memories/{id}/documents` */
  addDocuments: {
    path: { id: string }
    body: {
      /** Texts to add. Either all of them are added or none. Required unless url is given. */
      documents?: Array<{
        /** Title of the document. */
        title?: string
        /** Text of the document. */
        text: string
        /** Tags of the document. Searches and lists can filter by tag. */
        tags?: string[]
        /** Key-value pairs for the document. Values are strings, numbers, booleans or null. */
        metadata?: Record<string, string | number | boolean | null>
        /**
         * Your own identifier of the document. Adding the same externalId again replaces the
         * document.
         */
        externalId?: string
      }>
      /**
       * HTTP or HTTPS URL to download, up to 100 MB. With options.async a job downloads it.
       * Required unless documents is given.
       */
      url?: string
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
       * Your own identifier of the document. Adding the same externalId again replaces the
       * document.
       */
      externalId?: string
      options?: IngestOptions
    }
    answer: AddedDocuments | AcceptedDocuments
  }
  /** Get a document. `GET /v1/memories/{id}/documents/{documentId}` */
  getDocument: {
    path: { id: string; documentId: string }
    answer: DocumentWithPages
  }
  /** Change a document. `PATCH /v1/memories/{id}/documents/{documentId}` */
  changeDocument: {
    path: { id: string; documentId: string }
    body: {
      /** New title, by which searches rank. */
      title?: string
      /** Tags of the document. Searches and lists can filter by tag. */
      tags?: string[]
      /** Key-value pairs for the document. Values are strings, numbers, booleans or null. */
      metadata?: Record<string, string | number | boolean | null>
      /** False hides the document from every search, ask and extract; true shows it again. */
      enabled?: boolean
    }
    answer: ChangedDocument
  }
  /** Delete a document. `DELETE /v1/memories/{id}/documents/{documentId}` */
  deleteDocument: {
    path: { id: string; documentId: string }
    answer: null
  }
  /** Delete documents. `POST /v1/memories/{id}/documents/delete` */
  deleteDocuments: {
    path: { id: string }
    body: {
      /** Documents or corrections to delete. Required unless filter is given. */
      ids?: string[]
      filter?: Filter
      /** If true, counts the documents and deletes nothing. */
      dryRun?: boolean
    }
    answer: DeletedDocuments
  }
  /** List the chunks of a document. `GET /v1/memories/{id}/documents/{documentId}/chunks` */
  listChunks: {
    path: { id: string; documentId: string }
    query: { limit?: number; cursor?: string }
    answer: {
      /** Items of this page, in order. */
      chunks: Chunk[]
      /** Cursor of the next page. Null on the last page. */
      nextCursor: string | null
      /** True if there is a next page. */
      hasMore: boolean
      /** Total number of items on all pages. */
      total: number
      /** Unknown query parameters. Absent if there were none. */
      warnings?: Warning[]
    }
  }
  /** Download the original. `GET /v1/memories/{id}/documents/{documentId}/source` */
  getDocumentSource: {
    path: { id: string; documentId: string }
    answer: Response
  }
  /** Get the extracted text. `GET /v1/memories/{id}/documents/{documentId}/text` */
  getDocumentText: {
    path: { id: string; documentId: string }
    answer: Response
  }
  /** Render a page. `GET /v1/memories/{id}/documents/{documentId}/pages/{page}.png` */
  getDocumentPage: {
    path: { id: string; documentId: string; page: string }
    query: { highlight?: string }
    answer: Response
  }
}
