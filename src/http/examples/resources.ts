/** One story that all examples tell: a help desk keeps its handbook in a memory, asks it, and corrects it. */

const EARLIER = '2026-11-21T09:46:42.453Z'
const LATER = '2026-11-21T09:46:42.829Z'

/** The identifiers of the story. */
export const IDS = {
  memory: 'mem_01m7yr0fcpf21vdwycsm3v8xpq',
  document: 'doc_01m7yr0fdrf21vdwyrjzjpfjva',
  scan: 'doc_01m7yz47z6f22bydhpmxf7tteg',
  picture: 'doc_01m7yz4brnf22bydka759z4dg0',
  correction: 'doc_01m7yz5c2kf22bydm1x8v5q3ws',
  job: 'job_01m7yz47z7f22bydhyt2v5jtks',
  project: 'prj_01m7yr0f7af21vdwxg2b9t4n6e',
  key: 'key_01m7yr0f5df21vdww3k7c1p8rm',
  webhook: 'whk_01m7yr0f6cf21vdwtn5e3h7kqd',
  message: 'msg_01m7yz50q4f22bydn8v2s6m1rc',
  delivery: 'dlv_01m7yz50t0f22bydnb4w9c5xgh',
  organization: 'org_01m7yr0f4bf21vdwvz6y0h2sjx',
  request: 'req_01m7yr0ff0f21vdwzq4d8e5kta',
} as const

/** The text of the handbook's passage on refunds, and its title. */
export const REFUNDS = 'Refunds go back to the card that paid, within five working days.'
export const HANDBOOK = 'Support handbook'

/** The memory of the help desk. */
export const MEMORY = {
  id: IDS.memory,
  name: 'Support KB',
  description: 'What the help desk knows',
  projectId: IDS.project,
  projectName: 'Help desk',
  status: 'ready',
  documentCount: 1,
  chunkCount: 1,
  correctionCount: 0,
  sizeBytes: 222,
  embeddingModel: 'static-en',
  createdAt: EARLIER,
  updatedAt: LATER,
}

/** The handbook, as lists show it. */
export const DOCUMENT = {
  id: IDS.document,
  memoryId: IDS.memory,
  title: HANDBOOK,
  filename: 'handbook.md',
  mimeType: 'text/markdown',
  sourceType: 'file',
  url: null,
  tags: ['handbook'],
  metadata: { department: 'support' },
  externalId: null,
  status: 'ready',
  sizeBytes: 222,
  pageCount: null,
  ocrPages: 0,
  chunkCount: 1,
  characterCount: 222,
  contentHash: '3f8a1c5d0b7e42966a0d9c81f4e27b35c6d8090a1b2c3d4e5f60718293a4b5c6',
  embeddingModel: MEMORY.embeddingModel,
  hasSource: true,
  jobId: null,
  error: null,
  createdAt: EARLIER,
  updatedAt: LATER,
  correction: null,
}

/** A job that has recognised a scan. */
export const JOB = {
  id: IDS.job,
  memoryId: IDS.memory,
  jobType: 'documentingestion',
  status: 'completed',
  progress: 100,
  message: 'Added 1 of 1 document, 4 chunks.',
  result: {
    documentsAdded: 1,
    documentsSkipped: 0,
    chunksCreated: 4,
    documentIds: [IDS.scan],
    totalBytes: 845_120,
    processingMs: 9120,
    warnings: [],
  },
  errorCode: null,
  isPartial: false,
  attempts: 1,
  createdAt: EARLIER,
  startedAt: EARLIER,
  completedAt: '2026-11-21T09:46:51.602Z',
}

/** The same job before a worker took it. */
export const PENDING_JOB = {
  id: IDS.job,
  memoryId: IDS.memory,
  jobType: JOB.jobType,
  status: 'pending',
  progress: 0,
  message: 'waiting for a worker',
  errorCode: null,
  isPartial: false,
  attempts: 0,
  createdAt: EARLIER,
  startedAt: null,
  completedAt: null,
}

/** The project of the memory. */
export const PROJECT = {
  id: IDS.project,
  name: 'Help desk',
  memoryCount: 1,
  createdAt: EARLIER,
  updatedAt: LATER,
}

/** A key for the memory alone. */
export const KEY = {
  id: IDS.key,
  name: 'helpdesk',
  keyPreview: 'rcl_Ys7J…NZTl',
  scope: 'memory',
  memoryId: IDS.memory,
  createdAt: EARLIER,
  lastUsedAt: null,
  expiresAt: '2027-11-21T00:00:00.000Z',
}

/** An organization beside the first. */
export const ORGANIZATION = { id: IDS.organization, name: 'Acme', plan: 'starter', createdAt: EARLIER }

/** A correction of the handbook. */
export const CORRECTION = {
  id: IDS.correction,
  memoryId: IDS.memory,
  statement: 'Since May, refunds arrive within two working days.',
  topics: ['refunds'],
  boost: 2,
  createdBy: { keyId: IDS.key, name: 'helpdesk' },
  expiresAt: null,
  isExpired: false,
  outranks: [
    {
      documentId: IDS.document,
      chunkId: `${IDS.document}.0`,
      title: HANDBOOK,
      page: null,
      snippet: REFUNDS,
      score: 0.604,
      scores: { lexical: 0.575, semantic: 0.612 },
    },
  ],
  lastOutranked: null,
  createdAt: LATER,
}

/** A webhook of the help desk. */
export const WEBHOOK = {
  id: IDS.webhook,
  url: 'https://hooks.example.com/recollect',
  events: ['job.completed', 'job.failed', 'job.partial'],
  status: 'enabled',
  disabledReason: null,
  consecutiveFailures: 0,
  failingSince: null,
  waiting: 0,
  createdAt: EARLIER,
}

/** The attempt that told it of the job. */
export const DELIVERY = {
  id: IDS.delivery,
  messageId: IDS.message,
  event: 'job.completed',
  jobId: IDS.job,
  attempt: 1,
  outcome: 'delivered',
  statusCode: 204,
  durationMs: 38,
  response: '',
  error: null,
  attemptedAt: '2026-11-21T09:46:51.640Z',
  nextAttemptAt: null,
}
