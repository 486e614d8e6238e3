/**
 * What every operation takes and gives, and where it is.
 * Printed from the OpenAPI document by `npm run docs`; do not edit.
 */
import type {
  AcceptedDocuments,
  AcceptedJob,
  AddedDocuments,
  AskAnswer,
  AskOnceAnswer,
  ExtractAnswer,
  FindAnswer,
  RecognizedImage,
  SearchAnswer,
} from './answers.ts'
import type {
  Account,
  Correction,
  DocumentWithPages,
  Evaluation,
  Health,
  ImageOptions,
  ImportedMemory,
  IngestOptions,
  Job,
  Key,
  KnownQuestion,
  Memory,
  MemoryDocument,
  NewKey,
  NewWebhook,
  Project,
  Readiness,
  Verification,
  Webhook,
  WebhookDelivery,
} from './resources.ts'

/** Every operation by its identifier. */
export type Operations = {
  /** Whether the process answers. `GET /health` */
  getHealth: { answer: Health }
  /** Whether database and object store work. `GET /health/ready` */
  getReadiness: { answer: Readiness }
  /** Organization, plan, limits and usage. `GET /v1/account` */
  getAccount: { answer: Account }
  /** List the keys. `GET /v1/keys` */
  listKeys: {
    query: { limit?: number; cursor?: string }
    answer: { keys: Key[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Make a key, shown this once. `POST /v1/keys` */
  createKey: {
    body: {
      name?: string
      scope?: 'organization' | 'memory'
      /** Makes a memory-scoped key for this memory. */
      memoryId?: string
      expiresAt?: string
    }
    answer: NewKey
  }
  /** Revoke a key. `DELETE /v1/keys/{id}` */
  revokeKey: {
    path: { id: string }
    answer: null
  }
  /** List the memories. `GET /v1/memories` */
  listMemories: {
    query: { limit?: number; cursor?: string; projectId?: string }
    answer: { memories: Memory[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Create a memory. `POST /v1/memories` */
  createMemory: {
    body: {
      name: string
      description?: string
      /** Assigns the memory to an existing project. */
      projectId?: string
      /** A project of this name is made if needed. */
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
    answer: { documents: MemoryDocument[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Add an uploaded file, texts, or what a URL names. `POST /v1/memories/{id}/documents` */
  addDocuments: {
    path: { id: string }
    body: {
      documents?: Array<{
        title?: string
        text: string
        tags?: string[]
        metadata?: Record<string, string | number | boolean | null>
        /** Adding it again replaces the document. */
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
      query: string
      topK?: number
      options?: {
        mode?: 'hybrid' | 'semantic' | 'lexical' | 'auto'
        limit?: number
        /** Wrap matches in snippet in mark tags. */
        highlight?: boolean
        /** Say why each hit has its score. */
        explain?: boolean
        /** Say where this document stands, or why it does not. */
        explainDocumentId?: string
        filter?: {
          tags?: string[]
          documentIds?: string[]
          metadata?: Record<string, string | number | boolean | null>
        }
      }
    }
    answer: FindAnswer
  }
  /** Find passages with the defaults of the service. `POST /v1/memories/{id}/search` */
  search: {
    path: { id: string }
    body: { query: string; limit?: number }
    answer: SearchAnswer
  }
  /** Answer a question from a memory, with citations. `POST /v1/memories/{id}/ask` */
  ask: {
    path: { id: string }
    body: {
      question: string
      options?: {
        /** A wish: the configured model answers, and model of the answer says which it was. */
        model?: string
        /** Passages that the answer is made of, at most. */
        maxContextChunks?: number
        /** Give these passages as sources. */
        includeSources?: boolean
      }
    }
    answer: AskAnswer
  }
  /** Answer a question over a text of the request; nothing of it is kept. `POST /v1/ask-once` */
  askOnce: {
    body: {
      question: string
      /** The text to answer over. It is not kept. */
      content: string
      /** A wish: the configured model answers, and model of the answer says which it was. */
      model?: string
      options?: {
        /** Passages that the answer is made of, at most. */
        maxContextChunks?: number
        /** Give these passages as sources. */
        includeSources?: boolean
      }
    }
    answer: AskOnceAnswer
  }
  /** Ask questions whose answers are known, and measure how well each mode finds them. `POST /v1/memories/{id}/evaluate` */
  evaluate: {
    path: { id: string }
    body: {
      questions: KnownQuestion[]
      /** Documents of each answer that count. */
      topK?: number
      modes?: Array<'lexical' | 'semantic' | 'hybrid' | 'auto'>
    }
    answer: Evaluation
  }
  /** Fill a schema of sections and fields from a memory. `POST /v1/memories/{id}/extract` */
  extract: {
    path: { id: string }
    body: {
      sections: Array<{
        id: string
        name: string
        fields: Array<{
          key: string
          /** What is searched for. */
          label: string
          /** date, currency, number, integer, percent, boolean, email, phone, url or list; anything else is a string. */
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
      /** fast, the default, reads the picture once; accurate as often as it takes. */
      mode?: 'fast' | 'accurate'
      /** Languages of the text, such as de, deu or German; an unknown one is a warning. */
      languageHints?: string[]
      options?: ImageOptions
    }
    answer: RecognizedImage | AcceptedDocuments
  }
  /** Add a correction, which matching searches bring first. `POST /v1/memories/{id}/correct` */
  correct: {
    path: { id: string }
    body: {
      statement: string
      topics?: string[]
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
    answer: { corrections: Correction[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Add several corrections, all or none. `POST /v1/memories/{id}/corrections` */
  addCorrections: {
    path: { id: string }
    body: {
      corrections: Array<{
        statement: string
        topics?: string[]
        boost?: number
        /** In the future: it is not found from then on. Without it, it holds for ever. */
        expiresAt?: string
      }>
    }
    answer: { corrections: Correction[]; ids: string[]; count: number }
  }
  /** List the jobs. `GET /v1/jobs` */
  listJobs: {
    query: { limit?: number; cursor?: string; status?: 'pending' | 'processing' | 'completed' | 'failed' | 'partial'; memoryId?: string }
    answer: { jobs: Job[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Read a job, at once or when it has ended. `GET /v1/jobs/{id}` */
  getJob: {
    path: { id: string }
    query: { wait?: number }
    answer: Job
  }
  /** Follow a job as server-sent events. `GET /v1/jobs/{id}/events` */
  watchJob: {
    path: { id: string }
    answer: Response
  }
  /** Cancel a pending or processing job. `POST /v1/jobs/{id}/cancel` */
  cancelJob: {
    path: { id: string }
    answer: Job
  }
  /** Do what a failed or partial job is missing. `POST /v1/jobs/{id}/retry` */
  retryJob: {
    path: { id: string }
    answer: Job
  }
  /** List the projects. `GET /v1/projects` */
  listProjects: {
    query: { limit?: number; cursor?: string }
    answer: { projects: Project[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Create a project. `POST /v1/projects` */
  createProject: {
    body: { name: string }
    answer: Project
  }
  /** Read a project. `GET /v1/projects/{id}` */
  getProject: {
    path: { id: string }
    answer: Project
  }
  /** Rename a project. `PUT /v1/projects/{id}` */
  updateProject: {
    path: { id: string }
    body: { name: string }
    answer: Project
  }
  /** Delete a project; its memories stay. `DELETE /v1/projects/{id}` */
  deleteProject: {
    path: { id: string }
    answer: null
  }
  /** List the webhooks. `GET /v1/webhooks` */
  listWebhooks: {
    query: { limit?: number; cursor?: string }
    answer: { webhooks: Webhook[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Make a webhook; its secret is shown this once. `POST /v1/webhooks` */
  createWebhook: {
    body: {
      /** http or https, and public. */
      url: string
      /** What is sent; everything when absent. */
      events?: Array<'job.completed' | 'job.failed' | 'job.partial'>
    }
    answer: NewWebhook
  }
  /** Read a webhook. `GET /v1/webhooks/{id}` */
  getWebhook: {
    path: { id: string }
    answer: Webhook
  }
  /** Delete a webhook with what waits for it. `DELETE /v1/webhooks/{id}` */
  deleteWebhook: {
    path: { id: string }
    answer: null
  }
  /** Send a test message now, and enable the webhook where it arrives. `POST /v1/webhooks/{id}/test` */
  testWebhook: {
    path: { id: string }
    answer: WebhookDelivery
  }
  /** List the attempts to deliver. `GET /v1/webhooks/{id}/deliveries` */
  listWebhookDeliveries: {
    path: { id: string }
    query: { limit?: number; cursor?: string }
    answer: { deliveries: WebhookDelivery[]; nextCursor: string | null; hasMore: boolean; total: number }
  }
  /** Compare metadata, memory file and objects of a memory, each chunk with its text. `GET /v1/memories/{id}/verify` */
  verifyMemory: {
    path: { id: string }
    answer: Verification
  }
  /** What this is and where to go on. `GET /` */
  getService: { answer: { service: string; version: string; links: Record<string, string> } }
  /** This document. `GET /openapi.json` */
  getOpenapi: { answer: Record<string, unknown> }
  /** What this process counts, as Prometheus reads it. `GET /metrics` */
  getMetrics: { answer: Response }
}

/** Method and path of every operation. */
export const PATHS = {
  getHealth: ['GET', '/health'],
  getReadiness: ['GET', '/health/ready'],
  getAccount: ['GET', '/v1/account'],
  listKeys: ['GET', '/v1/keys'],
  createKey: ['POST', '/v1/keys'],
  revokeKey: ['DELETE', '/v1/keys/{id}'],
  listMemories: ['GET', '/v1/memories'],
  createMemory: ['POST', '/v1/memories'],
  getMemory: ['GET', '/v1/memories/{id}'],
  deleteMemory: ['DELETE', '/v1/memories/{id}'],
  reembedMemory: ['POST', '/v1/memories/{id}/reembed'],
  exportMemory: ['GET', '/v1/memories/{id}/export'],
  importMemory: ['POST', '/v1/memories/import'],
  listDocuments: ['GET', '/v1/memories/{id}/documents'],
  addDocuments: ['POST', '/v1/memories/{id}/documents'],
  getDocument: ['GET', '/v1/memories/{id}/documents/{documentId}'],
  deleteDocument: ['DELETE', '/v1/memories/{id}/documents/{documentId}'],
  getDocumentSource: ['GET', '/v1/memories/{id}/documents/{documentId}/source'],
  getDocumentText: ['GET', '/v1/memories/{id}/documents/{documentId}/text'],
  getDocumentPage: ['GET', '/v1/memories/{id}/documents/{documentId}/pages/{page}.png'],
  find: ['POST', '/v1/memories/{id}/find'],
  search: ['POST', '/v1/memories/{id}/search'],
  ask: ['POST', '/v1/memories/{id}/ask'],
  askOnce: ['POST', '/v1/ask-once'],
  evaluate: ['POST', '/v1/memories/{id}/evaluate'],
  extract: ['POST', '/v1/memories/{id}/extract'],
  recognizeImage: ['POST', '/v1/memories/{id}/ocr'],
  correct: ['POST', '/v1/memories/{id}/correct'],
  listCorrections: ['GET', '/v1/memories/{id}/corrections'],
  addCorrections: ['POST', '/v1/memories/{id}/corrections'],
  listJobs: ['GET', '/v1/jobs'],
  getJob: ['GET', '/v1/jobs/{id}'],
  watchJob: ['GET', '/v1/jobs/{id}/events'],
  cancelJob: ['POST', '/v1/jobs/{id}/cancel'],
  retryJob: ['POST', '/v1/jobs/{id}/retry'],
  listProjects: ['GET', '/v1/projects'],
  createProject: ['POST', '/v1/projects'],
  getProject: ['GET', '/v1/projects/{id}'],
  updateProject: ['PUT', '/v1/projects/{id}'],
  deleteProject: ['DELETE', '/v1/projects/{id}'],
  listWebhooks: ['GET', '/v1/webhooks'],
  createWebhook: ['POST', '/v1/webhooks'],
  getWebhook: ['GET', '/v1/webhooks/{id}'],
  deleteWebhook: ['DELETE', '/v1/webhooks/{id}'],
  testWebhook: ['POST', '/v1/webhooks/{id}/test'],
  listWebhookDeliveries: ['GET', '/v1/webhooks/{id}/deliveries'],
  verifyMemory: ['GET', '/v1/memories/{id}/verify'],
  getService: ['GET', '/'],
  getOpenapi: ['GET', '/openapi.json'],
  getMetrics: ['GET', '/metrics'],
} as const
