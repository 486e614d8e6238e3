import { invalid } from '../errors.ts'
import { newId } from '../ids.ts'
import { ASYNC_FILE_BYTES } from '../limits.ts'
import { toUsableText } from '../parsers/encoding/decode-file.ts'
import { parse } from '../parsers/parse.ts'
import { sniff } from '../parsers/sniff.ts'
import { getDominantLanguage } from '../store/languages.ts'
import { requireMemory } from '../store/memories.ts'
import type { Memory } from '../store/schema.ts'
import { acceptJob } from './ingest/accept-job.ts'
import { addNow, type Entry, requireGoing } from './ingest/add-now.ts'
import { type DocumentFacts, INLINE_TEXT_CHARACTERS } from './ingest/document-row.ts'
import { chooseEmbeddingModel } from './ingest/embedding-model.ts'
import type { IngestParts } from './ingest/ingest-parts.ts'
import { createKeyedLock, type KeyedLock } from './ingest/keyed-lock.ts'
import { metadataLabels, tagLabel } from './ingest/labels.ts'
import { textEvents } from './ingest/text-events.ts'
import type { AcceptedDocuments, AddedDocuments, Warning } from './resources.ts'
import type { Caller, IngestOptions, IngestService, TextDocument, UploadedFile } from './services.ts'

/** What both forms of an add have in common once the memory is found. */
type Add = {
  caller: Caller
  memory: Memory
  options: IngestOptions
  model: string
  warnings: Warning[]
  fallbackLanguage: string
  signal: AbortSignal
}

/** Adds documents to memories: small ones at once, large ones by a job. See `ingest/` for the steps. */
export function createIngestService(parts: IngestParts): IngestService {
  // Two equal documents added at once must not both be new; deduplicating adds to a memory go one by one.
  const deduplicating = createKeyedLock()

  async function begin(caller: Caller, memoryId: string, options: IngestOptions, signal: AbortSignal): Promise<Add> {
    const memory = await requireMemory(parts.db, caller, memoryId)
    const requested = options.embeddingModel
    const choice = { pinned: memory.embedding_model, requested, available: parts.embedder.model }
    const fallbackLanguage = (await getDominantLanguage(parts.db, memoryId)) ?? 'en'
    return { caller, memory, options, ...chooseEmbeddingModel(choice), fallbackLanguage, signal }
  }

  return {
    async addTexts(caller, memoryId, documents, options, signal) {
      const add = await begin(caller, memoryId, options, signal)
      const cleaned = documents.map(clean)
      requireDistinct(cleaned)
      const bytes = cleaned.reduce((total, { text }) => total + Buffer.byteLength(text), 0)
      if (options.async || bytes > ASYNC_FILE_BYTES) return acceptTexts(parts, add, cleaned)
      const entries = cleaned.map((document) => textEntry(parts, add, document))
      return addEntries(parts, deduplicating, add, entries)
    },

    async addFile(caller, memoryId, file, options, signal) {
      const add = await begin(caller, memoryId, options, signal)
      const type = await sniff(file)
      requireGoing(signal)
      if (options.async || file.bytes > ASYNC_FILE_BYTES) return acceptFile(parts, add, file, type)
      return addEntries(parts, deduplicating, add, [fileEntry(parts, add, file, type)])
    },
  }
}

type FileType = Awaited<ReturnType<typeof sniff>>

function addEntries(
  parts: IngestParts,
  deduplicating: KeyedLock,
  { caller, memory, options, warnings, fallbackLanguage, signal }: Add,
  entries: Entry[],
): Promise<AddedDocuments> {
  const { deduplicate } = options
  const add = { caller, memoryId: memory.id, entries, deduplicate, fallbackLanguage, warnings, signal }
  const run = () => addNow(parts, { ...add, at: parts.now().toISOString() })
  return deduplicate ? deduplicating.run(memory.id, run) : run()
}

function textEntry(parts: IngestParts, add: Add, document: TextDocument): Entry {
  const facts = textFacts(add, document)
  return {
    facts,
    title: document.title,
    heading: null,
    kind: 'document',
    labels: [...document.tags.map(tagLabel), ...metadataLabels(document.metadata)],
    events: () => textEvents(document.text),
    keepSource: (key) => parts.blobs.put(key, Buffer.from(document.text)),
  }
}

