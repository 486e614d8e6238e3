/**
 * Services that keep nothing: every answer is fixed, every call is written down. Tests replace
 * single functions.
 */

import { Readable } from 'node:stream'
import { USAGE_EXAMPLE } from '../../../src/api/account.ts'
import type { AskAnswer, AskOnceAnswer } from '../../../src/api/ask.ts'
import type { CorrectionResource } from '../../../src/api/correction.ts'
import { CORRECTION_EXAMPLE } from '../../../src/api/correction.ts'
import type { DocumentResource } from '../../../src/api/document.ts'
import { CHUNK_EXAMPLE, DOCUMENT_EXAMPLE } from '../../../src/api/document.ts'
import { EVALUATION_EXAMPLE } from '../../../src/api/evaluate.ts'
import type { ExtractAnswer } from '../../../src/api/extract.ts'
import type { RecognizedImage } from '../../../src/api/image.ts'
import { RECOGNIZED_EXAMPLE } from '../../../src/api/image.ts'
import type { JobResource } from '../../../src/api/job.ts'
import { PENDING_JOB_EXAMPLE } from '../../../src/api/job.ts'
import { OWN_KEY_EXAMPLE } from '../../../src/api/key.ts'
import type { MemoryResource } from '../../../src/api/memory.ts'
import { MEMORY_EXAMPLE } from '../../../src/api/memory.ts'
import type { HitResource } from '../../../src/api/search.ts'
import { HIT_EXAMPLE } from '../../../src/api/search.ts'
import { SOURCE_EXAMPLES, type SourceResource } from '../../../src/api/source.ts'
import type { WebhookDeliveryResource, WebhookResource } from '../../../src/api/webhook.ts'
import { DELIVERY_EXAMPLE, WEBHOOK_EXAMPLE } from '../../../src/api/webhook.ts'
import type { Memory } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { PLANS } from '../../../src/limits.ts'
import type { AskEvent, AskRequest } from '../../../src/services/ask/ask-service.ts'
import type { Caller } from '../../../src/services/caller.ts'
import type { ExtractRequest } from '../../../src/services/extract/extract-service.ts'
import type { IdempotencyService } from '../../../src/services/nodes/idempotency-service.ts'
import type { Services } from '../../../src/services/services.ts'

const AT = '2026-11-21T08:00:00.000Z'

export const MEMORY_ID = 'mem_01k00000000000000000000000'
export const DOCUMENT_ID = 'doc_01k00000000000000000000000'
export const JOB_ID = 'job_01k00000000000000000000000'
export const ORGANIZATION_KEY = 'rcl_organization'
export const MEMORY_KEY = 'rcl_memory'

export const MEMORY: MemoryResource = {
  ...MEMORY_EXAMPLE,
  ...{ id: MEMORY_ID, description: null, projectId: null, projectName: null, embeddingModel: null },
  ...{ documentCount: 0, chunkCount: 0, sizeBytes: 0, createdAt: AT, updatedAt: AT },
}

export const JOB: JobResource = {
  ...PENDING_JOB_EXAMPLE,
  ...{ id: JOB_ID, memoryId: MEMORY_ID, message: 'waiting', createdAt: AT },
}

const DOCUMENT: DocumentResource = {
  ...DOCUMENT_EXAMPLE,
  ...{ id: DOCUMENT_ID, memoryId: MEMORY_ID, title: 'Handbook', tags: [], metadata: {}, contentHash: null },
  ...{ sizeBytes: 10, characterCount: 10, createdAt: AT, updatedAt: AT },
}

const { explanation: _, ...PLAIN_HIT } = HIT_EXAMPLE
const HIT: HitResource = {
  ...PLAIN_HIT,
  ...{ documentId: DOCUMENT_ID, chunkId: `${DOCUMENT_ID}.0`, title: 'Handbook', text: 'text', snippet: 'text' },
  ...{ score: 0.9, startOffset: 0, endOffset: 4, filename: null, section: null, tags: [], metadata: {}, createdAt: AT },
}

