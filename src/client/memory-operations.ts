/**
 * Parameters and result of every operation on memories.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type {
  AcceptedDocuments,
  AcceptedJob,
  AddedDocuments,
  AskAnswer,
  ExtractAnswer,
  FindAnswer,
  RecognizedImage,
  SearchAnswer,
} from './answers.ts'
import type { Evaluation, KnownQuestion } from './findings.ts'
import type {
  Correction,
  DocumentWithPages,
  ImageOptions,
  ImportedMemory,
  IngestOptions,
  Memory,
  MemoryDocument,
  PageTotals,
  Verification,
} from './resources.ts'

/** Every operation on memories, by its identifier. */
export type MemoryOperations = {
  /** List the memories. `GET /v1/memories` */
  listMemories: {
    query: { limit?: number; cursor?: string; projectId?: string }
    answer: {
      /** The items of this page, newest first. */
      memories: Memory[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Create a memory. `POST /v1/memories` */
  createMemory: {
    body: {
      /** The name of the memory. Several memories may have the same. */
      name: string
      /** What the memory is for. */
      description?: string
      /** Assigns the memory to an existing project. */
      projectId?: string
      /** A project of this name is made if needed; beside projectId the name of that project. */
      projectName?: string
    }
    answer: Memory
  }
  /** Read a memory. `GET /v1/memories/{id}` */
  getMemory: {
    path: { id: string }
    answer: Memory
  }
  /** Delete a memory with all its documents. `DELETE /v1/memories/{id}` */
  deleteMemory: {
    path: { id: string }
    answer: null
  }
  /** Make all vectors of a memory anew with another embedding model, while the old ones answer. `POST /v1/memories/{id}/reembed` */
  reembedMemory: {
    path: { id: string }
    body: {
      /** A configured embedder by its own name (static-en) or as the setting has it (embedded, openai:mini). */
      embeddingModel: string
    }
    answer: AcceptedJob
  }
  /** Compare metadata, memory file and objects of a memory, each chunk with its text. `GET /v1/memories/{id}/verify` */
  verifyMemory: {
    path: { id: string }
    answer: Verification
  }
  /** Download a memory as one archive. `GET /v1/memories/{id}/export` */
  exportMemory: {
    path: { id: string }
    answer: Response
  }
  /** Make a memory of an archive. `POST /v1/memories/import` */
  importMemory: { answer: ImportedMemory | AcceptedDocuments }
  /** List the documents of a memory. `GET /v1/memories/{id}/documents` */
  listDocuments: {
    path: { id: string }
    query: { limit?: number; cursor?: string; status?: 'pending' | 'processing' | 'ready' | 'partial' | 'failed'; tag?: string; sourceType?: 'file' | 'text' | 'url' | 'ocr' | 'correction' }
    answer: {
      /** The items of this page, newest first. */
      documents: MemoryDocument[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Add an uploaded file, texts, or what a URL names. `POST /v1/memories/{id}/documents` */
  addDocuments: {
    path: { id: string }
    body: {
      /** The texts to add, all or none. Either these or url is given. */
      documents?: Array<{
        /** The title of the document. */
        title?: string
        /** The text of the document. */
        text: string
        /** The tags of the document, by which searches and lists can be filtered. */
        tags?: string[]
        /** Names and values of the metadata of a document: texts, numbers, truth values or null. */
        metadata?: Record<string, string | number | boolean | null>
        /** The caller's own identifier of the document. Adding it again replaces the document. */
        externalId?: string
      }>
      /** An http or https URL that the service downloads, 100 MB at most. */
      url?: string
      options?: IngestOptions
    }
    answer: AddedDocuments | AcceptedDocuments
  }
  /** Read a document and what became of its pages. `GET /v1/memories/{id}/documents/{documentId}` */
  getDocument: {
    path: { id: string; documentId: string }
    answer: DocumentWithPages
  }
  /** Delete a document or a correction. `DELETE /v1/memories/{id}/documents/{documentId}` */
  deleteDocument: {
    path: { id: string; documentId: string }
    answer: null
  }
  /** Count what became of the pages of all documents, and name those of which most failed. `GET /v1/memories/{id}/pages` */
  countPages: {
    path: { id: string }
    answer: PageTotals
  }
  /** Download the stored original, whole or a range. `GET /v1/memories/{id}/documents/{documentId}/source` */
  getDocumentSource: {
    path: { id: string; documentId: string }
    answer: Response
  }
  /** Read the extracted text, which all offsets count in. `GET /v1/memories/{id}/documents/{documentId}/text` */
  getDocumentText: {
    path: { id: string; documentId: string }
    answer: Response
  }
  /** See a page of a stored PDF or picture, with a passage marked. `GET /v1/memories/{id}/documents/{documentId}/pages/{page}.png` */
  getDocumentPage: {
    path: { id: string; documentId: string; page: string }
    query: { highlight?: string }
    answer: Response
  }
  /** Find passages: hybrid, semantic or lexical. `POST /v1/memories/{id}/find` */
  find: {
    path: { id: string }
    body: {
      /** What is looked for: words, or a question in whole sentences. */
      query: string
      /** The most passages of the answer. */
      topK?: number
      /** How to search. limit goes before topK. */
      options?: {
        /** How to search: by words, by meaning or by both; auto, the default, decides. */
        mode?: 'hybrid' | 'semantic' | 'lexical' | 'auto'
        /** The most passages of the answer. */
        limit?: number
        /** Whether matches in snippet are wrapped in mark tags. */
        highlight?: boolean
        /** Whether the answer says why each hit has its score. */
        explain?: boolean
        /** A document of which the answer says where it stands, or why it does not. */
        explainDocumentId?: string
        /** Which documents may be found. All conditions hold together. */
        filter?: {
          /** Only documents with all of these tags are found. */
          tags?: string[]
          /** Only these documents are found; none where the list is empty. */
          documentIds?: string[]
          /** Names and values of the metadata of a document: texts, numbers, truth values or null. */
          metadata?: Record<string, string | number | boolean | null>
        }
      }
    }
    answer: FindAnswer
  }
  /** Find passages with the defaults of the service. `POST /v1/memories/{id}/search` */
  search: {
    path: { id: string }
    body: {
      /** What is looked for: words, or a question in whole sentences. */
      query: string
      /** The most passages of the answer. */
      limit?: number
    }
    answer: SearchAnswer
  }
  /** Ask questions whose answers are known, and measure how well each mode finds them. `POST /v1/memories/{id}/evaluate` */
  evaluate: {
    path: { id: string }
    body: {
      /** The questions to ask. */
      questions: KnownQuestion[]
      /** The documents of each answer that count. */
      topK?: number
      /** How to search for each question. */
      modes?: Array<'lexical' | 'semantic' | 'hybrid' | 'auto'>
    }
    answer: Evaluation
  }
  /** Answer a question from a memory, with citations. `POST /v1/memories/{id}/ask` */
  ask: {
    path: { id: string }
    body: {
      /** What is asked. */
      question: string
      /** How to answer. */
      options?: {
        /** A wish: the configured model answers, and model of the answer says which it was. */
        model?: string
        /** The most passages that the answer is made of. */
        maxContextChunks?: number
        /** Whether the answer gives these passages as sources. */
        includeSources?: boolean
      }
    }
    answer: AskAnswer
  }
  /** Fill a schema of sections and fields from a memory. `POST /v1/memories/{id}/extract` */
  extract: {
    path: { id: string }
    body: {
      /** What is to be read, section by section; at most 1000 fields in all. */
      sections: Array<{
        /** The identifier of the section, which no other section has. */
        id: string
        /** The name of the section, for people. */
        name: string
        /** The fields of the section. */
        fields: Array<{
          /** The identifier of the field, which no other of its section has. */
          key: string
          /** What is searched for. */
          label: string
          /** The type of the value: date, currency, number, integer, percent, boolean, email, phone, url or list; anything else is a string. */
          data_type?: string
        }>
      }>
      /** What the material is, in free text. */
      context?: string
    }
    answer: ExtractAnswer
  }
  /** Read the text of a picture and add it. `POST /v1/memories/{id}/ocr` */
  recognizeImage: {
    path: { id: string }
    body: {
      /** Required: the picture as base64, at most 27 MB of it, with or without the prefix of a data URL. */
      imageBase64?: string
      /** How to read: fast, the default, reads the picture once, accurate as often as it takes. */
      mode?: 'fast' | 'accurate'
      /** The languages of the text, such as de, deu or German; an unknown one is a warning. */
      languageHints?: string[]
      options?: ImageOptions
    }
    answer: RecognizedImage | AcceptedDocuments
  }
  /** Add a correction, which matching searches bring first. `POST /v1/memories/{id}/correct` */
  correct: {
    path: { id: string }
    body: {
      /** What is so. */
      statement: string
      /** What the correction is about. */
      topics?: string[]
      /** How much the correction counts, above 0 and at most 10. */
      boost?: number
      /** In the future: it is not found from then on. Without it, it holds for ever. */
      expiresAt?: string
    }
    answer: Correction
  }
  /** List the corrections of a memory, with those that have expired. `GET /v1/memories/{id}/corrections` */
  listCorrections: {
    path: { id: string }
    query: { limit?: number; cursor?: string; include?: 'outranks' }
    answer: {
      /** The items of this page, newest first. */
      corrections: Correction[]
      /** The cursor of the next page; null on the last page. */
      nextCursor: string | null
      /** Whether a next page exists. */
      hasMore: boolean
      /** The items of all pages. */
      total: number
    }
  }
  /** Add several corrections, all or none. `POST /v1/memories/{id}/corrections` */
  addCorrections: {
    path: { id: string }
    body: {
      /** The corrections to add, all or none. */
      corrections: Array<{
        /** What is so. */
        statement: string
        /** What the correction is about. */
        topics?: string[]
        /** How much the correction counts, above 0 and at most 10. */
        boost?: number
        /** In the future: it is not found from then on. Without it, it holds for ever. */
        expiresAt?: string
      }>
    }
    answer: {
      /** The corrections in the order sent; the last are left out where all would be larger than 4 MB. ids has all. */
      corrections: Correction[]
      /** The identifiers of all corrections, in the order sent. */
      ids: string[]
      /** How many corrections were added. */
      count: number
    }
  }
}
