import type { Kysely } from 'kysely'
import type { AskAnswer, AskOnceAnswer } from '../../api/ask.ts'
import { latencyColumn, type UsageCounter } from '../../database/account/usage-columns.ts'
import { addUsage, type UsageIncrement } from '../../database/account/usage-table.ts'
import type { NewDocument, Tables } from '../../database/schema.ts'
import { batches } from '../../database/statements.ts'
import { isId } from '../../ids.ts'
import type { Log } from '../../observability/log.ts'
import type { AskEvent } from '../ask/ask-service.ts'
import type { Caller } from '../caller.ts'
import type { SearchedMemory } from '../search/search.ts'
import type { Services } from '../services.ts'

/** Interval of the writes, our choice: a crash may lose the counts of this time. */
const WRITE_DELAY_MS = 5000
/** Rows per statement, which takes SQLite about 2 ms. */
const ROWS_PER_WRITE = 50

/** Memory and key to which figures belong; `null` for none. */
export type UsageScope = { organizationId: string; memoryId: string | null; keyId: string | null }

/**
 * Counts usage in memory, and adds the counts to the database every few seconds, and at the stop. A
 * crash loses unwritten counts.
 */
export type UsageRecorder = {
  /** Adds counts to the current day. Takes some microseconds. */
  record(scope: UsageScope, counts: Partial<Record<UsageCounter, number>>): void
  /** Writes all counts; never rejects. After a failure, the counts wait for the next write. */
  flush(): Promise<void>
  /** Writes all counts and ignores later ones. */
  stop(): Promise<void>
}

/** Dependencies of the recorder. */
type UsageRecorderDeps = { db: Kysely<Tables>; now: () => Date; log: Pick<Log, 'warn'>; delayMs?: number }