const CORRECTION: CorrectionResource = {
  ...CORRECTION_EXAMPLE,
  ...{ id: DOCUMENT_ID, memoryId: MEMORY_ID, statement: 's', topics: [], outranks: null, createdAt: AT },
}

const PROJECT = { id: 'prj_01k00000000000000000000000', name: 'P', memoryCount: 0, createdAt: AT, updatedAt: AT }
const KEY = {
  id: 'key_01k00000000000000000000000',
  name: 'CI',
  keyPreview: 'rcl_orga…tion',
  scope: 'organization' as const,
  role: 'admin' as const,
  memoryId: null,
  memoryIds: [],
  createdAt: AT,
  lastUsedAt: null,
  expiresAt: null,
}

export const ORGANIZATION_CALLER: Caller = {
  organizationId: 'org_1',
  keyId: KEY.id,
  keyName: 'CI',
  scope: 'organization',
  role: 'admin',
  memoryIds: null,
  planId: 'unlimited',
}

const MEMORY_CALLER: Caller = {
  ...ORGANIZATION_CALLER,
  keyId: 'key_2',
  scope: 'memory',
  memoryIds: [MEMORY_ID],
  role: 'writer',
}

/** Makes the organization's key a key of the installation as well. */
export const OPERATOR = { adminKey: ORGANIZATION_KEY, caller: ORGANIZATION_CALLER }

const CALLERS: Readonly<Record<string, Caller>> = {
  [ORGANIZATION_KEY]: ORGANIZATION_CALLER,
  [MEMORY_KEY]: MEMORY_CALLER,
}

function requireMemory(memoryId: string): void {
  if (memoryId !== MEMORY_ID) throw new ApiError('memory_not_found')
}

function requireDocument(memoryId: string, documentId: string): void {
  requireMemory(memoryId)
  if (documentId !== DOCUMENT_ID) throw new ApiError('document_not_found')
}

const END_OF_LIST = { nextCursor: null, hasMore: false, total: 1 }
const added = (warnings = []) => ({
  status: 'completed' as const,
  documentsAdded: 1,
  documentsSkipped: 0,
  chunksCreated: 1,
  documentIds: [DOCUMENT_ID],
  totalBytes: 4,
  processingMs: 1,
  documents: [{ id: DOCUMENT_ID, title: 'Handbook', status: 'ready' as const, chunkCount: 1, duplicateOf: null }],
  warnings,
})

const RECOGNIZED: RecognizedImage = {
  ...RECOGNIZED_EXAMPLE,
  ...{ text: 'HELLO', confidence: 0.94, engine: 'fake 1', width: 100, height: 50, processingMs: 1 },
  blocks: [{ text: 'HELLO', confidence: 0.94, bbox: [1, 2, 30, 10] }],
  ...{ documentId: DOCUMENT_ID, documentIds: [DOCUMENT_ID] },
}

/** Finds every field, at one place. */
function extracted(memoryId: string, { sections }: Pick<ExtractRequest, 'sections'>): ExtractAnswer {
  const source = { documentId: DOCUMENT_ID, chunkId: HIT.chunkId, title: 'Handbook', page: 1, snippet: 'v' }
  const found = { found: true, value: 'v', rawValue: 'v', confidence: 0.9 }
  const described = sections.map(({ id, name, fields }) => ({
    id,
    name,
    fields: fields.map(({ key, label, dataType }) => {
      return { key, label, data_type: dataType, ...found, sources: [{ ...source, startOffset: 0, endOffset: 1 }] }
    }),
  }))
  const fieldsTotal = described.flatMap(({ fields }) => fields).length
  const counts = { fieldsTotal, fieldsFound: fieldsTotal }
  return { memoryId, values: {}, sections: described, ...counts, model: 'extractive', warnings: [] }
}

