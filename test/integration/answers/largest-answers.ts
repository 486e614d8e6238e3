/**
 * The maximum answer size of every operation, and the maximum processor time for its largest
 * answer. Each new operation needs a bound derived from the limits of its inputs, or an entry as a
 * stream with its bound.
 */
import type { LargeMemory } from './large-memory.ts'

const KB = 1024
const MB = 1024 * KB
/**
 * A resource with short fields: a name of 1,000 characters, six bytes each when escaped, and a
 * description.
 */
const RESOURCE = 64 * KB
/** A page of a list with its frame. */
const LIST = 4 * MB + 16 * KB
/**
 * A document: metadata of 32,768 characters, tags of 20,000, a statement with as many of topics;
 * three bytes each.
 */
const DOCUMENT = 512 * KB

/** A request: the path with its query, and a JSON or form body. */
export type LargeRequest = { path: string; body?: object | FormData }

/**
 * The maximum bytes and seconds of processor time, and the largest requests; or the bound of a
 * stream.
 */
export type Bound = {
  maxBytes: number
  maxCpuSeconds: number
  requests: (memory: LargeMemory) => readonly LargeRequest[]
}
export type StreamBound = { stream: string }

/** A handler that reads or writes a few rows. */
const small = (path: (memory: LargeMemory) => string, body?: object): Bound => ({
  maxBytes: RESOURCE,
  maxCpuSeconds: 10,
  requests: (memory) => [{ path: path(memory), ...(body && { body }) }],
})
const list = (path: (memory: LargeMemory) => string): Bound => ({ ...small(path), maxBytes: LIST })
const inMemory =
  (rest = '') =>
  ({ memoryId }: LargeMemory) =>
    `/v1/memories/${memoryId}${rest}`

