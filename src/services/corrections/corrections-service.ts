import type { CorrectionResource } from '../../api/correction.ts'
import { countListedDocuments, type ListedDocument, listDocuments } from '../../database/documents/documents.ts'
import { invalid } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { CORRECTION_FIELDS } from '../../limits.ts'
import { reachStep } from '../../observability/failpoints.ts'
import { toUsableText } from '../../parsers/encoding/decode-file.ts'
import { hasVisibleText } from '../../text/characters.ts'
import type { Caller } from '../caller.ts'
import { readPage } from '../cursors.ts'
import { addNow, type Entry } from '../ingest/add-now.ts'
import { chooseEmbeddingModel } from '../ingest/embedding-model.ts'
import { headingOf } from '../ingest/indexing/heading-of.ts'
import type { IngestParts } from '../ingest/ingest-parts.ts'
import { textEvents } from '../ingest/text-events.ts'
import { keepNothing } from '../keep.ts'
import { hasExpired } from '../search/has-expired.ts'
import { openMemory } from '../search/search-service.ts'
import { describeCorrection, makerOf, storeMaker, toCorrectionResource } from './correction-resource.ts'
import type { CorrectionInput, CorrectionsService } from './corrections.ts'
import { nameLastOutranked } from './last-outranked.ts'
import { listOutranked, type OutrankingParts } from './list-outranked.ts'
import type { OutrankingNotes } from './outranking-notes.ts'

/** Characters of the statement that make the title of its document. */
const TITLE_CHARACTERS = 120

/** What the service of corrections is made of; without `search` nobody looks for what they outrank, without `outranking` what they last stood before is listed as it is stored. */
export type CorrectionsParts = IngestParts &
  Pick<OutrankingParts, 'search'> & { outranking?: Pick<OutrankingNotes, 'flush'> }

/**
 * Corrections are documents of `sourceType: "correction"`, one chunk each or few, kept apart in the memory file by their
 * kind. Their topics are searched with the statement, and count as tags.
 */
export function createCorrectionsService(parts: CorrectionsParts): CorrectionsService {
  return {
    async add(caller, memoryId, corrections, { signal, isOne = false, keep = keepNothing }) {
      const searched = await openMemory(parts.db, caller, memoryId)
      const cleaned = cleanAll(corrections, { isOne, now: parts.now() })
      const choice = { pinned: searched.memory.embedding_model, requested: null }
      const { model: embeddingModel } = chooseEmbeddingModel(parts.embedders, choice)
      const entries = cleaned.map((correction) => entryOf({ caller, memoryId, embeddingModel }, correction))
      const at = parts.now().toISOString()
      const createdBy = makerOf(caller)
      const added: CorrectionResource[] = []
      // One after the other, and before they are there themselves.
      for (const [index, correction] of cleaned.entries()) {
        signal.throwIfAborted()
        const isLookedFor = index < CORRECTION_FIELDS.outrankingPerRequest
        const about = { searched, statement: correction.statement }
        const outranks = isLookedFor ? await listOutranked(parts, about) : null
        const id = entries[index]?.facts.id ?? ''
        const facts = {
          id,
          memoryId,
          ...correction,
          createdBy,
          isExpired: false,
          outranks,
          lastOutranked: null,
          createdAt: at,
        }
        added.push(describeCorrection(facts))
      }
      await addNow(parts, {
        caller,
        memoryId,
        embeddingModel,
        entries,
        deduplicate: false,
        fallbackLanguage: searched.languages[0],
        warnings: [],
        at,
        signal,
        keep: (transaction) => keep(transaction, added),
      })
      reachStep('correction:committed')
      return added
    },

    async list(caller, memoryId, include, page) {
      const searched = await openMemory(parts.db, caller, memoryId)
      await parts.outranking?.flush()
      const listing = { memoryId, status: null, tag: null, sourceType: 'correction' as const }
      const now = parts.now()
      const listed = await readPage(page, {
        name: 'corrections',
        list: `corrections ${memoryId}`,
        pattern: /^\d{1,15}$/,
        positionOf: ({ seq }) => `${seq}`,
        read: (after, limit) => listDocuments(parts.db, { ...listing, after: toPosition(after), limit }),
        count: () => countListedDocuments(parts.db, listing),
        toResource: (document: ListedDocument) => toCorrectionResource(caller, document, now),
      })
      const named = await nameLastOutranked(parts.db, memoryId, listed.corrections)
      if (!include.outranks) return { ...listed, corrections: named }
      const corrections: CorrectionResource[] = []
      for (const correction of named) {
        const { statement, isExpired } = correction
        const outranks = isExpired ? [] : await listOutranked(parts, { searched, statement })
        corrections.push({ ...correction, outranks })
      }
      return { ...listed, corrections }
    },
  }
}

function toPosition(after: string | null): { seq: number; id: string } | null {
  return after === null ? null : { seq: Number(after), id: '' }
}

type Place = { caller: Caller; memoryId: string; embeddingModel: string }

function entryOf({ caller, memoryId, embeddingModel }: Place, correction: CleanCorrection): Entry {
  const { statement, topics } = correction
  const title = statement.slice(0, TITLE_CHARACTERS).toWellFormed()
  return {
    kind: 'correction',
    title,
    heading: headingOf({ title, topics }),
    events: () => textEvents(statement),
    isAtHand: true,
    original: () => null,
    facts: {
      id: newId('doc'),
      organizationId: caller.organizationId,
      memoryId,
      externalId: null,
      title,
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
      correction: { ...correction, createdBy: storeMaker(caller) },
    },
  }
}

type CleanCorrection = Required<CorrectionInput>

function cleanAll(
  corrections: readonly CorrectionInput[],
  { isOne, now }: { isOne: boolean; now: Date },
): CleanCorrection[] {
  return corrections.map((one, index) => clean(one, { prefix: isOne ? '' : `corrections[${index}].`, now }))
}

function clean(
  { statement, topics, boost, expiresAt = null }: CorrectionInput,
  { prefix, now }: { prefix: string; now: Date },
): CleanCorrection {
  const text = toUsableText(statement).trim()
  if (!hasVisibleText(text)) throw invalid(`${prefix}statement`, 'must hold text')
  const until = expiresAt === null ? null : new Date(expiresAt).toISOString()
  if (hasExpired(until, now)) throw invalid(`${prefix}expiresAt`, 'must be in the future')
  return { statement: text, topics: [...new Set(topics.map(toUsableText))], boost, expiresAt: until }
}