function fileEntry(parts: IngestParts, add: Add, file: UploadedFile, type: FileType): Entry {
  return {
    facts: fileFacts(add, file, type),
    title: null,
    heading: null,
    kind: 'document',
    labels: [],
    events: () => parse(file, type),
    keepSource: (key) => parts.blobs.putFile(key, file.path),
  }
}

async function acceptTexts(parts: IngestParts, add: Add, documents: readonly TextDocument[]) {
  const facts = documents.map((document) => textFacts(add, document))
  const texts = new Map(facts.map(({ id }, index) => [id, documents[index]?.text ?? '']))
  const isInline = (text: string) => text.length <= INLINE_TEXT_CHARACTERS
  return acceptJob(parts, {
    ...acceptance(add, facts),
    inlineTexts: new Map([...texts].filter(([, text]) => isInline(text))),
    payload: { ...payload(add, facts), file: null },
    stage: async () => {
      for (const [id, text] of texts) {
        requireGoing(add.signal)
        if (!isInline(text)) await parts.blobs.put(`memories/${add.memory.id}/documents/${id}/text`, Buffer.from(text))
      }
    },
  })
}

async function acceptFile(
  parts: IngestParts,
  add: Add,
  file: UploadedFile,
  type: FileType,
): Promise<AcceptedDocuments> {
  const facts = fileFacts(add, file, type)
  const { bytes, filename, declaredType } = file
  return acceptJob(parts, {
    ...acceptance(add, [facts]),
    inlineTexts: new Map(),
    payload: { ...payload(add, [facts]), file: { bytes, filename, declaredType, type } },
    stage: async () => {
      await parts.blobs.putFile(`memories/${add.memory.id}/documents/${facts.id}/upload`, file.path)
    },
  })
}

function acceptance({ caller, memory, options, warnings }: Add, documents: readonly DocumentFacts[]) {
  const reason = options.async ? ('async_requested' as const) : ('file_over_sync_threshold' as const)
  return { caller, memoryId: memory.id, documents, reason, warnings }
}

function payload({ caller, options, fallbackLanguage }: Add, documents: readonly DocumentFacts[]) {
  const { deduplicate, storeSource } = options
  const documentIds = documents.map(({ id }) => id)
  return { documentIds, planId: caller.planId, deduplicate, storeSource, fallbackLanguage }
}

function textFacts(add: Add, document: TextDocument): DocumentFacts {
  const { title, tags, metadata, externalId } = document
  const sizeBytes = Buffer.byteLength(document.text)
  const own = { externalId, title, filename: null, mimeType: 'text/plain', sourceType: 'text', sizeBytes } as const
  return { ...commonFacts(add), ...own, tags, metadata }
}

function fileFacts(add: Add, file: UploadedFile, type: FileType): DocumentFacts {
  const { filename, bytes: sizeBytes } = file
  const title = (filename ?? '').replace(/\.[^.]{1,8}$/, '') || 'Untitled'
  const own = { externalId: null, title, filename, mimeType: type.mimeType, sourceType: 'file', sizeBytes } as const
  return { ...commonFacts(add), ...own, tags: [], metadata: {} }
}

function commonFacts({ caller, memory, options, model }: Add) {
  return {
    id: newId('doc'),
    organizationId: caller.organizationId,
    memoryId: memory.id,
    embeddingModel: model,
    storeSource: options.storeSource,
    jobId: null,
    correction: null,
  }
}

function clean(document: TextDocument, index: number): TextDocument {
  const text = toUsableText(document.text)
  if (text.trim() === '') throw invalid(`documents[${index}].text`, 'must hold text')
  const metadata = Object.fromEntries(
    Object.entries(document.metadata).map(([key, value]) => [
      toUsableText(key),
      typeof value === 'string' ? toUsableText(value) : value,
    ]),
  )
  const externalId = document.externalId === null ? null : toUsableText(document.externalId)
  return {
    title: toUsableText(document.title),
    text,
    tags: [...new Set(document.tags.map(toUsableText))],
    metadata,
    externalId,
  }
}

function requireDistinct(documents: readonly TextDocument[]): void {
  const seen = new Set<string>()
  for (const [index, { externalId }] of documents.entries()) {
    if (externalId === null) continue
    if (seen.has(externalId)) throw invalid(`documents[${index}].externalId`, 'stands twice in the request')
    seen.add(externalId)
  }
}
