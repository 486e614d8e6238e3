import { UNTITLED } from '../../api/fields.ts'
import type { AcceptedDocuments, AddedDocuments, TextDocument } from '../../api/ingest.ts'
import { type CooperativeTask, runCooperatively } from '../../concurrency/event-loop-yield.ts'
import { packText } from '../../database/packed-text.ts'
import { invalid } from '../../errors.ts'
import { ASYNC_FILE_BYTES } from '../../limits.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText } from '../../text/characters.ts'
import { documentObject, encodeText } from '../document-objects.ts'
import { textEvents } from '../reading/read-event.ts'
import { requireGoing } from '../request-work.ts'
import { type AddContext, type AddDeps, addDocuments, sharedFacts, toAcceptCommand } from './add-context.ts'
import { enqueueIngestion } from './enqueue-ingestion.ts'
import { cleanFields } from './given-fields.ts'
import type { DetectLanguage } from './indexing/language-detector.ts'
import type { DocumentToAdd } from './ingest-inline.ts'
import { type DocumentFacts, INLINE_TEXT_CHARACTERS } from './storing/document-row.ts'

/** A text as stored, with its size in UTF-8. */
type CleanText = TextDocument & { sizeBytes: number }

/**
 * Adds all texts of a request or none, within the request or by a job. Rejects with
 * `validation_failed` for a blank text or a repeated `externalId`.
 */
export async function addTexts(
  deps: AddDeps,
  begun: AddContext,
  documents: readonly TextDocument[],
): Promise<AddedDocuments | AcceptedDocuments> {
  const cleaned = await runCooperatively(cleanAll(documents), deps.yieldToEventLoop, begun.signal)
  const texts = cleaned.map(({ text }) => text)
  const language = await detectBatchLanguage(deps.detectLanguage, texts)
  const add = { ...begun, fallbackLanguage: language ?? begun.fallbackLanguage }
  const bytes = cleaned.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  if (add.options.async || bytes > ASYNC_FILE_BYTES) return enqueueTexts(deps, add, cleaned)
  const entries = cleaned.map((document) => toDocument(add, document))
  return addDocuments(deps, add, entries)
}

function toDocument(add: AddContext, document: CleanText): DocumentToAdd {
  return {
    facts: toFacts(add, document),
    title: document.title,
    heading: null,
    kind: 'document',
    events: () => textEvents(document.text),
    isInMemory: true,
    original: () => Buffer.from(document.text),
  }
}

async function enqueueTexts(deps: AddDeps, add: AddContext, documents: readonly CleanText[]) {
  const facts = documents.map((document) => toFacts(add, document))
  const reason = add.options.async ? 'async_requested' : 'file_over_sync_threshold'
  return enqueueIngestion(deps, {
    ...toAcceptCommand(add, facts, { reason, file: null }),
    stage: async () => {
      const inline = new Map<string, string | Uint8Array>()
      for (const [index, { id }] of facts.entries()) {
        await deps.yieldToEventLoop()
        requireGoing(add.signal)
        const { text = '' } = documents[index] ?? {}
        if (text.length <= INLINE_TEXT_CHARACTERS) inline.set(id, packText(deps.db, text))
        else await deps.blobs.put(documentObject(add.memory.id, id, 'text'), encodeText(text))
      }
      return inline
    },
  })
}

function toFacts(add: AddContext, document: CleanText): DocumentFacts {
  const { text, ...fields } = document
  const origin = { filename: null, mimeType: 'text/plain', sourceType: 'text', url: null } as const
  return { ...sharedFacts(add), ...origin, ...fields }
}

function* cleanAll(documents: readonly TextDocument[]): CooperativeTask<CleanText[]> {
  const cleaned: CleanText[] = []
  for (const [index, document] of documents.entries()) {
    cleaned.push(clean(document, index))
    yield
  }
  requireUniqueExternalIds(cleaned)
  return cleaned
}

function clean(document: TextDocument, index: number): CleanText {
  if (!hasVisibleText(document.text)) throw invalid(`documents[${index}].text`, 'must not be blank')
  const text = replaceUnstorable(document.text)
  const { title, ...fields } = cleanFields(document)
  return { ...fields, title: title ?? UNTITLED, text, sizeBytes: Buffer.byteLength(text) }
}

function requireUniqueExternalIds(documents: readonly TextDocument[]): void {
  const seen = new Set<string>()
  for (const [index, { externalId }] of documents.entries()) {
    if (externalId === null) continue
    if (seen.has(externalId)) throw invalid(`documents[${index}].externalId`, 'is repeated in the request')
    seen.add(externalId)
  }
}

/** Enough for detecting the language of a batch; the detector samples five positions. */
const MAX_SAMPLED_TEXTS = 50
const SAMPLE_CHARACTERS = 200

/**
 * Language (ISO 639-1) of a batch, used for texts too short for detection, such as turns of a
 * conversation. `null` for a single text and for an uncertain language.
 */
export async function detectBatchLanguage(
  detectLanguage: DetectLanguage,
  texts: readonly string[],
): Promise<string | null> {
  if (texts.length < 2) return null
  const step = Math.ceil(texts.length / MAX_SAMPLED_TEXTS)
  const some = texts.filter((_, place) => place % step === 0)
  return detectLanguage(some.map((text) => text.slice(0, SAMPLE_CHARACTERS)).join('\n'))
}
