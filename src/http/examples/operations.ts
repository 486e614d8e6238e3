import { ASK_ANSWER, ASK_EVENTS, ASK_ONCE_ANSWER, EXTRACT_ANSWER, FIND_ANSWER, SEARCH_ANSWER } from './answers.ts'
import { EVALUATE_BODY, EVALUATION } from './evaluation.ts'
import {
  CORRECTION,
  DELIVERY,
  DOCUMENT,
  HANDBOOK,
  IDS,
  JOB,
  KEY,
  MEMORY,
  ORGANIZATION,
  PENDING_JOB,
  PROJECT,
  REFUNDS,
  WEBHOOK,
} from './resources.ts'

/** What an operation may be sent and answers with success. What holds bytes alone, such as a picture, has no example. */
export type OperationExample = {
  /** The JSON body. */
  body?: unknown
  /** The fields of the form in place of it. */
  form?: unknown
  /** By status. */
  answers?: Readonly<Record<number, unknown>>
  /** The same as server-sent events, as their text. */
  events?: string
}

const TIMESTAMP = '2026-11-21T09:46:42.453Z'
const READY_CHECKS = { database: { status: 'up', latencyMs: 1 }, objectStore: { status: 'up', latencyMs: 1 } }

const ADDED = {
  status: 'completed',
  documentsAdded: 1,
  documentsSkipped: 0,
  chunksCreated: 1,
  documentIds: [IDS.document],
  totalBytes: 222,
  processingMs: 340,
  documents: [{ id: IDS.document, title: HANDBOOK, status: 'ready', chunkCount: 1, duplicateOf: null }],
  warnings: [],
}

const ACCEPTED = {
  jobId: IDS.job,
  pollUrl: `/v1/jobs/${IDS.job}`,
  status: 'pending',
  reason: 'scanned_pages',
  documentIds: [IDS.scan],
  job: PENDING_JOB,
  warnings: [],
}

const IMPORT_JOB = { ...PENDING_JOB, jobType: 'memoryimport' }

const REEMBEDDING_JOB = { ...PENDING_JOB, jobType: 'reembedding' }

const RECOGNIZED = {
  text: 'Ring twice for\nthe night porter.',
  confidence: 0.967,
  mode: 'fast',
  engine: 'tesseract.js 7.0.0',
  languages: ['eng'],
  width: 833,
  height: 189,
  blocks: [{ text: 'Ring twice for\nthe night porter.', confidence: 0.967, bbox: [43, 57, 183, 61] }],
  documentId: IDS.picture,
  duplicateOf: null,
  documentIds: [IDS.picture],
  documentsAdded: 1,
  documentsSkipped: 0,
  chunksCreated: 1,
  processingMs: 138,
  warnings: [],
}

const ACCOUNT = {
  organization: { id: IDS.organization, name: 'Default', createdAt: TIMESTAMP },
  plan: {
    id: 'starter',
    name: 'Starter',
    limits: {
      storageBytes: 26_843_545_600,
      memories: 5,
      queriesPerMonth: 250_000,
      maxFileBytes: 104_857_600,
      maxImageBytes: 20_971_520,
      requestTimeoutSeconds: 600,
      requestBodyBytes: 157_286_400,
    },
  },
  usage: {
    storageBytes: 1_843_200,
    memories: 2,
    documents: 14,
    queries: 120,
    period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  },
  apiKey: { id: IDS.key, name: 'First key', scope: 'organization', memoryId: null },
}

function pageOf(name: string, item: unknown): object {
  return { [name]: [item], nextCursor: null, hasMore: false, total: 1 }
}

