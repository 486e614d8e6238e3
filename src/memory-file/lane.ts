import type { ChunkRow } from './memory-file.ts'

/** Most of one commit: enough that a commit's own cost vanishes, little enough that the table is made in about 10 ms. */
const COMMIT_LIMIT = { rows: 1024, bytes: 8 * 1024 * 1024 } as const

type Add = { kind: 'add'; chunks: readonly ChunkRow[]; areNew: boolean; done: Settle }
type Step = { kind: 'step'; work: () => Promise<void>; done: Settle }
type Settle = { resolve: () => void; reject: (reason: unknown) => void }

/** The writes of one memory, one after the other. */
export type Lane = {
  /** Writes chunks; adds that wait together share one commit. `areNew`: none of their documents was ever written. */
  add(chunks: readonly ChunkRow[], areNew?: boolean): Promise<void>
  /** Runs other work in its turn. */
  run(work: () => Promise<void>): Promise<void>
  /** Rejects everything that waits; what runs goes on. */
  reject(reason: unknown): void
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>
}

/**
 * Group commit. A write costs one commit (10 ms on a disk, 75 ms on S3) whatever its size, and a dataset takes some tens
 * of commits a second, so adds that gathered while the last commit ran go together. A large add is cut into pieces that
 * queue one after the other, so that small adds get their turn between them. When a shared commit fails, each add is
 * tried alone: one that cannot be written never takes others with it. Nothing counts as new then, since the commit may have been made
 * before it failed.
 */
export function createLane(commit: (chunks: readonly ChunkRow[], areNew: boolean) => Promise<void>): Lane {
  const waiting: (Add | Step)[] = []
  const idlers: (() => void)[] = []
  let busy = false
  let rejection: { reason: unknown } | null = null

  function enqueue(entry: (done: Settle) => Add | Step): Promise<void> {
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
      if (first.kind === 'step') await settle(first.done, first.work)
      else await commitGroup([first, ...takeGroup(waiting, first)])
    }
    // In the same turn as the last look at what waits, or an entry made between would never be taken.
    busy = false
    for (const resolve of idlers.splice(0)) resolve()
  }

  async function commitGroup(group: readonly Add[]): Promise<void> {
    try {
      await commit(
        group.flatMap((add) => add.chunks),
        group.every((add) => add.areNew),
      )
      for (const add of group) add.done.resolve()
    } catch (error) {
      if (group.length === 1) group[0]?.done.reject(error)
      else for (const add of group) await settle(add.done, () => commit(add.chunks, false))
    }
  }

  return {
    async add(chunks, areNew = false) {
      const before = rejection
      for (const piece of toPieces(chunks)) {
        // What is left of it would wait behind what the others made room for, and write there.
        if (rejection !== null && rejection !== before) throw rejection.reason
        await enqueue((done) => ({ kind: 'add', chunks: piece, areNew, done }))
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

async function settle(done: Settle, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    done.resolve()
  } catch (error) {
    done.reject(error)
  }
}

/** Takes the adds behind `first`, up to the next step, that fit into its commit. */
function takeGroup(waiting: (Add | Step)[], first: Add): Add[] {
  const group: Add[] = []
  let rows = first.chunks.length
  let bytes = bytesOf(first.chunks)
  for (let next = waiting[0]; next?.kind === 'add'; next = waiting[0]) {
    rows += next.chunks.length
    bytes += bytesOf(next.chunks)
    if (rows > COMMIT_LIMIT.rows || bytes > COMMIT_LIMIT.bytes) break
    group.push(next)
    waiting.shift()
  }
  return group
}

function* toPieces(chunks: readonly ChunkRow[]): Generator<readonly ChunkRow[]> {
  let start = 0
  let bytes = 0
  for (const [i, chunk] of chunks.entries()) {
    const size = bytesOf([chunk])
    if (i > start && (i - start >= COMMIT_LIMIT.rows || bytes + size > COMMIT_LIMIT.bytes)) {
      yield chunks.slice(start, i)
      start = i
      bytes = 0
    }
    bytes += size
  }
  if (start < chunks.length) yield chunks.slice(start)
}

function bytesOf(chunks: readonly ChunkRow[]): number {
  let bytes = 0
  for (const chunk of chunks) {
    bytes += chunk.text.length + chunk.terms.length + chunk.windows.byteLength + chunk.vector.byteLength
  }
  return bytes
}
