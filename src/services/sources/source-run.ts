import type { Kysely } from 'kysely'
import type { SourceRunResource } from '../../api/source.ts'
import {
  deleteSourceItem,
  findOwner,
  getSourceItem,
  type KnownItem,
  listDocumentIdsByKey,
  listSourceItems,
  putSourceItem,
} from '../../database/jobs/source-items-table.ts'
import { LIVE_STATUSES, type Source, type SourceItem, type Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { DOCUMENT_FIELDS, SOURCES } from '../../limits.ts'
import { failpoint } from '../../observability/failpoints.ts'
import { getHintedFormat, ZIP } from '../../parsers/formats.ts'
import type { Caller } from '../caller.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import { deleteMany } from '../documents/delete-documents.ts'
import type { DocumentFilters } from '../filters/document-filters.ts'
import type { IngestService } from '../ingest/ingest.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import { addItem, concernsRun, createSourceJobs, type ItemContent, type SourceJobs } from './add-item.ts'

/** Dependencies of a run. */
export type SourceRunDeps = {
  db: Kysely<Tables>
  ingest: Pick<IngestService, 'addFile' | 'addImage'>
  removals: DeletionOutbox
  changes: JobChanges
  filters: DocumentFilters
  now: () => Date
}

/** A report without counts. */
export function newReport(now: Date): SourceRunResource {
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0, failed: 0, skipped: 0 }
  return { startedAt: now.toISOString(), endedAt: null, outcome: null, reason: null, ...counts, problems: [] }
}

/** The source, who adds its documents, and how many it has. `report` is filled by the run. */
export type RunFacts = {
  source: Source
  caller: Caller
  signal: AbortSignal
  report: SourceRunResource
  documents: number
}

const PAGE = 500
const NO_TEXT = 'It contains no text.'

/**
 * The items of one run. The run looks at each item one time: unchanged, put, skipped or failed. The
 * row of an item is written before the document. So a crash between the two leaves a known item.
 * The next run adds the document again, in place of the first.
 */
export class SourceRun {
  readonly report: SourceRunResource
  readonly signal: AbortSignal
  /** Number of documents, with those of this run. */
  readonly room: { documents: number }
  readonly #deps: SourceRunDeps
  readonly #facts: RunFacts
  readonly #jobs: SourceJobs
  readonly #seen = new Set<string>()
  readonly #skipped = new Set<string>()

  constructor(deps: SourceRunDeps, facts: RunFacts) {
    const { report, signal, source } = facts
    this.report = report
    this.signal = signal
    this.room = { documents: facts.documents }
    this.#deps = deps
    this.#facts = facts
    this.#jobs = createSourceJobs({ db: deps.db, source, signal, report, room: this.room })
  }

  /** True if the run has looked at an item. */
  hasSeen(key: string): boolean {
    return this.#seen.has(key)
  }

  /** The item of an earlier run, if the document still exists; else `null`. */
  async getKnown(key: string): Promise<SourceItem | null> {
    this.signal.throwIfAborted()
    const item = await this.#get(key)
    if (item === null || item.fingerprint === null) return null
    if (item.job_id !== null) await this.#jobs.waitFor(item.job_id)
    const settled = item.job_id === null ? item : await this.#get(key)
    if (settled === null) return null
    const { status, ...known } = settled
    const isLive = status !== null && LIVE_STATUSES.includes(status)
    return isLive || known.problem !== null ? known : null
  }

  /** Counts an unchanged item; a new fingerprint of the same content is stored. */
  async keepUnchanged(known: SourceItem, fingerprint = known.fingerprint ?? ''): Promise<void> {
    const { key, problem } = known
    this.#seen.add(key)
    if (problem !== null) this.#note(key, problem === NO_TEXT ? 'skipped' : 'failed', problem)
    else this.report.unchanged += 1
    const isSame = known.fingerprint === fingerprint && known.job_id === null
    if (!isSame) await this.#save({ ...known, fingerprint, job_id: null })
  }