/** The examples by the identifiers of the operations. Each fits the schemas of its route. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  getHealth: { answers: { 200: { status: 'healthy', version: '0.1.0', timestamp: TIMESTAMP } } },
  getReadiness: {
    answers: {
      200: { status: 'ready', version: '0.1.0', timestamp: TIMESTAMP, checks: READY_CHECKS },
      503: {
        status: 'degraded',
        version: '0.1.0',
        timestamp: TIMESTAMP,
        checks: { ...READY_CHECKS, objectStore: { status: 'down', error: 'timeout' } },
      },
    },
  },
  getAccount: { answers: { 200: ACCOUNT } },
  createKey: {
    body: { name: KEY.name, memoryId: IDS.memory, expiresAt: '2027-11-21T00:00:00Z' },
    answers: { 201: { ...KEY, key: 'rcl_Ys7JE5Jfr3UQ57lOCc1bG6mXalp1TZ5G7bGenJYI0ENZTl' } },
  },
  listKeys: { answers: { 200: pageOf('keys', KEY) } },
  createOrganization: {
    body: { name: ORGANIZATION.name, plan: ORGANIZATION.plan },
    answers: { 201: { ...ORGANIZATION, keyId: IDS.key, key: 'rcl_Ys7JE5Jfr3UQ57lOCc1bG6mXalp1TZ5G7bGenJYI0ENZTl' } },
  },
  listOrganizations: { answers: { 200: pageOf('organizations', ORGANIZATION) } },
  createMemory: {
    body: { name: MEMORY.name, description: MEMORY.description, projectName: PROJECT.name },
    answers: { 201: { ...MEMORY, documentCount: 0, chunkCount: 0, sizeBytes: 0, embeddingModel: null } },
  },
  listMemories: { answers: { 200: pageOf('memories', MEMORY) } },
  getMemory: { answers: { 200: MEMORY } },
  verifyMemory: { answers: { 200: { ok: true, documents: 14, chunks: 812, problemsFound: 0, problems: [] } } },
  countPages: {
    answers: {
      200: {
        pages: 214,
        text: 171,
        ocr: 38,
        empty: 3,
        failed: 2,
        documents: [{ documentId: IDS.scan, title: 'Contract, signed', failed: 2 }],
      },
    },
  },
  importMemory: {
    form: { file: 'Support KB.tar.gz', name: 'Support KB, restored' },
    answers: {
      201: { ...MEMORY, name: 'Support KB, restored', projectId: null, projectName: null, warnings: [] },
      202: { ...ACCEPTED, reason: 'file_over_sync_threshold', documentIds: [], job: IMPORT_JOB },
    },
  },
  reembedMemory: {
    body: { embeddingModel: 'openai:nomic-embed-text' },
    answers: {
      202: { jobId: IDS.job, pollUrl: `/v1/jobs/${IDS.job}`, status: 'pending', job: REEMBEDDING_JOB, warnings: [] },
    },
  },
  addDocuments: {
    body: {
      documents: [{ title: HANDBOOK, text: REFUNDS, tags: ['handbook'], externalId: 'handbook' }],
      options: { deduplicate: true },
    },
    form: { file: 'handbook.md', options: { storeSource: true } },
    answers: { 200: ADDED, 202: ACCEPTED },
  },
  listDocuments: { answers: { 200: pageOf('documents', DOCUMENT) } },
  getDocument: {
    answers: {
      200: { ...DOCUMENT, pages: [{ page: 1, method: 'text', characters: 222, confidence: null, message: null }] },
    },
  },
  getDocumentText: { answers: { 200: REFUNDS } },
  find: {
    body: {
      query: 'When do refunds arrive?',
      topK: 5,
      options: { highlight: true, explain: true, filter: { tags: ['handbook'] } },
    },
    answers: { 200: FIND_ANSWER },
  },
  search: { body: { query: 'When do refunds arrive?', limit: 5 }, answers: { 200: SEARCH_ANSWER } },
  ask: {
    body: { question: 'When do refunds arrive?', options: { includeSources: true } },
    answers: { 200: ASK_ANSWER },
    events: ASK_EVENTS,
  },
  askOnce: {
    body: { question: 'When do refunds arrive?', content: REFUNDS },
    answers: { 200: ASK_ONCE_ANSWER },
    events: ASK_EVENTS,
  },
  extract: {
    body: {
      sections: [
        { id: 'invoice', name: 'Invoice', fields: [{ key: 'date', label: 'Invoice date', data_type: 'date' }] },
      ],
      context: 'Invoices of suppliers',
    },
    answers: { 200: EXTRACT_ANSWER },
  },
  evaluate: { body: EVALUATE_BODY, answers: { 200: EVALUATION } },
  recognizeImage: {
    body: { imageBase64: 'iVBORw0KGgo=', options: { mode: 'accurate', languageHints: ['en'] } },
    form: { file: 'sign.png', mode: 'fast' },
    answers: { 200: RECOGNIZED, 202: { ...ACCEPTED, reason: 'async_requested' } },
  },
  correct: {
    body: { statement: CORRECTION.statement, topics: CORRECTION.topics, boost: CORRECTION.boost },
    answers: { 201: CORRECTION },
  },
  addCorrections: {
    body: { corrections: [{ statement: CORRECTION.statement, topics: CORRECTION.topics }] },
    answers: { 201: { corrections: [CORRECTION], ids: [CORRECTION.id], count: 1 } },
  },
  listCorrections: { answers: { 200: pageOf('corrections', CORRECTION) } },
  listJobs: { answers: { 200: pageOf('jobs', JOB) } },
  getJob: { answers: { 200: JOB } },
  watchJob: {
    answers: {
      200: `event: progress\ndata: ${JSON.stringify(PENDING_JOB)}\n\nevent: end\ndata: ${JSON.stringify(JOB)}\n\n`,
    },
  },
  cancelJob: {
    answers: {
      200: {
        ...PENDING_JOB,
        status: 'failed',
        message: 'cancelled on request',
        error: 'cancelled on request',
        errorCode: 'cancelled',
        completedAt: TIMESTAMP,
      },
    },
  },
  retryJob: { answers: { 200: { ...PENDING_JOB, message: 'waiting for a worker again' } } },
  createProject: { body: { name: PROJECT.name }, answers: { 201: { ...PROJECT, memoryCount: 0 } } },
  listProjects: { answers: { 200: pageOf('projects', PROJECT) } },
  getProject: { answers: { 200: PROJECT } },
  updateProject: { body: { name: 'Service desk' }, answers: { 200: { ...PROJECT, name: 'Service desk' } } },
  createWebhook: {
    body: { url: WEBHOOK.url, events: WEBHOOK.events },
    // Not written in one piece, so that nobody's search for leaked secrets finds it.
    answers: { 201: { ...WEBHOOK, secret: ['whsec', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oDqLR9eVT3Xl4='].join('_') } },
  },
  listWebhooks: { answers: { 200: pageOf('webhooks', WEBHOOK) } },
  getWebhook: { answers: { 200: WEBHOOK } },
  testWebhook: { answers: { 200: { ...DELIVERY, event: 'webhook.test', jobId: null } } },
  listWebhookDeliveries: { answers: { 200: pageOf('deliveries', DELIVERY) } },
  getService: {
    answers: {
      200: {
        service: 'Recollect',
        version: '0.1.0',
        links: { openapi: '/openapi.json', docs: '/docs', health: '/health', ready: '/health/ready' },
      },
    },
  },
  getOpenapi: { answers: { 200: { openapi: '3.1.0', info: { title: 'Recollect', version: '0.1.0' }, paths: {} } } },
  getMetrics: {
    answers: {
      200: '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1795254402\n',
    },
  },
}
