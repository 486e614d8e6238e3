import { invalid } from '../../errors.ts'
import { ASYNC_FILE_BYTES } from '../../limits.ts'
import { toUsableText } from '../../parsers/encoding/decode-file.ts'
import { hasInk } from '../../text/has-ink.ts'
import { documentObject } from '../document-folder.ts'
import { acceptJob } from './accept-job.ts'
import { type Entry, requireGoing } from './add-now.ts'
import { type Add, type AddEntries, commonFacts, toAccept } from './begin-add.ts'
import { detectBatchLanguage } from './indexing/detect-batch-language.ts'
import { metadataLabels, tagLabel } from './indexing/labels.ts'
import type { AcceptedDocuments, AddedDocuments, TextDocument } from './ingest.ts'
import type { IngestParts } from './ingest-parts.ts'
import { type DocumentFacts, INLINE_TEXT_CHARACTERS } from './storing/document-row.ts'
import { textEvents } from './text-events.ts'

/** Adds texts of a request: all or nothing, at once or by a job. Rejects with `validation_failed` where one has no text or repeats an `externalId`. */
export async function addTexts(
  parts: IngestParts,
  addEntries: AddEntries,
  begun: Add,
  documents: readonly TextDocument[],
): Promise<AddedDocuments | AcceptedDocuments> {
  const cleaned = documents.map(clean)
  requireDistinct(cleaned)
  const texts = cleaned.map(({ text }) => text)
  const language = await detectBatchLanguage(parts.detectLanguage, texts)
  const add = { ...begun, fallbackLanguage: language ?? begun.fallbackLanguage }
  const bytes = cleaned.reduce((total, { text }) => total + Buffer.byteLength(text), 0)
  if (add.options.async || bytes > ASYNC_FILE_BYTES) return acceptTexts(parts, add, cleaned)
  const entries = cleaned.map((document) => toEntry(add, document))
  return addEntries(add, entries)
}

function toEntry(add: Add, document: TextDocument): Entry {
  return {
    facts: toFacts(add, document),
    title: document.title,
    heading: null,
    kind: 'document',
    labels: [...document.tags.map(tagLabel), ...metadataLabels(document.metadata)],
    events: () => textEvents(document.text),
    isAtHand: true,
    original: () => Buffer.from(document.text),
  }
}

async function acceptTexts(parts: IngestParts, add: Add, documents: readonly TextDocument[]) {
  const facts = documents.map((document) => toFacts(add, document))
  const texts = new Map(facts.map(({ id }, index) => [id, documents[index]?.text ?? '']))
  const isInline = (text: string) => text.length <= INLINE_TEXT_CHARACTERS
  const reason = add.options.async ? 'async_requested' : 'file_over_sync_threshold'
  return acceptJob(parts, {
    ...toAccept(add, facts, { reason, file: null }),
    inlineTexts: new Map([...texts].filter(([, text]) => isInline(text))),
    stage: async () => {
      for (const [id, text] of texts) {
        requireGoing(add.signal)
        if (!isInline(text)) await parts.blobs.put(documentObject(add.memory.id, id, 'text'), Buffer.from(text))
      }
    },
  })
}

function toFacts(add: Add, document: TextDocument): DocumentFacts {
  const { title, tags, metadata, externalId } = document
  const sizeBytes = Buffer.byteLength(document.text)
  const origin = { filename: null, mimeType: 'text/plain', sourceType: 'text', url: null } as const
  return { ...commonFacts(add), ...origin, externalId, title, sizeBytes, tags, metadata }
}

function clean(document: TextDocument, index: number): TextDocument {
  const text = toUsableText(document.text)
  if (!hasInk(document.text)) throw invalid(`documents[${index}].text`, 'must hold text')
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
