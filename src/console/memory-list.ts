/** Memories that the key can access: one list for the side bar, the command bar and the views. */
import { computed, effect, signal } from '@preact/signals'
import type { Memory } from '../client/resources.ts'
import { apiKey, client, returns } from './session.ts'
import { readStoredList, storeList } from './stored-list.ts'

/** Maximum number of memories. Browsers become slow with more rows. */
export const MAX_MEMORIES = 500

const RECENT = 'recollect-recent'
const MAX_RECENT = 30

type MemoryList = { memories: readonly Memory[] | null; error: unknown; hasMore: boolean }

const EMPTY: MemoryList = { memories: null, error: null, hasMore: false }

/** The list, newest first; `memories` is `null` until it has loaded. */
export const memoryList = signal<MemoryList>(EMPTY)

/** Names by ID. Empty until the list has loaded. */
export const memoryNames = computed<ReadonlyMap<string, string>>(
  () => new Map((memoryList.value.memories ?? []).map(({ id, name }) => [id, name])),
)

const opened = signal<readonly string[]>(readStoredList(RECENT))

/** The memories in the order in which they were opened in this browser; then the newest. */
export const recentMemories = computed<readonly Memory[]>(() => {
  const memories = memoryList.value.memories ?? []
  const rank = new Map(opened.value.map((id, index) => [id, index]))
  const rankOf = ({ id }: Memory) => rank.get(id) ?? Number.POSITIVE_INFINITY
  return memories.toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)))
})

/** Puts a memory first in the list of recent ones. */
export function markOpened(memoryId: string): void {
  if (opened.peek()[0] === memoryId) return
  opened.value = [memoryId, ...opened.peek().filter((id) => id !== memoryId)].slice(0, MAX_RECENT)
  storeList(RECENT, opened.peek())
}

let reading = new AbortController()

/** Reads the list again, after a memory was added, changed or deleted. Never rejects. */
export async function reloadMemories(): Promise<void> {
  reading.abort()
  reading = new AbortController()
  const { signal: stop } = reading
  try {
    const memories: Memory[] = []
    let hasMore = false
    for await (const memory of client.peek().memories.list({ limit: 100 }, { signal: stop })) {
      hasMore = memories.length === MAX_MEMORIES
      if (hasMore) break
      memories.push(memory)
    }
    if (!stop.aborted) memoryList.value = { memories, error: null, hasMore }
  } catch (error) {
    if (!stop.aborted) memoryList.value = { ...memoryList.peek(), error }
  }
}

// Each user has a list, read again when the service is back. The next user must not see it.
effect(() => {
  if (apiKey.value === null) {
    reading.abort()
    memoryList.value = EMPTY
    return
  }
  if (returns.value >= 0) void reloadMemories()
})
