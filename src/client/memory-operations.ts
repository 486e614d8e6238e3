/**
 * Parameters and result of every operation on memories.
 * Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
 */
import type { ChangedMemory, ImportedMemory, NewMemory } from './accounts.ts'
import type {
  AcceptedDocuments,
  AcceptedJob,
  AskAnswer,
  ExtractAnswer,
  FindAnswer,
  RecognizedImage,
  SearchAnswer,
  Verification,
} from './answers.ts'
import type { Evaluation, KnownQuestion } from './findings.ts'
import type { Filter, ImageOptions } from './requests.ts'
import type { ChangedCorrection, Correction, Memory, PageTotals, Warning } from './resources.ts'

/** Every operation on memories, by its identifier. */
export type MemoryOperations = {
  /** List memories. `GET /v1/memories` */
  listMemories: {
    query: {
      limit?: number
      cursor?: string
      projectId?: string
      name?: string
      createdAfter?: string
      createdBefore?: string
      sort?: '-createdAt' | 'createdAt' | 'name' | '-name'
    }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      memories: Memory[]
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
  /** Create a memory. `POST /v1/memories` */
  createMemory: {
    body: {
      /** Name of the memory. Names do not have to be unique. */
      name: string
      /** Description of the memory. */
      description?: string
      /** Identifier of an existing project to assign the memory to. */
      projectId?: string
      /**
       * Name of the project to assign the memory to, created if it does not exist. If projectId is
       * given as well, the names must match.
       */
      projectName?: string
      /**
       * Sizes of the chunks of all documents, which cannot be changed later. Without it, chunks
       * have about 1,000 characters, tables and short texts up to 2,000.
       */
      chunking?: {
        /** Maximum length of a chunk, in characters. */
        maxCharacters: number
        /**
         * Maximum length of the whole sentences that a chunk of prose repeats from the end of the
         * one before, in characters. At most half of maxCharacters.
         */
        overlap?: number
      }
    }
    answer: NewMemory
  }
  /** Get a memory. `GET /v1/memories/{id}` */
  getMemory: {
    path: { id: string }
    answer: Memory
  }
  /** Change a memory. `PATCH /v1/memories/{id}` */
  changeMemory: {
    path: { id: string }
    body: {
      /** New name of the memory. */
      name?: string
      /** New description. Null removes the description. */
      description?: string | null
      /** Project to assign the memory to. Null: no project. */
      projectId?: string | null
    }
    answer: ChangedMemory
  }
  /** Delete a memory. `DELETE /v1/memories/{id}` */
  deleteMemory: {
    path: { id: string }
    answer: null
  }
  /** Change the embedding model. `POST /v1/memories/{id}/reembed` */
  reembedMemory: {
    path: { id: string }
    body: {
      /**
       * Configured embedding model, by its own name (`static-multi`) or by its setting (`embedded`,
       * `openai:mini`).
       */
      embeddingModel: string
    }
    answer: AcceptedJob
  }
  /** Check the integrity of a memory. `GET /v1/memories/{id}/verify` */
  verifyMemory: {
    path: { id: string }
    answer: Verification
  }
  /** Export a memory. `GET /v1/memories/{id}/export` */
  exportMemory: {
    path: { id: string }
    answer: Response
  }
  /** Import a memory. `POST /v1/memories/import` */
  importMemory: { answer: ImportedMemory | AcceptedDocuments }
  /** Get page totals. `GET /v1/memories/{id}/pages` */
  countPages: {
    path: { id: string }
    answer: PageTotals
  }
  /** Find passages. `POST /v1/memories/{id}/find` */
  find: {
    path: { id: string }
    body: {
      /** Query: keywords or a question. */
      query: string
      /** Maximum number of hits. */
      topK?: number
      /** Search options. `limit` takes precedence over `topK`. */
      options?: {
        /**
         * Search mode: lexical (keywords), semantic (vectors) or hybrid (both). Defaults to `auto`,
         * which chooses one.
         */
        mode?: 'hybrid' | 'semantic' | 'lexical' | 'auto'
        /** Maximum number of hits. */
        limit?: number
        /** If true, wraps matches in `snippet` in `<mark>` tags. */
        highlight?: boolean
        /**
         * Documents with a lower score are not returned or counted. Does not apply to corrections.
         */
        minScore?: number
        /** If true, passages with the same text are one hit with the number of its `duplicates`. */
        collapseDuplicates?: boolean
        /** If true, explains the score of each hit. */
        explain?: boolean
        filter?: Filter
        /**
         * `nextCursor` of the answer before, to read the hits after it. The other fields must be
         * the same.
         */
        cursor?: string
        /** Document to explain: its rank, or the reason why it is not among the hits. */
        explainDocumentId?: string
      }
    }
    answer: FindAnswer
  }
  /** Find passages with default options. `POST /v1/memories/{id}/search` */
  search: {
    path: { id: string }
    body: {
      /** Query: keywords or a question. */
      query: string
      /** Maximum number of hits. */
      limit?: number
      /** Options. */
      options?: { filter?: Filter }
    }
    answer: SearchAnswer
  }
  /** Evaluate search quality. `POST /v1/memories/{id}/evaluate` */
  evaluate: {
    path: { id: string }
    body: {
      /** Questions to search for. */
      questions: KnownQuestion[]
      /** Number of documents to evaluate per question. */
      topK?: number
      /** Search modes to compare. */
      modes?: Array<'lexical' | 'semantic' | 'hybrid' | 'auto'>
      /** Options. */
      options?: { filter?: Filter }
    }
    answer: Evaluation
  }
  /** Answer a question with citations. `POST /v1/memories/{id}/ask` */
  ask: {
    path: { id: string }
    body: {
      /** Question to answer. Required unless `messages` is given. */
      question?: string
      /**
       * Conversation, oldest message first, instead of `question`. The last message is the question
       * of the user. A question that needs the messages before it is rewritten, and returned in
       * `rewrittenQuestion`.
       */
      messages?: Array<{
        /** Author of the message. */
        role: 'user' | 'assistant'
        /** Text of the message. */
        content: string
      }>
      /** Options of the answer. */
      options?: {
        /**
         * Ignored. The configured model always answers; the response returns its name in `model`.
         */
        model?: string
        /** Maximum number of passages used to answer. */
        maxContextChunks?: number
        /**
         * Minimum confidence of an answer; an answer below it is declined. The default, about 0.5,
         * declines answers that are likelier wrong than right; a lower value returns them. Ignored
         * if `confidence` is null.
         */
        minConfidence?: number
        /** If true, returns the retrieved passages in `sources`. */
        includeSources?: boolean
        filter?: Filter
      }
    }
    answer: AskAnswer
  }
  /** Extract structured data. `POST /v1/memories/{id}/extract` */
  extract: {
    path: { id: string }
    body: {
      /** Sections to extract, with at most 1000 fields in total. */
      sections: Array<{
        /** Identifier of the section, unique within the request. */
        id: string
        /** Display name of the section. */
        name: string
        /** Fields of the section. */
        fields: Array<{
          /** Identifier of the field, unique within the section. */
          key: string
          /** Label to search for. */
          label: string
          /**
           * Type of the value: date, currency, number, integer, percent, boolean, email, phone, url
           * or list. Any other type is treated as a string.
           */
          data_type?: string
        }>
      }>
      /** Description of the documents, in free text. */
      context?: string
      /** Options. */
      options?: { filter?: Filter }
    }
    answer: ExtractAnswer
  }
  /** Recognize text in an image. `POST /v1/memories/{id}/ocr` */
  recognizeImage: {
    path: { id: string }
    body: {
      /** Required. Image as base64, up to 27 MB, with or without a data URL prefix. */
      imageBase64?: string
      /** OCR mode. `fast` (default) runs one pass; `accurate` runs as many passes as needed. */
      mode?: 'fast' | 'accurate'
      /**
       * Languages of the text, such as `de`, `deu` or `German`. Unknown languages cause a warning.
       */
      languageHints?: string[]
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
      options?: ImageOptions
    }
    answer: RecognizedImage | AcceptedDocuments
  }
  /** Add a correction. `POST /v1/memories/{id}/correct` */
  correct: {
    path: { id: string }
    body: {
      /** Statement of the correction. */
      statement: string
      /** Topics of the correction. Searches match them like the statement. */
      topics?: string[]
      /** Weight of the correction relative to other corrections, above 0 and at most 10. */
      boost?: number
      /**
       * Time in the future from which searches ignore the correction. Without it, the correction
       * never expires.
       */
      expiresAt?: string
    }
    answer: Correction
  }
  /** List corrections. `GET /v1/memories/{id}/corrections` */
  listCorrections: {
    path: { id: string }
    query: { limit?: number; cursor?: string; include?: 'outranks' }
    answer: {
      /** Items of this page, newest first unless sorted otherwise. */
      corrections: Correction[]
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
  /** Add several corrections. `POST /v1/memories/{id}/corrections` */
  addCorrections: {
    path: { id: string }
    body: {
      /** Corrections to add. Either all of them are added or none. */
      corrections: Array<{
        /** Statement of the correction. */
        statement: string
        /** Topics of the correction. Searches match them like the statement. */
        topics?: string[]
        /** Weight of the correction relative to other corrections, above 0 and at most 10. */
        boost?: number
        /**
         * Time in the future from which searches ignore the correction. Without it, the correction
         * never expires.
         */
        expiresAt?: string
      }>
    }
    answer: {
      /**
       * Added corrections, in request order. Trailing items are omitted if the response would
       * exceed 4 MB; `ids` is always complete.
       */
      corrections: Correction[]
      /** Identifiers of all added corrections, in request order. */
      ids: string[]
      /** Number of added corrections. */
      count: number
    }
  }
  /** Change a correction. `PATCH /v1/memories/{id}/corrections/{documentId}` */
  changeCorrection: {
    path: { id: string; documentId: string }
    body: {
      /** Statement of the correction. */
      statement?: string
      /** Topics of the correction. Searches match them like the statement. */
      topics?: string[]
      /** New weight relative to other corrections, above 0 and at most 10. */
      boost?: number
      /**
       * Time in the future from which searches ignore the correction. Null: the correction never
       * expires.
       */
      expiresAt?: string | null
    }
    answer: ChangedCorrection
  }
}
