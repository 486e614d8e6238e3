/** The writes of one place, one after the other; writes that wait together share a commit. */
export type GroupCommitQueue<Item> = {
  /** Writes items. `areNew`: none of them was ever written. */
  add(items: readonly Item[], areNew?: boolean): Promise<void>
  /** Runs other work in its turn. */
  run(work: () => Promise<void>): Promise<void>
  /** Rejects everything that waits; what runs goes on. */
  reject(reason: unknown): void
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>
}

/** What a queue commits, and how much of it at most in one commit. */
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
 * Group commit. A commit costs the same whatever its size, so adds that gathered while the last commit ran go together.
 * A large add is cut into pieces that queue one after the other, so that small adds get their turn between them. When a
 * shared commit fails, each add is tried alone: one that cannot be written never takes others with it. Nothing counts as
 * new then, since the commit may have been made before it failed.
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
    // Lets adds of the same turn of the event loop gather.
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
    // In the same turn as the last look at what waits, or an entry made between would never be taken.
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
        // What is left of it would wait behind what the others made room for, and write there.
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

type Measure<Item> = Pick<GroupCommitOptions<Item>, 'bytesOf' | 'limit'>

/** `first` with the adds behind it, up to the next step, that fit into its commit; these are taken. */
function takeGroup<Item>(waiting: Entry<Item>[], first: Entry<Item>, { bytesOf, limit }: Measure<Item>): Entry<Item>[] {
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

function* toPieces<Item>(items: readonly Item[], { bytesOf, limit }: Measure<Item>): Generator<readonly Item[]> {
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
