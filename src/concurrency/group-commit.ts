/** A write queue in which waiting writes share a commit. */
export type GroupCommitQueue<Item> = {
  /** Writes items. `areNew`: no item was ever written before. */
  add(items: readonly Item[], areNew?: boolean): Promise<void>
  /** Runs other work in its turn. */
  run(work: () => Promise<void>): Promise<void>
  /** Rejects all waiting entries; running work continues. */
  reject(reason: unknown): void
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>
}

/** The commit function, and the limits of one commit. */
export type GroupCommitOptions<Item> = {
  commit(items: readonly Item[], areNew: boolean): Promise<void>
  bytesOf(item: Item): number
  limit: { items: number; bytes: number }
}

type Add<Item> = { kind: 'add'; items: readonly Item[]; areNew: boolean; done: Settle }
type Step = { kind: 'step'; work: () => Promise<void>; done: Settle }
type Entry<Item> = Add<Item> | Step
type Settle = { resolve: () => void; reject: (reason: unknown) => void }

/**
 * Group commit. A commit of any size costs the same, so the adds that arrive during a commit
 * share the next. A large add is split into pieces that queue one after another, so that small adds
 * get turns in between. When a shared commit fails, each add is retried alone, so that an invalid
 * add fails alone. Retried items do not count as new: the failed commit may have written them.
 */
export function createGroupCommitQueue<Item>(options: GroupCommitOptions<Item>): GroupCommitQueue<Item> {
  const { commit } = options
  const waiting: Entry<Item>[] = []
  const idlers: (() => void)[] = []
  let busy = false
  let rejection: { reason: unknown } | null = null

  function enqueue(entry: (done: Settle) => Entry<Item>): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push(entry({ resolve, reject }))
      if (!busy) void drain()
    })
  }

  async function drain(): Promise<void> {
    busy = true
    // Collects the adds of one turn of the event loop.
    await Promise.resolve()
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const group = takeGroup(waiting, first, options)
      try {
        await start(group)
        for (const { done } of group) done.resolve()
      } catch (error) {
        if (group.length === 1) first.done.reject(error)
        else await commitEach(group)
      }
    }
    // Must follow the last check of `waiting` in the same turn: an entry in between would never be
    // taken.
    busy = false
    for (const resolve of idlers.splice(0)) resolve()
  }

  function start(group: readonly Entry<Item>[]): Promise<void> {
    const adds = group.filter((entry) => entry.kind === 'add')
    const items = adds.flatMap((add) => add.items)
    const [step] = group
    return step?.kind === 'step'
      ? step.work()
      : commit(
          items,
          adds.every(({ areNew }) => areNew),
        )
  }

  async function commitEach(group: readonly Entry<Item>[]): Promise<void> {
    for (const entry of group) {
      if (entry.kind === 'add') await commit(entry.items, false).then(entry.done.resolve, entry.done.reject)
    }
  }

  return {
    async add(items, areNew = false) {
      const before = rejection
      for (const piece of toPieces(items, options)) {
        // The rest of a rejected add must not be written after the rejection.
        if (rejection !== null && rejection !== before) throw rejection.reason
        await enqueue((done) => ({ kind: 'add', items: piece, areNew, done }))
      }
    },
    run: (work) => enqueue((done) => ({ kind: 'step', work, done })),
    reject(reason) {
      rejection = { reason }
      for (const entry of waiting.splice(0)) entry.done.reject(reason)
    },
    async idle() {
      if (busy) await new Promise<void>((resolve) => idlers.push(resolve))
    },
  }
}

type SizeLimits<Item> = Pick<GroupCommitOptions<Item>, 'bytesOf' | 'limit'>

/** Takes the adds after `first` that fit into its commit, up to the next step. */
function takeGroup<Item>(
  waiting: Entry<Item>[],
  first: Entry<Item>,
  { bytesOf, limit }: SizeLimits<Item>,
): Entry<Item>[] {
  if (first.kind === 'step') return [first]
  const sizeOf = (items: readonly Item[]) => items.reduce((bytes, item) => bytes + bytesOf(item), 0)
  const group: Entry<Item>[] = [first]
  let count = first.items.length
  let bytes = sizeOf(first.items)
  for (let next = waiting[0]; next?.kind === 'add'; next = waiting[0]) {
    count += next.items.length
    bytes += sizeOf(next.items)
    if (count > limit.items || bytes > limit.bytes) break
    group.push(next)
    waiting.shift()
  }
  return group
}

function* toPieces<Item>(items: readonly Item[], { bytesOf, limit }: SizeLimits<Item>): Generator<readonly Item[]> {
  let start = 0
  let bytes = 0
  for (const [i, item] of items.entries()) {
    const size = bytesOf(item)
    if (i > start && (i - start >= limit.items || bytes + size > limit.bytes)) {
      yield items.slice(start, i)
      start = i
      bytes = 0
    }
    bytes += size
  }
  if (start < items.length) yield items.slice(start)
}