const QUOTE = { index: 1, startOffset: 0, endOffset: 4, answerStart: 5, answerEnd: 8 }
const PASSAGE = { index: 1, snippet: 'text', text: 'text', startOffset: 0, endOffset: 4, score: 0.9 }

/** Every question has the same answer. */
function answered({ question, model, includeSources }: AskRequest): AskOnceAnswer {
  return {
    question,
    answer: 'text [1]',
    model: 'extractive',
    requestedModel: model ?? 'gpt-4',
    answered: true,
    confidence: 0.9,
    citations: [QUOTE],
    sources: includeSources ? [PASSAGE] : [],
    usage: { retrieved: 1, promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    stats: { retrievalMs: 1, generationMs: 1, totalMs: 2 },
    grounding: null,
    warnings: [],
  }
}

function answeredFromMemory(request: AskRequest): AskAnswer {
  const place = { documentId: DOCUMENT_ID, chunkId: HIT.chunkId, title: 'Handbook', page: null, correction: null }
  const { citations, sources, ...answer } = answered(request)
  return {
    ...answer,
    citations: citations.map((citation) => ({ ...citation, ...place })),
    sources: sources.map((source) => ({ ...source, ...place, filename: null, kind: 'document' })),
  }
}

async function* tell<Answer extends AskAnswer | AskOnceAnswer>(answer: Answer): AsyncGenerator<AskEvent<Answer>> {
  yield { type: 'token', text: answer.answer }
  for (const citation of answer.citations) yield { type: 'citation', citation }
  yield { type: 'done', answer }
}

const WEBHOOK: WebhookResource = { ...WEBHOOK_EXAMPLE, id: 'whk_1', createdAt: AT }

const DELIVERY: WebhookDeliveryResource = { ...DELIVERY_EXAMPLE, event: 'webhook.test', jobId: null }

const SOURCE: SourceResource = { ...SOURCE_EXAMPLES.source, memoryId: MEMORY_ID }

const ORGANIZATION = { id: 'org_1', name: 'Acme', plan: 'free', createdAt: KEY.createdAt } as const

/** The calls that reached the services: the name and the client's input. */
export type Calls = [name: string, ...input: unknown[]][]

export function createFakeServices(): { services: Services; calls: Calls } {
  const calls: Calls = []
  const record = <Value>(value: Value, ...call: [string, ...unknown[]]): Promise<Value> => {
    calls.push(call)
    return Promise.resolve(value)
  }
  const services: Services = {
    keys: {
      authenticate: async (presented) => CALLERS[presented] ?? null,
      create: (_caller, input) => record({ ...KEY, key: 'rcl_once' }, 'keys.create', input),
      list: (_caller, page) => record({ keys: [KEY], ...END_OF_LIST }, 'keys.list', page),
      getOwn() {
        calls.push(['keys.getOwn'])
        return OWN_KEY_EXAMPLE
      },
      rename: (_caller, keyId, name) => record({ ...KEY, name }, 'keys.rename', keyId),
      revoke: (_caller, keyId) => record(undefined, 'keys.revoke', keyId),
    },
    organizations: {
      create: (input) => record({ ...ORGANIZATION, keyId: KEY.id, key: 'rcl_once' }, 'organizations.create', input),
      list: (page) => record({ organizations: [ORGANIZATION], ...END_OF_LIST }, 'organizations.list', page),
    },
    sources: {
      create: (_caller, memoryId, { sent }) => record(SOURCE, 'sources.create', memoryId, sent),
      list: (_caller, memoryId, page) => record({ sources: [SOURCE], ...END_OF_LIST }, 'sources.list', memoryId, page),
      get: (_caller, key) => record(SOURCE, 'sources.get', key),
      change: (_caller, key, sent) => record(SOURCE, 'sources.change', key, sent),
      delete: (_caller, key, { withDocuments }) => record(undefined, 'sources.delete', key, withDocuments),
      runNow: (_caller, key) => record(SOURCE, 'sources.runNow', key),
      pause: (_caller, key) => record(SOURCE, 'sources.pause', key),
      resume: (_caller, key) => record(SOURCE, 'sources.resume', key),
    },
    webhooks: {
      create: (_caller, input) => record({ ...WEBHOOK, secret: 'whsec_once' }, 'webhooks.create', input),
      list: (_caller, page) => record({ webhooks: [WEBHOOK], ...END_OF_LIST }, 'webhooks.list', page),
      get: (_caller, webhookId) => record(WEBHOOK, 'webhooks.get', webhookId),
      delete: (_caller, webhookId) => record(undefined, 'webhooks.delete', webhookId),
      test: (_caller, webhookId) => record(DELIVERY, 'webhooks.test', webhookId),
      listDeliveries: (_caller, webhookId, page) =>
        record({ deliveries: [DELIVERY], ...END_OF_LIST }, 'webhooks.listDeliveries', webhookId, page),
    },
    account: {
      get: async () => ({
        organization: { id: 'org_1', name: 'O', createdAt: AT },
        plan: PLANS.unlimited,
        usage: { storageBytes: 0, memories: 1, documents: 0, queries: 0, period: { start: AT, end: AT } },
        apiKey: null,
      }),
      countQuery: () => record(undefined, 'account.countQuery'),
    },
    archive: {
      export: (_caller, memoryId) => {
        requireMemory(memoryId)
        return record({ content: Readable.from(['gz']), filename: 'Support KB.tar.gz' }, 'archive.export', memoryId)
      },
      import: (_caller, { filename }, { options }) =>
        record({ ...MEMORY, warnings: [] }, 'archive.import', { filename, ...options }),
    },
    ask: {
      ask: (_searched, request) => record(answeredFromMemory(request), 'ask.ask', request),
      askOnce: (_caller, request) => record(answered(request), 'ask.askOnce', request),
      streamAsk: (_searched, request) => record(tell(answeredFromMemory(request)), 'ask.streamAsk', request),
      streamAskOnce: (_caller, request) => record(tell(answered(request)), 'ask.streamAskOnce', request),
    },
    metrics: { print: () => record('recollect_build_info 1\n', 'metrics.print') },
    pagePictures: {
      draw: (_caller, wanted) => record({ png: Buffer.from('png'), etag: '"1"' }, 'pagePictures.draw', wanted),
    },
    reembed: {
      begin: (_caller, memoryId, { embeddingModel }) => record(JOB, 'reembed.begin', memoryId, embeddingModel),
    },
    projects: {
      create: (_caller, name) => record({ ...PROJECT, name }, 'projects.create', name),
      list: (_caller, page) => record({ projects: [PROJECT], ...END_OF_LIST }, 'projects.list', page),
      get: async () => PROJECT,
      rename: (_caller, id, name) => record({ ...PROJECT, name }, 'projects.rename', id, name),
      delete: (_caller, id) => record(undefined, 'projects.delete', id),
    },
    memories: {
      create: (_caller, input) => record({ ...MEMORY, ...input, projectName: null }, 'memories.create', input),
      list: (_caller, filter, page) => record({ memories: [MEMORY], ...END_OF_LIST }, 'memories.list', filter, page),
      get: async (_caller, memoryId) => {
        requireMemory(memoryId)
        return MEMORY
      },
      update: (_caller, memoryId, change) => {
        requireMemory(memoryId)
        return record(MEMORY, 'memories.update', memoryId, change)
      },
      getByName: async (_caller, name) => {
        requireMemory(name)
        return MEMORY
      },
      delete: (_caller, memoryId) => record(requireMemory(memoryId), 'memories.delete', memoryId),
    },
    chunks: {
      list: (_caller, memoryId, { documentId, page }) => {
        requireDocument(memoryId, documentId)
        return record({ chunks: [CHUNK_EXAMPLE], ...END_OF_LIST }, 'chunks.list', page)
      },
    },
    documentChanges: {
      changeDocument: (_caller, memoryId, { documentId, change }) => {
        requireDocument(memoryId, documentId)
        return record({ ...DOCUMENT, warnings: [] }, 'documentChanges.changeDocument', change)
      },
      deleteDocuments: (_caller, _id, { signal: _, ...request }) =>
        record({ matched: 1, deleted: 1, notFound: [] }, 'documentChanges.deleteDocuments', request),
    },
    documents: {
      list: (_caller, _id, { page, ...filter }) =>
        record({ documents: [DOCUMENT], ...END_OF_LIST }, 'documents.list', filter, page),
      get: async (_caller, memoryId, documentId) => {
        requireDocument(memoryId, documentId)
        return { ...DOCUMENT, pages: [{ page: 1, method: 'text', characters: 10, confidence: null, message: null }] }
      },
      delete: (_caller, memoryId, documentId) => record(requireDocument(memoryId, documentId), 'documents.delete'),
      source: async (_caller, _memoryId, { range }) => {
        if (range?.start === 50) return { bytes: 10, content: null }
        const part = range === null ? null : { start: range.start ?? 0, end: Math.min(range.end ?? 9, 9) }
        const text = '0123456789'.slice(part?.start ?? 0, (part?.end ?? 9) + 1)
        return {
          content: Readable.from([Buffer.from(text)]),
          bytes: 10,
          range: part,
          filename: 'ré.html',
          mimeType: 'text/html',
        }
      },
      text: async () => ({ content: Readable.from([Buffer.from('tëxt')]), bytes: 5 }),
      countPages: (_caller, memoryId) =>
        record({ pages: 1, text: 1, ocr: 0, empty: 0, failed: 0, documents: [] }, 'documents.countPages', memoryId),
    },
    ingest: {
      addTexts: (_caller, memoryId, { documents, options }) => {
        requireMemory(memoryId)
        return record(added(), 'ingest.addTexts', documents, options)
      },
      addFile: (_caller, _memoryId, { file, options }) => record(added(), 'ingest.addFile', file, options),
      addUrl: (_caller, memoryId, { url, options }) => {
        requireMemory(memoryId)
        return record(added(), 'ingest.addUrl', url, options)
      },
      addImage: (_caller, memoryId, { image, options }) => {
        requireMemory(memoryId)
        return record(RECOGNIZED, 'ingest.addImage', image, options)
      },
    },
    extract: {
      extract: (_caller, memoryId, { signal: _signal, ...request }) =>
        record(extracted(memoryId, request), 'extract.extract', request),
    },
    usage: { get: (_caller, request) => record(USAGE_EXAMPLE, 'usage.get', request) },
    verify: {
      verify: (_caller, memoryId) =>
        record({ ok: true, documents: 1, chunks: 1, problemsFound: 0, problems: [] }, 'verify.verify', memoryId),
    },
    evaluate: {
      evaluate: (_caller, _memoryId, request) => record(EVALUATION_EXAMPLE, 'evaluate.evaluate', request),
    },
    search: {
      embeddingModels: ['fake'],
      embed: (_model, texts) =>
        record(
          [...texts].map(() => Float32Array.of(1, 0)),
          'search.embed',
          texts,
        ),
      open: async (_caller, memoryId) => {
        requireMemory(memoryId)
        return { memory: { id: memoryId } as Memory, languages: ['en'] }
      },
      openSeveral: async (_caller, { memoryIds = [] }) => {
        for (const id of memoryIds) requireMemory(id)
        return memoryIds.map((id) => ({ memory: { id } as Memory, languages: ['en'] }))
      },
      findAcross: (memories, request) => {
        const hits = [{ ...HIT, memoryId: memories[0]?.memory.id ?? '' }]
        const answer = {
          query: request.query,
          mode: 'hybrid' as const,
          totalHits: 1,
          totalHitsRelation: 'eq' as const,
          tookMs: 1,
          hits,
          nextCursor: null,
          warnings: [],
        }
        return record(answer, 'search.findAcross', request)
      },
      rank: (_searched, request) =>
        record({ corrections: [], documents: [DOCUMENT_ID], warnings: [] }, 'search.rank', request),
      find: (_searched, request) =>
        record(
          {
            query: request.query,
            mode: 'hybrid' as const,
            totalHits: 1,
            totalHitsRelation: 'eq',
            tookMs: 1,
            hits: [HIT],
            nextCursor: null,
            warnings: [],
          },
          'search.find',
          request,
        ),
      search: (_searched, request) => {
        const { rank, score, kind, documentId, chunkId, title, text, snippet, page } = HIT
        const hits = [{ rank, score, kind, documentId, chunkId, title, text, snippet, page }]
        return record(
          { query: request.query, hits, totalHits: 1, totalHitsRelation: 'eq', tookMs: 1 },
          'search.search',
          request,
        )
      },
    },
    correctionChanges: {
      change: (_caller, memoryId, { documentId, change }) => {
        requireDocument(memoryId, documentId)
        return record({ ...CORRECTION_EXAMPLE, warnings: [] }, 'correctionChanges.change', change)
      },
    },
    corrections: {
      add: (_caller, memoryId, { corrections }) =>
        record(
          corrections.map((one, index) => ({ ...CORRECTION, id: `doc_${index}`, memoryId, ...one, expiresAt: null })),
          'corrections.add',
          corrections,
        ),
      list: (_caller, _memoryId, { outranks, ...page }) =>
        record({ corrections: [CORRECTION], ...END_OF_LIST }, 'corrections.list', { outranks }, page),
    },
    jobs: {
      list: (_caller, filter, page) => record({ jobs: [JOB], ...END_OF_LIST }, 'jobs.list', filter, page),
      get: async (_caller, jobId) => {
        if (jobId !== JOB_ID) throw new ApiError('job_not_found')
        return JOB
      },
      wait: (_caller, _jobId, { waitMs }) => record(JOB, 'jobs.wait', waitMs),
      watch: async function* () {
        yield JOB
        yield { ...JOB, status: 'completed' as const, progress: 100 }
      },
      cancel: () => record({ ...JOB, status: 'failed' as const }, 'jobs.cancel'),
      retry: () => Promise.reject(new ApiError('job_not_cancellable')),
    },
    health: {
      ready: async () => ({
        status: 'ready',
        checks: { database: { status: 'up', latencyMs: 1 }, objectStore: { status: 'up' } },
      }),
    },
    idempotency: createFakeIdempotency(),
  }
  return { services, calls }
}

function createFakeIdempotency(): IdempotencyService {
  type Row = { fingerprint: string; answer: { status: number; headers: Record<string, string>; body: string } | null }
  const rows = new Map<string, Row>()
  return {
    reserveBytes: async () => true,
    claim: async (keyId, idempotencyKey, { fingerprint }) => {
      const row = rows.get(`${keyId} ${idempotencyKey}`)
      if (row === undefined) {
        rows.set(`${keyId} ${idempotencyKey}`, { fingerprint, answer: null })
        return { state: 'claimed' }
      }
      if (row.fingerprint !== fingerprint) return { state: 'reused' }
      return row.answer === null ? { state: 'running' } : { state: 'done', ...row.answer }
    },
    saveInTransaction: () => Promise.reject(new Error('fake services commit nothing')),
    saveResponse: async (keyId, idempotencyKey, answer) => {
      const row = rows.get(`${keyId} ${idempotencyKey}`)
      if (row !== undefined) row.answer = answer
    },
    release: async (keyId, idempotencyKey) => void rows.delete(`${keyId} ${idempotencyKey}`),
  }
}