/** Creates a recorder without counts. */
export function createUsageRecorder({ db, now, log, delayMs = WRITE_DELAY_MS }: UsageRecorderDeps): UsageRecorder {
  let waiting = new Map<string, UsageIncrement>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let isStopped = false

  function add(key: Omit<UsageIncrement, 'counts'>, counts: UsageIncrement['counts']): void {
    const name = `${key.day} ${key.organization_id} ${key.memory_id} ${key.key_id}`
    const row = waiting.get(name) ?? { ...key, counts: {} }
    for (const column in counts) {
      const counter = column as UsageCounter
      row.counts[counter] = (row.counts[counter] ?? 0) + (counts[counter] ?? 0)
    }
    waiting.set(name, row)
    if (!isStopped) timer ??= setTimeout(() => void flush(), delayMs).unref()
  }

  async function write(): Promise<void> {
    const increments = [...waiting.values()]
    waiting = new Map()
    let written = 0
    try {
      for (const batch of batches(increments, ROWS_PER_WRITE)) {
        await addUsage(db, batch)
        written += batch.length
      }
    } catch (err) {
      for (const { counts, ...key } of increments.slice(written)) add(key, counts)
      log.warn({ err, rows: increments.length - written }, 'usage could not be written, retrying later')
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing = writing.then(write)
    return writing
  }

  return {
    record({ organizationId: organization_id, memoryId, keyId }, counts) {
      if (isStopped) return
      // Usage of people who sign in is personal data, and belongs to no key.
      const key_id = keyId !== null && isId('key', keyId) ? keyId : ''
      add({ organization_id, day: dayOf(now()), memory_id: memoryId ?? '', key_id }, counts)
    },
    flush,
    async stop() {
      isStopped = true
      await flush()
    },
  }
}

/** The UTC day of a time, such as `2026-11-28`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

type Recorder = Pick<UsageRecorder, 'record'>
type Searched = SearchedMemory | readonly SearchedMemory[]

/**
 * Wraps the services to count successful finds, asks and extractions of callers. Searches within
 * other services, such as evaluations, use the unwrapped service.
 */
export function countedServices<All extends Pick<Services, 'ask' | 'extract' | 'search'>>(
  usage: Recorder,
  services: All,
): All {
  const { ask, extract, search } = services
  return {
    ...services,
    search: {
      ...search,
      find: (searched, request) => countFind(usage, searched, () => search.find(searched, request)),
      findAcross: (memories, request) => countFind(usage, memories, () => search.findAcross(memories, request)),
      search: (searched, request) => countFind(usage, searched, () => search.search(searched, request)),
    },
    ask: {
      ask: (searched, ...asked) => countAsk(usage, scopeOf(searched), () => ask.ask(searched, ...asked)),
      askOnce: (caller, ...asked) => countAsk(usage, scopeOfCaller(caller), () => ask.askOnce(caller, ...asked)),
      streamAsk: (searched, ...asked) => countStream(usage, scopeOf(searched), () => ask.streamAsk(searched, ...asked)),
      streamAskOnce: (caller, ...asked) =>
        countStream(usage, scopeOfCaller(caller), () => ask.streamAskOnce(caller, ...asked)),
    },
    extract: {
      async extract(caller, memoryId, request) {
        const answer = await extract.extract(caller, memoryId, request)
        usage.record({ ...scopeOfCaller(caller), memoryId }, { extractions: 1 })
        return answer
      },
    },
  }
}

async function countFind<Answer>(usage: Recorder, searched: Searched, find: () => Promise<Answer>): Promise<Answer> {
  const startedMs = performance.now()
  const answer = await find()
  const scope = scopeOf(searched)
  if (scope !== null) usage.record(scope, { [latencyColumn('find', performance.now() - startedMs)]: 1 })
  return answer
}

async function countAsk<Answer extends { answered: boolean }>(
  usage: Recorder,
  scope: UsageScope | null,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startedMs = performance.now()
  const answer = await ask()
  recordAsk(usage, scope, { answered: answer.answered, ms: performance.now() - startedMs })
  return answer
}

function recordAsk(usage: Recorder, scope: UsageScope | null, { answered, ms }: { answered: boolean; ms: number }) {
  if (scope === null) return
  usage.record(scope, { [latencyColumn('ask', ms)]: 1, ...(!answered && { asks_declined: 1 }) })
}

/** Counts a stream with its last event; a stream that breaks off is not counted. */
async function countStream<Answer extends AskAnswer | AskOnceAnswer>(
  usage: Recorder,
  scope: UsageScope | null,
  ask: () => Promise<AsyncIterable<AskEvent<Answer>>>,
): Promise<AsyncIterable<AskEvent<Answer>>> {
  const startedMs = performance.now()
  const events = await ask()
  return (async function* () {
    for await (const event of events) {
      if (event.type === 'done') {
        const { answered } = event.answer
        recordAsk(usage, scope, { answered, ms: performance.now() - startedMs })
      }
      yield event
    }
  })()
}

/** A request over several memories belongs to none of them. `null`: a project without memories. */
function scopeOf(searched: Searched): UsageScope | null {
  const [first, ...others] = 'memory' in searched ? [searched] : searched
  if (first === undefined) return null
  const { id, organization_id: organizationId } = first.memory
  return { organizationId, memoryId: others.length === 0 ? id : null, keyId: first.keyId ?? null }
}

function scopeOfCaller({ organizationId, keyId }: Caller): UsageScope {
  return { organizationId, memoryId: null, keyId }
}

/** An ended request of a caller; `memoryId` as in its path. */
type EndedRequest = {
  organizationId: string | null
  keyId: string | null
  memoryId: string | null
  status: number
  isAborted: boolean
}

/** Wraps the hook of ended requests to count requests with a status of 500 or more. */
export function countedRequests<Hooks extends { onRequestEnd(request: never): void }>(
  usage: Recorder,
  hooks: Hooks,
): Omit<Hooks, 'onRequestEnd'> & { onRequestEnd(request: Parameters<Hooks['onRequestEnd']>[0] & EndedRequest): void } {
  return {
    ...hooks,
    onRequestEnd(request) {
      hooks.onRequestEnd(request)
      const { organizationId, keyId, memoryId, status, isAborted } = request
      if (organizationId === null || status < 500 || isAborted) return
      usage.record({ organizationId, keyId, memoryId }, { failed_requests: 1 })
    },
  }
}

/** Added documents, and the rows of those that were partial before. */
type Added = { documents: readonly { row: CountedDocument }[]; readAgain?: readonly CountedDocument[] }
type CountedDocument = Pick<NewDocument, 'source_type' | 'ocr_pages' | 'page_count' | 'pages'>

/** Counts new documents and pages. Of a document that was partial, only the pages are new. */
export function countAdded({ documents, readAgain = [] }: Added): Partial<Record<UsageCounter, number>> {
  const rows = documents.map(({ row }) => row).filter(({ source_type: type }) => type !== 'correction')
  const pagesOf = (count: (row: CountedDocument) => number) =>
    Math.max(0, sum(rows.map(count)) - sum(readAgain.map(count)))
  return {
    documents_added: rows.length - readAgain.length,
    pages_recognized: pagesOf(({ ocr_pages }) => ocr_pages ?? 0),
    pages_with_text: pagesOf(countPagesWithText),
  }
}

/** Formats without pages also have a report, which does not count. */
function countPagesWithText({ page_count, pages }: CountedDocument): number {
  if (page_count === null) return 0
  return (JSON.parse(pages) as { method: string }[]).filter(({ method }) => method === 'text').length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