  /** Adds a document, or replaces it. A problem of the content is reported, and does not reject. */
  async put(key: string, content: ItemContent): Promise<void> {
    this.signal.throwIfAborted()
    this.#seen.add(key)
    const refusal = await this.#findRefusal(key, content)
    if (refusal !== null) return this.skip(key, refusal)
    await this.#jobs.waitForRoom()
    const before = await this.#get(key)
    const item = this.#newItem(key, before)
    await this.#save(item)
    failpoint('source:item-begun')
    const { source, caller } = this.#facts
    try {
      const added = await addItem(this.#deps, { source, caller, signal: this.signal, key, content })
      failpoint('source:item-added')
      await this.#keep(item, { ...added, fingerprint: content.fingerprint, before })
    } catch (error) {
      if (this.signal.aborted || concernsRun(error)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      await this.#save({ ...item, fingerprint: content.fingerprint, problem: reason })
      this.fail(key, reason)
    }
  }

  /** Reports an unreadable item. The document is kept. */
  fail(key: string, reason: string): void {
    this.#seen.add(key)
    this.#note(key, 'failed', reason)
  }

  /** Reports an item that the service does not read. The document is removed. */
  skip(key: string, reason: string): void {
    this.#seen.add(key)
    this.#skipped.add(key)
    this.#note(key, 'skipped', reason)
  }

  /** Items of earlier runs that the run has not looked at. */
  async *listUnseen(): AsyncGenerator<SourceItem> {
    for await (const item of this.#listItems()) if (!this.#seen.has(item.key)) yield item
  }

  /** Waits for the jobs, then removes the documents of gone and skipped items. */
  async finish(gone: ReadonlySet<string>): Promise<void> {
    await this.#jobs.settle()
    for await (const item of this.#listItems()) {
      this.signal.throwIfAborted()
      if (!gone.has(item.key) && !this.#skipped.has(item.key)) continue
      if (await this.#removeDocuments(item)) this.report.removed += 1
      failpoint('source:documents-removed')
      await deleteSourceItem(this.#deps.db, { sourceId: item.source_id, key: item.key })
    }
    failpoint('source:read')
  }

  #get(key: string): Promise<KnownItem | null> {
    return getSourceItem(this.#deps.db, { sourceId: this.#facts.source.id, key })
  }

  /** Reason for not keeping a document under the key; `null` without one. */
  async #findRefusal(key: string, { file }: ItemContent): Promise<string | null> {
    if (getHintedFormat(file.filename, file.declaredType)?.format === ZIP) return 'Archives are not read. Unpack it.'
    const most = DOCUMENT_FIELDS.externalIdCharacters
    if (key.length > most) return `It has more than ${most} characters.`
    const { id: sourceId, memory_id: memoryId } = this.#facts.source
    const owner = await findOwner(this.#deps.db, { memoryId, key, sourceId })
    return owner === null ? null : `The source ${JSON.stringify(owner)} has a document of this name.`
  }

  #newItem(key: string, before: KnownItem | null): SourceItem {
    const { id, memory_id } = this.#facts.source
    const empty = { job_id: null, fingerprint: null, problem: null }
    return { source_id: id, key, memory_id, document_id: before?.document_id ?? null, ...empty }
  }

  async #save(item: SourceItem): Promise<void> {
    if (!(await putSourceItem(this.#deps.db, item))) throw new ApiError('source_not_found')
  }

  async #keep(item: SourceItem, { documentId, jobId, fingerprint, before }: Kept): Promise<void> {
    if (documentId === null) {
      const problem = NO_TEXT
      if (await this.#removeDocuments(item)) this.report.removed += 1
      await this.#save({ ...item, document_id: null, fingerprint, problem })
      return this.#note(item.key, 'skipped', problem)
    }
    const isNew = before === null || before.document_id === null
    await this.#save({ ...item, document_id: documentId, job_id: jobId, fingerprint })
    this.report[isNew ? 'added' : 'changed'] += 1
    if (isNew) this.room.documents += 1
    if (jobId !== null) this.#jobs.add({ key: item.key, jobId, isNew, formerId: item.document_id })
  }

  /** Deletes the documents of an item, also after an interrupted addition. */
  async #removeDocuments({ key, document_id: id, job_id: jobId, fingerprint }: SourceItem): Promise<boolean> {
    const { caller, source } = this.#facts
    const memoryId = source.memory_id
    const isOpen = fingerprint === null || jobId !== null
    const interrupted = isOpen ? await listDocumentIdsByKey(this.#deps.db, { memoryId, key }) : []
    const ids = [...new Set([...(id === null ? [] : [id]), ...interrupted])]
    const request = { memoryId, ids, filter: null, dryRun: false, signal: this.signal }
    const { deleted } = await deleteMany(this.#deps, caller, request)
    return deleted > 0
  }

  async *#listItems(): AsyncGenerator<SourceItem> {
    const { db } = this.#deps
    for (let after = ''; ; ) {
      const items = await listSourceItems(db, { sourceId: this.#facts.source.id, after, limit: PAGE })
      yield* items
      const last = items.at(-1)
      if (last === undefined || items.length < PAGE) return
      after = last.key
    }
  }

  #note(item: string, outcome: 'failed' | 'skipped', reason: string): void {
    this.report[outcome] += 1
    if (this.report.problems.length >= SOURCES.problems) return
    const shown = { item: item.slice(0, 1000), reason: reason.slice(0, SOURCES.problemCharacters) }
    this.report.problems.push({ ...shown, outcome })
  }
}

/** Result of an add, and the former item. */
type Kept = { documentId: string | null; jobId: string | null; fingerprint: string; before: KnownItem | null }