/** A sign of three bytes. */
const WIDE = '€'
/** The first day that usage is kept. */
const LONG_AGO = new Date(Date.now() - 89 * 24 * 3600_000).toISOString().slice(0, 10)
const NAME = WIDE.repeat(200)
const LONG_QUERY = Array.from({ length: 10_000 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
).join('')
/** As many distinct words as fit, and the words of the documents. */
const WORDS = `lift ${Array.from({ length: 2400 }, (_, at) => `w${at.toString(36)}x`).join(' ')}`

/**
 * By operation. Where the largest request would take minutes, a smaller request is sent, with the
 * bound of the largest.
 */
export const LARGEST_ANSWERS: Readonly<Record<string, Bound | StreamBound>> = {
  getHealth: small(() => '/health'),
  getReadiness: small(() => '/health/ready'),
  getAccount: small(() => '/v1/account'),
  // 51 series of 90 days, each with 15 figures of up to 10 digits.
  getUsage: { ...small(() => `/v1/usage?groupBy=memory&from=${LONG_AGO}`), maxBytes: 2 * MB },
  createKey: small(() => '/v1/keys', { name: NAME }),
  listKeys: list(() => '/v1/keys?limit=100'),
  getOwnKey: small(() => '/v1/keys/self'),
  revokeKey: small(() => '/v1/keys/key_none'),
  renameKey: small(() => '/v1/keys/key_none', { name: NAME }),
  createOrganization: small(() => '/v1/organizations', { name: NAME }),
  listOrganizations: list(() => '/v1/organizations?limit=100'),
  createMemory: small(() => '/v1/memories', { name: WIDE.repeat(1000), description: WIDE.repeat(5000) }),
  listMemories: list(() => '/v1/memories?limit=100'),
  getMemory: small(inMemory()),
  changeMemory: small(inMemory(), { name: WIDE.repeat(1000), description: WIDE.repeat(5000) }),
  deleteMemory: small(() => '/v1/memories/mem_none'),
  reembedMemory: small(inMemory('/reembed'), { embeddingModel: 'none' }),
  exportMemory: { stream: 'one piece of an entry at a time; the archive is as large as its memory' },
  importMemory: {
    maxBytes: RESOURCE,
    maxCpuSeconds: 20,
    requests: () => [{ path: '/v1/memories/import', body: formOf(Buffer.from('no archive')) }],
  },
  addDocuments: {
    // The list plus 10,000 identifiers and the warnings.
    maxBytes: LIST + MB,
    maxCpuSeconds: 120,
    requests: ({ spareId }) => [
      {
        path: `/v1/memories/${spareId}/documents`,
        body: { documents: Array.from({ length: 2000 }, () => ({ title: WIDE.repeat(1000), text: 'x' })) },
      },
    ],
  },
  listDocuments: list(inMemory('/documents?limit=100')),
  getDocument: {
    ...small(({ memoryId, documentId }) => `/v1/memories/${memoryId}/documents/${documentId}`),
    maxBytes: LIST + DOCUMENT,
  },
  listChunks: list(({ memoryId, documentId }) => `/v1/memories/${memoryId}/documents/${documentId}/chunks?limit=100`),
  // The identifiers that are not found, as sent: 1 MB of JSON.
  deleteDocuments: {
    ...small(inMemory('/documents/delete'), { ids: Array.from({ length: 10_000 }, (_, at) => `doc_${at}`) }),
    maxBytes: 2 * MB,
  },
  changeDocument: {
    ...small(({ memoryId, documentId }) => `/v1/memories/${memoryId}/documents/${documentId}`, { enabled: true }),
    maxBytes: DOCUMENT,
  },
  deleteDocument: small(inMemory('/documents/doc_none')),
  getDocumentSource: { stream: 'read from the store as it is sent; a file has 100 MB at most' },
  getDocumentText: { stream: 'read from the store as it is sent, or less than an inline text has' },
  getDocumentPage: { stream: 'one picture, whose edges have a limit of their own in parsers/images' },
  countPages: small(inMemory('/pages')),
  find: {
    maxBytes: LIST,
    maxCpuSeconds: 20,
    requests: ({ memoryId, documentId }) =>
      [LONG_QUERY, WORDS].map((query) => ({
        path: `/v1/memories/${memoryId}/find`,
        body: { query, topK: 100, options: { explain: true, highlight: true, explainDocumentId: documentId } },
      })),
  },
  findAcross: {
    maxBytes: LIST,
    maxCpuSeconds: 20,
    requests: ({ memoryId }) =>
      [LONG_QUERY, WORDS].map((query) => ({
        path: '/v1/find',
        body: { query, memoryIds: [memoryId], topK: 100, options: { explain: true, highlight: true } },
      })),
  },
  search: {
    maxBytes: LIST,
    maxCpuSeconds: 20,
    requests: ({ memoryId }) => [{ path: `/v1/memories/${memoryId}/search`, body: { query: WORDS, limit: 100 } }],
  },
  ask: {
    // Sources are hits; the answer quotes them with their titles.
    maxBytes: 2 * LIST,
    maxCpuSeconds: 60,
    requests: ({ memoryId }) =>
      [LONG_QUERY, WORDS].map((question) => ({
        path: `/v1/memories/${memoryId}/ask`,
        body: { question, options: { maxContextChunks: 100, includeSources: true } },
      })),
  },
  listModels: list(() => '/v1/models'),
  getModel: small(({ memoryId }) => `/v1/models/${memoryId}`),
  createChatCompletion: {
    maxBytes: 2 * LIST,
    maxCpuSeconds: 60,
    requests: ({ memoryId: model }) =>
      [LONG_QUERY, WORDS].map((content) => ({
        path: '/v1/chat/completions',
        body: { model, messages: [{ role: 'user', content }] },
      })),
  },
  createEmbeddings: {
    // A number has up to 25 characters.
    maxBytes: 2048 * 512 * 25,
    maxCpuSeconds: 20,
    requests: () => [
      { path: '/v1/embeddings', body: { model: 'static-multi', input: Array.from({ length: 2048 }, () => 'refunds') } },
    ],
  },
  searchVectorStore: {
    maxBytes: LIST,
    maxCpuSeconds: 20,
    requests: ({ memoryId }) => [
      { path: `/v1/vector_stores/${memoryId}/search`, body: { query: WORDS, max_num_results: 50 } },
    ],
  },
  askAcross: {
    maxBytes: 2 * LIST,
    maxCpuSeconds: 60,
    requests: ({ memoryId }) =>
      [LONG_QUERY, WORDS].map((question) => ({
        path: '/v1/ask',
        body: { question, memoryIds: [memoryId], options: { maxContextChunks: 100, includeSources: true } },
      })),
  },
  askOnce: {
    maxBytes: LIST,
    maxCpuSeconds: 60,
    requests: () => [
      {
        path: '/v1/ask-once',
        body: {
          question: WORDS,
          content: `The lift of ${WORDS} stands still.\n\n`.repeat(100),
          options: { maxContextChunks: 100, includeSources: true },
        },
      },
    ],
  },
  evaluate: {
    // 500 questions in four modes, each with the first 500 characters.
    maxBytes: 500 * 4 * (500 * 6 + 200),
    maxCpuSeconds: 120,
    requests: ({ memoryId, documentId }) => [
      {
        path: `/v1/memories/${memoryId}/evaluate`,
        body: {
          questions: Array.from({ length: 40 }, () => ({ query: WIDE.repeat(20_000), documentIds: [documentId] })),
          modes: ['lexical', 'semantic', 'hybrid', 'auto'],
        },
      },
    ],
  },
  extract: {
    // A field has a key twice, a label, a hint, a value of 200 characters three times, a snippet
    // and a title.
    maxBytes: 1000 * 18 * KB,
    maxCpuSeconds: 120,
    requests: ({ memoryId }) => [
      {
        path: `/v1/memories/${memoryId}/extract`,
        body: {
          sections: Array.from({ length: 2 }, (_, section) => ({
            id: `${section}${WIDE.repeat(490)}`,
            name: 'Lift',
            fields: Array.from({ length: 30 }, (_, field) => ({
              key: `${field}${WIDE.repeat(490)}`,
              label: `Number of lift ${field}`,
              data_type: WIDE.repeat(500),
            })),
          })),
        },
      },
    ],
  },
  recognizeImage: small(inMemory('/ocr'), { imageBase64: 'bm8gaW1hZ2U=' }),
  correct: {
    ...small(({ spareId }) => `/v1/memories/${spareId}/correct`, { statement: `Lift ${WIDE.repeat(9000)}` }),
    maxBytes: DOCUMENT,
  },
  addCorrections: {
    // The list plus all identifiers.
    maxBytes: LIST + 64 * KB,
    maxCpuSeconds: 120,
    requests: ({ spareId }) => [
      {
        path: `/v1/memories/${spareId}/corrections`,
        body: {
          corrections: Array.from({ length: 100 }, (_, at) => ({
            statement: `Lift ${at}: ${WIDE.repeat(9900)}`,
            topics: Array.from({ length: 50 }, (_, topic) => `${topic}${WIDE.repeat(190)}`),
          })),
        },
      },
    ],
  },
  changeCorrection: {
    ...small(({ memoryId, documentId }) => `/v1/memories/${memoryId}/corrections/${documentId}`, { boost: 3 }),
    maxBytes: DOCUMENT,
  },
  listCorrections: list(({ spareId }) => `/v1/memories/${spareId}/corrections?limit=100`),
  listJobs: list(() => '/v1/jobs?limit=100'),
  // 10,000 identifiers of documents, and 50 warnings.
  getJob: { ...small(({ jobId }) => `/v1/jobs/${jobId}`), maxBytes: MB },
  watchJob: { stream: 'an event is a job, and there are as many as it changes' },
  cancelJob: { ...small(({ jobId }) => `/v1/jobs/${jobId}/cancel`, {}), maxBytes: MB },
  retryJob: { ...small(({ jobId }) => `/v1/jobs/${jobId}/retry`, {}), maxBytes: MB },
  createProject: small(() => '/v1/projects', { name: NAME }),
  listProjects: list(() => '/v1/projects?limit=100'),
  getProject: small(({ projectId }) => `/v1/projects/${projectId}`),
  updateProject: small(({ projectId }) => `/v1/projects/${projectId}`, { name: `${NAME.slice(1)}!` }),
  deleteProject: small(() => '/v1/projects/prj_none'),
  createSource: {
    ...small(inMemory('/sources'), {
      type: 'website',
      website: { startUrls: Array.from({ length: 20 }, (_, at) => `https://example.com/${at}${'x'.repeat(8000)}`) },
    }),
    maxBytes: MB / 2,
  },
  listSources: list(inMemory('/sources?limit=100')),
  getSource: small(inMemory('/sources/src_none')),
  changeSource: small(inMemory('/sources/src_none'), { intervalMinutes: 60 }),
  deleteSource: small(inMemory('/sources/src_none')),
  runSource: small(inMemory('/sources/src_none/run'), {}),
  pauseSource: small(inMemory('/sources/src_none/pause'), {}),
  resumeSource: small(inMemory('/sources/src_none/resume'), {}),
  createWebhook: small(() => '/v1/webhooks', { url: `https://example.com/${'x'.repeat(2000)}` }),
  listWebhooks: list(() => '/v1/webhooks?limit=100'),
  getWebhook: small(() => '/v1/webhooks/whk_none'),
  deleteWebhook: small(() => '/v1/webhooks/whk_none'),
  testWebhook: small(() => '/v1/webhooks/whk_none/test', {}),
  listWebhookDeliveries: list(() => '/v1/webhooks/whk_none/deliveries?limit=100'),
  // 100 problems.
  verifyMemory: { ...small(inMemory('/verify')), maxBytes: 256 * KB, maxCpuSeconds: 60 },
  getService: small(() => '/'),
  getOpenapi: { ...small(() => '/openapi.json'), maxBytes: MB },
  getMetrics: { ...small(() => '/metrics'), maxBytes: 512 * KB },
  // No operation of the document, and the same ways lead to it: a tool writes 24,000 characters, as
  // text and as facts.
  mcp: {
    maxBytes: MB,
    maxCpuSeconds: 30,
    requests: ({ memoryId }) =>
      [
        { name: 'find', arguments: { memory: memoryId, query: WORDS, limit: 25 } },
        { name: 'ask', arguments: { memory: memoryId, question: WORDS } },
        { name: 'list_documents', arguments: { memory: memoryId, limit: 50 } },
      ].map((params) => ({ path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })),
  },
}

function formOf(file: Buffer<ArrayBuffer>): FormData {
  const form = new FormData()
  form.append('file', new Blob([file]), 'archive.tar.gz')
  return form
}
