import { ACCOUNT_EXAMPLE, ORGANIZATION_EXAMPLE, USAGE_EXAMPLE } from '../api/account.ts'
import { ASK_EXAMPLES } from '../api/ask.ts'
import { CORRECTION_EXAMPLE } from '../api/correction.ts'
import { CHUNK_EXAMPLE, DOCUMENT_EXAMPLE, REPORT_EXAMPLES } from '../api/document.ts'
import { EVALUATE_BODY_EXAMPLE, EVALUATION_EXAMPLE } from '../api/evaluate.ts'
import { EARLIER, HANDBOOK, IDS, REFUNDS } from '../api/example-data.ts'
import { EXTRACT_EXAMPLES } from '../api/extract.ts'
import { HEALTH_EXAMPLES } from '../api/health.ts'
import { RECOGNIZED_EXAMPLE } from '../api/image.ts'
import { ADDING_EXAMPLES } from '../api/ingest.ts'
import { JOB_EXAMPLE, PENDING_JOB_EXAMPLE } from '../api/job.ts'
import { KEY_EXAMPLE, OWN_KEY_EXAMPLE } from '../api/key.ts'
import { MEMORY_EXAMPLE, PROJECT_EXAMPLE, VERIFICATION_EXAMPLE } from '../api/memory.ts'
import { OPENAI_EXAMPLES } from '../api/openai.ts'
import { SEARCH_EXAMPLES } from '../api/search.ts'
import { SOURCE_EXAMPLES } from '../api/source.ts'
import { pageExample } from '../api/values.ts'
import { DELIVERY_EXAMPLE, WEBHOOK_EXAMPLE } from '../api/webhook.ts'

/**
 * Example request and successful responses of an operation. Binary content, such as an image, has
 * no example.
 */
type OperationExample = {
  /** JSON body. */
  body?: unknown
  /** Form fields, as the alternative to the JSON body. */
  form?: unknown
  /** Responses by status. */
  answers?: Readonly<Record<number, unknown>>
  /** Response as server-sent events. */
  events?: string
}

