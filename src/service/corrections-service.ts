import { invalid } from '../errors.ts'
import { newId } from '../ids.ts'
import { toUsableText } from '../parsers/encoding/decode-file.ts'
import { reachStep } from '../reach-step.ts'
import { getDominantLanguage } from '../store/languages.ts'
import { requireMemory } from '../store/memories.ts'
import { addNow, type Entry } from './ingest/add-now.ts'
import { chooseEmbeddingModel } from './ingest/embedding-model.ts'
import type { IngestParts } from './ingest/ingest-parts.ts'
import { tagLabel } from './ingest/labels.ts'
import { textEvents } from './ingest/text-events.ts'
import { keepNothing } from './keep.ts'
import type { CorrectionResource } from './resources.ts'
import type { Caller, CorrectionInput, CorrectionsService } from './services.ts'

/** Characters of the statement that make the title of its document. */
const TITLE_CHARACTERS = 120

/**
 * Corrections are documents of `sourceType: "correction"`, one chunk each or few, kept apart in the memory file by their
 * kind. Their topics are searched with the statement, and count as tags.
 */
export function createCorrectionsService(parts: IngestParts): CorrectionsService {
  return {
    async add(caller, memoryId, corrections, { signal, keep = keepNothing }) {
      const memory = await requireMemory(parts.db, caller, memoryId)
      const cleaned = corrections.map(clean)
      const choice = { pinned: memory.embedding_model, requested: null }
      const { model: embeddingModel } = chooseEmbeddingModel(parts.embedders, choice)
      const entries = cleaned.map((correction) => entryOf({ caller, memoryId, embeddingModel }, correction))
      const at = parts.now().toISOString()
      const added = cleaned.map((correction, index): CorrectionResource => {
        return { id: entries[index]?.facts.id ?? '', memoryId, ...correction, createdAt: at }
      })
      await addNow(parts, {
        caller,
        memoryId: memory.id,
        embeddingModel,
        entries,
        deduplicate: false,
        fallbackLanguage: (await getDominantLanguage(parts.db, memoryId)) ?? 'en',
        warnings: [],
        at,
        signal,
        keep: (transaction) => keep(transaction, added),
      })
      reachStep('correction:committed')
      return added
    },
  }
}

type Place = { caller: Caller; memoryId: string; embeddingModel: string }

function entryOf({ caller, memoryId, embeddingModel }: Place, correction: CorrectionInput): Entry {
  const { statement, topics } = correction
  return {
    kind: 'correction',
    title: statement.slice(0, TITLE_CHARACTERS).toWellFormed(),
    heading: topics.join(', '),
    labels: topics.map(tagLabel),
    events: () => textEvents(statement),
    keepSource: async () => undefined,
    facts: {
      id: newId('doc'),
      organizationId: caller.organizationId,
      memoryId,
      externalId: null,
      title: statement.slice(0, TITLE_CHARACTERS).toWellFormed(),
      filename: null,
      mimeType: 'text/plain',
      sourceType: 'correction',
      url: null,
      tags: topics,
      metadata: {},
      sizeBytes: Buffer.byteLength(statement),
      embeddingModel,
      storeSource: false,
      jobId: null,
      correction,
    },
  }
}

function clean({ statement, topics, boost }: CorrectionInput, index: number): CorrectionInput {
  const text = toUsableText(statement).trim()
  if (text === '') throw invalid(index === 0 ? 'statement' : `corrections[${index}].statement`, 'must hold text')
  return { statement: text, topics: [...new Set(topics.map(toUsableText))], boost }
}
