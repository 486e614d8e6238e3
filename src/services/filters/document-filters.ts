import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Metadata } from '../../api/fields.ts'
import { listChangedDocuments } from '../../database/memories/live-documents.ts'
import type { Memory, Tables } from '../../database/schema.ts'
import { isId } from '../../ids.ts'
import { toDocumentSet } from '../../memory-file/chunk-predicate.ts'
import type { DocumentSet } from '../../memory-file/memory-file.ts'
import { createFactsTable, type FactsTable } from './facts-table.ts'
import { type DocumentFilter, isEmpty } from './read-filter.ts'

/** Selects documents by a filter. */
export type DocumentFilters = {
  /**
   * `memory` is read before; documents of later revisions may be missing. The set leaves out the
   * hidden documents, of which the caller has the ids, unless they are `included`.
   */
  select(memory: FilteredMemory, filter: DocumentFilter, hidden?: readonly string[] | 'included'): Promise<DocumentSet>
}

type FilteredMemory = Pick<Memory, 'id' | 'revision' | 'document_count' | 'correction_count'>

/** Documents per statement, about 5 ms. */
const DOCUMENTS_PER_STATEMENT = 1000
/** Maximum number of documents with facts in memory, about 200 bytes each. */
const MAX_DOCUMENTS = 500_000
/** Facts of deleted documents remain until the facts are read again. */
const MIN_SPARE_DOCUMENTS = 1000

/**
 * Facts of a memory. All changes up to the revision `complete` are read; later ones up to
 * `reached`, if reading failed in between. `loading` ends with the last update.
 */
type Facts = {
  table: FactsTable
  reached: { revision: number; id: string }
  complete: number
  loading: Promise<void>
}

/**
 * Keeps the facts of documents of memories in use, and reads the changes since the last use. Each
 * change of documents has a number, the revision of the memory.
 */
export function createDocumentFilters(db: Kysely<Tables>): DocumentFilters {
  const byMemory = new Map<string, Facts>()

  async function load(facts: Facts, memory: FilteredMemory): Promise<void> {
    if (facts.complete >= memory.revision) return
    for (let isLast = false; !isLast; ) {
      const rows = await listChangedDocuments(db, memory.id, { after: facts.reached, limit: DOCUMENTS_PER_STATEMENT })
      for (const row of rows) {
        const { id, source_type: sourceType, created_at: createdAt } = row
        const [tags, metadata] = [JSON.parse(row.tags) as string[], JSON.parse(row.metadata) as Metadata]
        facts.table.put({ id, tags, metadata, sourceType, createdAt, isHidden: row.enabled === 0 })
        facts.reached = { revision: row.revision, id }
      }
      isLast = rows.length < DOCUMENTS_PER_STATEMENT
      await nextTurn()
    }
    // The changes of the revision may all be deletions.
    if (facts.reached.revision < memory.revision) facts.reached = { revision: memory.revision, id: LAST_ID }
    facts.complete = memory.revision
  }

  function open({ id, document_count, correction_count }: FilteredMemory): Facts {
    const before = byMemory.get(id)
    const most = 2 * (document_count + correction_count) + MIN_SPARE_DOCUMENTS
    const isKept = before !== undefined && before.table.ids.length <= most
    const reached = { revision: -1, id: '' }
    const start = { table: createFactsTable(), reached, complete: -1, loading: Promise.resolve() }
    const facts = isKept ? before : start
    byMemory.delete(id)
    byMemory.set(id, facts)
    makeRoom(byMemory)
    return facts
  }

  return {
    async select(memory, filter, hiddenIds = []) {
      const includesHidden = hiddenIds === 'included'
      const { documentIds, ...others } = filter
      if (documentIds !== null && isEmpty(others)) {
        const hidden = new Set(includesHidden ? [] : hiddenIds)
        return toDocumentSet(documentIds.filter((id) => isId('doc', id) && !hidden.has(id)))
      }
      const facts = open(memory)
      const loading = facts.loading.catch(() => undefined).then(() => load(facts, memory))
      facts.loading = loading
      await loading
      return facts.table.select(filter, includesHidden)
    },
  }
}

/** After all identifiers. */
const LAST_ID = '~'

/** Forgets the memories used least recently, but not the last. */
function makeRoom(byMemory: Map<string, Facts>): void {
  let documents = [...byMemory.values()].reduce((sum, { table }) => sum + table.ids.length, 0)
  for (const [id, { table }] of byMemory) {
    if (documents <= MAX_DOCUMENTS || byMemory.size === 1) return
    documents -= table.ids.length
    byMemory.delete(id)
  }
}