/** Examples by `operationId`. Each example conforms to the schemas of its route. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  getHealth: { answers: { 200: HEALTH_EXAMPLES.health } },
  getReadiness: { answers: { 200: HEALTH_EXAMPLES.ready, 503: HEALTH_EXAMPLES.degraded } },
  getAccount: { answers: { 200: ACCOUNT_EXAMPLE } },
  getUsage: { answers: { 200: USAGE_EXAMPLE } },
  createKey: {
    body: { name: KEY_EXAMPLE.name, memoryId: IDS.memory, expiresAt: '2027-11-21T00:00:00Z' },
    answers: { 201: { ...KEY_EXAMPLE, key: 'rcl_Ys7JE5Jfr3UQ57lOCc1bG6mXalp1TZ5G7bGenJYI0ENZTl' } },
  },
  listKeys: { answers: { 200: pageExample('keys', KEY_EXAMPLE) } },
  getOwnKey: { answers: { 200: OWN_KEY_EXAMPLE } },
  renameKey: { body: { name: 'help desk' }, answers: { 200: { ...KEY_EXAMPLE, name: 'help desk', warnings: [] } } },
  createOrganization: {
    body: { name: ORGANIZATION_EXAMPLE.name, plan: ORGANIZATION_EXAMPLE.plan },
    answers: {
      201: { ...ORGANIZATION_EXAMPLE, keyId: IDS.key, key: 'rcl_Ys7JE5Jfr3UQ57lOCc1bG6mXalp1TZ5G7bGenJYI0ENZTl' },
    },
  },
  listOrganizations: { answers: { 200: pageExample('organizations', ORGANIZATION_EXAMPLE) } },
  createMemory: {
    body: { name: MEMORY_EXAMPLE.name, description: MEMORY_EXAMPLE.description, projectName: PROJECT_EXAMPLE.name },
    answers: {
      201: { ...MEMORY_EXAMPLE, documentCount: 0, chunkCount: 0, sizeBytes: 0, embeddingModel: null },
    },
  },
  listMemories: { answers: { 200: pageExample('memories', MEMORY_EXAMPLE) } },
  listModels: OPENAI_EXAMPLES.models,
  getModel: OPENAI_EXAMPLES.model,
  createChatCompletion: OPENAI_EXAMPLES.chat,
  createEmbeddings: OPENAI_EXAMPLES.embeddings,
  searchVectorStore: OPENAI_EXAMPLES.storeSearch,
  getMemory: { answers: { 200: MEMORY_EXAMPLE } },
  changeMemory: {
    body: { name: 'Support', description: null },
    answers: { 200: { ...MEMORY_EXAMPLE, name: 'Support', description: null, warnings: [] } },
  },
  verifyMemory: { answers: { 200: VERIFICATION_EXAMPLE } },
  countPages: { answers: { 200: REPORT_EXAMPLES.totals } },
  importMemory: {
    form: { file: 'Support KB.tar.gz', name: 'Support KB, restored' },
    answers: {
      201: { ...MEMORY_EXAMPLE, name: 'Support KB, restored', projectId: null, projectName: null, warnings: [] },
      202: {
        ...ADDING_EXAMPLES.accepted,
        reason: 'file_over_sync_threshold',
        documentIds: [],
        job: { ...PENDING_JOB_EXAMPLE, jobType: 'memoryimport' },
      },
    },
  },
  reembedMemory: {
    body: { embeddingModel: 'openai:nomic-embed-text' },
    answers: {
      202: {
        jobId: IDS.job,
        pollUrl: `/v1/jobs/${IDS.job}`,
        status: 'pending',
        job: { ...PENDING_JOB_EXAMPLE, jobType: 'reembedding' },
        warnings: [],
      },
    },
  },
  addDocuments: {
    body: {
      documents: [{ title: HANDBOOK, text: REFUNDS, tags: ['handbook'], externalId: 'handbook' }],
      options: { deduplicate: true },
    },
    form: { file: 'handbook.md', options: { storeSource: true } },
    answers: { 200: ADDING_EXAMPLES.added, 202: ADDING_EXAMPLES.accepted },
  },
  listDocuments: { answers: { 200: pageExample('documents', DOCUMENT_EXAMPLE) } },
  getDocument: {
    answers: {
      200: { ...DOCUMENT_EXAMPLE, pages: REPORT_EXAMPLES.pages },
    },
  },
  changeDocument: {
    body: { tags: ['handbook', '2026'], enabled: false },
    answers: { 200: { ...DOCUMENT_EXAMPLE, tags: ['handbook', '2026'], enabled: false, warnings: [] } },
  },
  deleteDocuments: {
    body: { filter: { tags: ['handbook'], createdBefore: '2026-01-01' }, dryRun: true },
    answers: { 200: { matched: 12, deleted: 0, dryRun: true, notFound: [], warnings: [] } },
  },
  listChunks: { answers: { 200: pageExample('chunks', CHUNK_EXAMPLE) } },
  getDocumentText: { answers: { 200: REFUNDS } },
  find: {
    body: {
      query: 'When are refunds paid?',
      topK: 5,
      options: { highlight: true, explain: true, filter: { tags: ['handbook'] } },
    },
    answers: { 200: SEARCH_EXAMPLES.find },
  },
  findAcross: {
    body: { query: 'When are refunds paid?', memoryIds: [IDS.memory] },
    answers: { 200: SEARCH_EXAMPLES.findAcross },
  },
  search: { body: { query: 'When are refunds paid?', limit: 5 }, answers: { 200: SEARCH_EXAMPLES.search } },
  ask: {
    body: { question: 'When are refunds paid?', options: { includeSources: true } },
    answers: { 200: ASK_EXAMPLES.ask },
    events: ASK_EXAMPLES.events,
  },
  askAcross: {
    body: { question: 'When are refunds paid?', memoryIds: [IDS.memory] },
    answers: { 200: ASK_EXAMPLES.ask },
    events: ASK_EXAMPLES.events,
  },
  askOnce: {
    body: { question: 'When are refunds paid?', content: REFUNDS },
    answers: { 200: ASK_EXAMPLES.once },
    events: ASK_EXAMPLES.events,
  },
  extract: { body: EXTRACT_EXAMPLES.body, answers: { 200: EXTRACT_EXAMPLES.answer } },
  evaluate: { body: EVALUATE_BODY_EXAMPLE, answers: { 200: EVALUATION_EXAMPLE } },
  recognizeImage: {
    body: { imageBase64: 'iVBORw0KGgo=', options: { mode: 'accurate', languageHints: ['en'] } },
    form: { file: 'sign.png', mode: 'fast' },
    answers: { 200: RECOGNIZED_EXAMPLE, 202: { ...ADDING_EXAMPLES.accepted, reason: 'async_requested' } },
  },
  correct: {
    body: {
      statement: CORRECTION_EXAMPLE.statement,
      topics: CORRECTION_EXAMPLE.topics,
      boost: CORRECTION_EXAMPLE.boost,
    },
    answers: { 201: CORRECTION_EXAMPLE },
  },
  addCorrections: {
    body: { corrections: [{ statement: CORRECTION_EXAMPLE.statement, topics: CORRECTION_EXAMPLE.topics }] },
    answers: { 201: { corrections: [CORRECTION_EXAMPLE], ids: [CORRECTION_EXAMPLE.id], count: 1 } },
  },
  changeCorrection: {
    body: { boost: 3, expiresAt: '2027-11-21T00:00:00Z' },
    answers: {
      200: { ...CORRECTION_EXAMPLE, boost: 3, expiresAt: '2027-11-21T00:00:00.000Z', outranks: null, warnings: [] },
    },
  },
  listCorrections: { answers: { 200: pageExample('corrections', CORRECTION_EXAMPLE) } },
  listJobs: { answers: { 200: pageExample('jobs', JOB_EXAMPLE) } },
  getJob: { answers: { 200: JOB_EXAMPLE } },
  watchJob: {
    answers: {
      200:
        `event: progress\ndata: ${JSON.stringify(PENDING_JOB_EXAMPLE)}\n\n` +
        `event: end\ndata: ${JSON.stringify(JOB_EXAMPLE)}\n\n`,
    },
  },
  cancelJob: {
    answers: {
      200: {
        ...PENDING_JOB_EXAMPLE,
        status: 'failed',
        message: 'cancelled on request',
        error: 'cancelled on request',
        errorCode: 'cancelled',
        completedAt: EARLIER,
      },
    },
  },
  retryJob: { answers: { 200: { ...PENDING_JOB_EXAMPLE, message: 'waiting for a worker (retry)' } } },
  createProject: { body: { name: PROJECT_EXAMPLE.name }, answers: { 201: { ...PROJECT_EXAMPLE, memoryCount: 0 } } },
  listProjects: { answers: { 200: pageExample('projects', PROJECT_EXAMPLE) } },
  getProject: { answers: { 200: PROJECT_EXAMPLE } },
  updateProject: { body: { name: 'Service desk' }, answers: { 200: { ...PROJECT_EXAMPLE, name: 'Service desk' } } },
  createWebhook: {
    body: { url: WEBHOOK_EXAMPLE.url, events: WEBHOOK_EXAMPLE.events },
    // Split, so that secret scanners do not report the example.
    answers: {
      201: { ...WEBHOOK_EXAMPLE, secret: ['whsec', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oDqLR9eVT3Xl4='].join('_') },
    },
  },
  createSource: SOURCE_EXAMPLES.created,
  listSources: { answers: { 200: pageExample('sources', SOURCE_EXAMPLES.source) } },
  getSource: { answers: { 200: SOURCE_EXAMPLES.source } },
  changeSource: SOURCE_EXAMPLES.changed,
  runSource: { answers: { 202: SOURCE_EXAMPLES.queued } },
  pauseSource: { answers: { 200: SOURCE_EXAMPLES.paused } },
  resumeSource: { answers: { 200: SOURCE_EXAMPLES.source } },
  listWebhooks: { answers: { 200: pageExample('webhooks', WEBHOOK_EXAMPLE) } },
  getWebhook: { answers: { 200: WEBHOOK_EXAMPLE } },
  testWebhook: { answers: { 200: { ...DELIVERY_EXAMPLE, event: 'webhook.test', jobId: null } } },
  listWebhookDeliveries: { answers: { 200: pageExample('deliveries', DELIVERY_EXAMPLE) } },
  getService: { answers: { 200: HEALTH_EXAMPLES.welcome } },
  getOpenapi: { answers: { 200: { openapi: '3.1.0', info: { title: 'Recollect', version: '0.1.0' }, paths: {} } } },
  getMetrics: {
    answers: {
      200:
        '# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n' +
        '# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1795254402\n',
    },
  },
}
