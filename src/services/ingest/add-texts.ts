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
import { acceptJob } from './accept-job.ts'
import type { Entry } from './add-now.ts'
import { type Add, type AddDeps, addEntries, commonFacts, toAccept } from './begin-add.ts'
import type { DetectLanguage } from './indexing/language-detector.ts'
import { type DocumentFacts, INLINE_TEXT_CHARACTERS } from './storing/document-row.ts'

/** As it is stored, with its bytes in UTF-8. */
type CleanText = TextDocument & { sizeBytes: number }

/**
 * Adds texts of a request: all or nothing, at once or by a job. Rejects with `validation_failed`
 * where one has no text or repeats an `externalId`.
 */
export async function addTexts(
  deps: AddDeps,
  begun: Add,
  documents: readonly TextDocument[],
): Promise<AddedDocuments | AcceptedDocuments> {
  const cleaned = await runCooperatively(cleanAll(documents), deps.shareLoop, begun.signal)
  const texts = cleaned.map(({ text }) => text)
  const language = await detectBatchLanguage(deps.detectLanguage, texts)
  const add = { ...begun, fallbackLanguage: language ?? begun.fallbackLanguage }
  const bytes = cleaned.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  if (add.options.async || bytes > ASYNC_FILE_BYTES) return acceptTexts(deps, add, cleaned)
  const entries = cleaned.map((document) => toEntry(add, document))
  return addEntries(deps, add, entries)
}

function toEntry(add: Add, document: CleanText): Entry {
  return {
    facts: toFacts(add, document),
    title: document.title,
    heading: null,
    kind: 'document',
    events: () => textEvents(document.text),
    isAtHand: true,
    original: () => Buffer.from(document.text),
  }
}

async function acceptTexts(deps: AddDeps, add: Add, documents: readonly CleanText[]) {
  const facts = documents.map((document) => toFacts(add, document))
  const reason = add.options.async ? 'async_requested' : 'file_over_sync_threshold'
  return acceptJob(deps, {
    ...toAccept(add, facts, { reason, file: null }),
    stage: async () => {
      const inline = new Map<string, string | Uint8Array>()
      for (const [index, { id }] of facts.entries()) {
        await deps.shareLoop()
        requireGoing(add.signal)
        const { text = '' } = documents[index] ?? {}
        if (text.length <= INLINE_TEXT_CHARACTERS) inline.set(id, packText(deps.db, text))
        else await deps.blobs.put(documentObject(add.memory.id, id, 'text'), encodeText(text))
      }
      return inline
    },
  })
}

function toFacts(add: Add, document: CleanText): DocumentFacts {
  const { text, ...fields } = document
  const origin = { filename: null, mimeType: 'text/plain', sourceType: 'text', url: null } as const
  return { ...commonFacts(add), ...origin, ...fields }
}

function* cleanAll(documents: readonly TextDocument[]): CooperativeTask<CleanText[]> {
  const cleaned: CleanText[] = []
  for (const [index, document] of documents.entries()) {
    cleaned.push(clean(document, index))
    yield
  }
  requireDistinct(cleaned)
  return cleaned
}

function clean(document: TextDocument, index: number): CleanText {
  if (!hasVisibleText(document.text)) throw invalid(`documents[${index}].text`, 'must hold text')
  const metadata = Object.fromEntries(
    Object.entries(document.metadata).map(([key, value]) => [
      replaceUnstorable(key),
      typeof value === 'string' ? replaceUnstorable(value) : value,
    ]),
  )
  const fields = withUsableStrings(document)
  const tags = [...new Set(document.tags.map(replaceUnstorable))]
  return { ...fields, sizeBytes: Buffer.byteLength(fields.text), tags, metadata }
}

function withUsableStrings<T extends object>(fields: T): T {
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? replaceUnstorable(value) : value]),
  ) as T
}

function requireDistinct(documents: readonly TextDocument[]): void {
  const seen = new Set<string>()
  for (const [index, { externalId }] of documents.entries()) {
    if (externalId === null) continue
    if (seen.has(externalId)) throw invalid(`documents[${index}].externalId`, 'stands twice in the request')
    seen.add(externalId)
  }
}

/** Enough to tell the language of what came together; the detector itself reads five places. */
const MOST_TEXTS = 50
const EXCERPT_CHARACTERS = 200

/**
 * The language (ISO 639-1) of texts that came together, for those among them that are too short to
 * tell their own, such as turns of a conversation; `null` for a single text, and where none is
 * reliably known.
 */
export async function detectBatchLanguage(
  detectLanguage: DetectLanguage,
  texts: readonly string[],
): Promise<string | null> {
  if (texts.length < 2) return null
  const step = Math.ceil(texts.length / MOST_TEXTS)
  const some = texts.filter((_, place) => place % step === 0)
  return detectLanguage(some.map((text) => text.slice(0, EXCERPT_CHARACTERS)).join('\n'))
}
