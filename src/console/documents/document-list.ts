/** Documents of a memory, loaded page by page as far as they are shown. */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Answer, QueryOf } from '../../client/call-operation.ts'
import type { MemoryDocument } from '../../client/resources.ts'
import { isRunning } from '../follow-job.ts'
import { useEvery, useKept } from '../hooks.ts'
import { client, returns } from '../session.ts'
import { ends } from './uploads.ts'

/** Largest page of the service. */
const PAGE = 100
const REFRESH_MS = 2000
/** Running documents below the first page that one refresh reads. */
const MAX_RUNNING = 20

/** Filter and order of the list, as the service takes them. */
export type ListQuery = Omit<QueryOf<'listDocuments'>, 'limit' | 'cursor'>

type ListState = {
  documents: readonly MemoryDocument[]
  /** Cursor behind the loaded documents; `null` if all are loaded. */
  cursor: string | null
  total: number
  /** False until the first answer. */
  isRead: boolean
  error: unknown
}

const EMPTY: ListState = { documents: [], cursor: null, total: 0, isRead: false, error: null }

/** List with further pages on demand. */
export type DocumentList = {
  state: Signal<ListState>
  /** Loads until this many documents are there, or all. */
  want(count: number): Promise<void>
  /** Reads what may have changed: the newest page and running documents. */
  refresh(): Promise<void>
  replace(document: MemoryDocument): void
  remove(ids: ReadonlySet<string>): void
  close(): void
}

function openList(memoryId: string, query: ListQuery, before: ListState): DocumentList {
  const state = signal(before)
  const leaving = new AbortController()
  const options = { signal: leaving.signal }
  let wanted = Math.max(PAGE, before.documents.length)
  /** Steps run one after another, as each step starts from the state of the list. */
  let last: Promise<void> = Promise.resolve()
  let isRefreshing = false

  const read = (cursor: string | null) => {
    const from = cursor === null ? {} : { cursor }
    return client.peek().documents.listPage(memoryId, { ...query, limit: PAGE, ...from }, options)
  }
  const change = (facts: Partial<ListState>) => {
    state.value = { ...state.peek(), ...facts }
  }
  function run(step: () => Promise<void>): Promise<void> {
    last = last.then(step).catch((error: unknown) => {
      if (!leaving.signal.aborted) change({ error })
    })
    return last
  }

  async function advance(): Promise<void> {
    for (;;) {
      const { documents, cursor } = state.peek()
      if (cursor === null || documents.length >= wanted) return
      const page = await read(cursor)
      change({
        documents: joinPage(documents, page.documents),
        cursor: page.nextCursor,
        total: page.total,
        error: null,
      })
    }
  }

  async function readAgain(): Promise<void> {
    isRefreshing = false
    const first = await read(null)
    change(joinFirst(state.peek(), first))
    for (const { id } of state.peek().documents.slice(PAGE).filter(isRunning).slice(0, MAX_RUNNING))
      replace(await client.peek().documents.get(memoryId, id, options))
    await advance()
  }

  function replace(changed: MemoryDocument): void {
    change({ documents: state.peek().documents.map((one) => (one.id === changed.id ? changed : one)) })
  }

  return {
    state,
    want(count) {
      if (count <= wanted) return last
      wanted = count
      return run(advance)
    },
    refresh() {
      if (isRefreshing) return last
      isRefreshing = true
      return run(readAgain)
    },
    replace,
    remove(ids) {
      const documents = state.peek().documents.filter(({ id }) => !ids.has(id))
      change({ documents, total: state.peek().total - (state.peek().documents.length - documents.length) })
    },
    close: () => leaving.abort(),
  }
}

/**
 * The list after its first page was read again. What was loaded behind that page stays, unless
 * the total shows that documents came or went there.
 */
function joinFirst({ documents, cursor }: ListState, first: Answer<'listDocuments'>): ListState {
  const rest = behind(documents, first.documents.at(-1)?.id)
  const facts = { total: first.total, isRead: true, error: null }
  const joined = [...first.documents, ...(rest ?? [])]
  const isJoined = rest !== null && (cursor !== null || joined.length === first.total)
  if (isJoined) return { ...facts, documents: joined, cursor }
  return { ...facts, documents: first.documents, cursor: first.nextCursor }
}

/** A document that came while the list was read moves others to the next page. */
function joinPage(documents: readonly MemoryDocument[], page: readonly MemoryDocument[]): MemoryDocument[] {
  const known = new Set(documents.map(({ id }) => id))
  return [...documents, ...page.filter(({ id }) => !known.has(id))]
}

/** Documents after the one with this identifier; `null` if it is not among them. */
function behind(documents: readonly MemoryDocument[], id: string | undefined): readonly MemoryDocument[] | null {
  const at = documents.findIndex((one) => one.id === id)
  return at < 0 ? null : documents.slice(at + 1)
}

/**
 * The documents of a memory for a query. Loaded documents survive leaving the view. After a change
 * of the query, the previous documents remain until the first answer.
 */
export function useDocumentList(memoryId: string, query: ListQuery): { list: DocumentList; shown: ListState } {
  const of = JSON.stringify(query)
  const [kept, keep] = useKept<{ of: string; state: ListState } | null>(`documents of ${memoryId}`, null)
  const list = useMemo(() => openList(memoryId, query, kept?.of === of ? kept.state : EMPTY), [memoryId, of])
  const previous = useRef(EMPTY)
  const state = list.state.value
  if (state.isRead) previous.current = state
  useEffect(() => {
    void list.refresh()
  }, [list, returns.value, ends.value])
  useEffect(
    () => () => {
      list.close()
      keep({ of, state: list.state.peek() })
    },
    [list],
  )
  useEvery(REFRESH_MS, state.documents.some(isRunning), () => void list.refresh())
  return { list, shown: state.isRead ? state : { ...previous.current, error: state.error } }
}
