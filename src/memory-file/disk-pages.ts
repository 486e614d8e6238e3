import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A cache of named pages on disk that evicts the least recently used. */
export type DiskPages = {
  /** Bytes `start` to before `end` of a page; `null` if the page is not cached. */
  read(name: string, start: number, end: number): Promise<Buffer | null>
  /** Caches a page if possible. A full disk is not an error. */
  write(name: string, content: Buffer): Promise<void>
  /** Overwrites pages not read for `forMs`. */
  evictUnused(forMs: number): Promise<void>
  /** Overwrites the pages whose name matches. */
  evictMatching(isGone: (name: string) => boolean): Promise<void>
  close(): Promise<void>
}

const NOTHING = Buffer.alloc(0)

type Page = { slot: number; bytes: number; usedMs: number }

/**
 * Opens an empty cache of at most `maxBytes`, in pages of at most `pageBytes`. Deletes the pages of
 * an earlier process. All pages are slots of one file, so that one call reads a part of a page.
 */
export async function openDiskPages(options: {
  directory: string
  maxBytes: number
  pageBytes: number
}): Promise<DiskPages> {
  const { directory, maxBytes, pageBytes } = options
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const file = await open(join(directory, 'pages'), 'wx+', 0o600)
  const slots = createSlots(file, { maxSlots: Math.floor(maxBytes / pageBytes), pageBytes })
  // In order of last use, oldest first.
  const kept = new Map<string, Page>()

  function takeSlot(): number | null {
    const slot = slots.take()
    if (slot !== null) return slot
    for (const [oldest, page] of kept) {
      kept.delete(oldest)
      return page.slot
    }
    return null
  }

  async function drop(name: string, { slot }: Page): Promise<void> {
    kept.delete(name)
    await slots.empty([slot])
  }

  return {
    async read(name, start, end) {
      const page = kept.get(name)
      if (page === undefined || end > page.bytes) return null
      page.usedMs = performance.now()
      kept.delete(name)
      kept.set(name, page)
      const content = Buffer.allocUnsafe(end - start)
      const { bytesRead } = await file.read(content, 0, content.length, page.slot * pageBytes + start)
      // Another page may have taken the slot in the meantime.
      return bytesRead === content.length && kept.get(name) === page ? content : null
    },
    async write(name, content) {
      const slot = kept.has(name) ? null : takeSlot()
      if (slot === null) return
      const isWhole = await slots.fill(slot, content).catch(() => false)
      if (!isWhole || kept.has(name)) slots.release(slot)
      else kept.set(name, { slot, bytes: content.length, usedMs: performance.now() })
    },
    async evictUnused(forMs) {
      for (const [name, page] of kept) {
        if (page.usedMs >= performance.now() - forMs) break
        await drop(name, page)
      }
    },
    async evictMatching(isGone) {
      const gone = [...kept].filter(([name]) => isGone(name))
      for (const [name, page] of gone) if (kept.get(name) === page) await drop(name, page)
      await slots.emptyReleased()
    },
    close: () => file.close(),
  }
}

/**
 * Slots of `pageBytes` in a file. A slot is not free until its bytes have been overwritten: a
 * deleted document must not be readable in the cache.
 */
function createSlots(file: FileHandle, { maxSlots, pageBytes }: { maxSlots: number; pageBytes: number }) {
  const free: number[] = []
  let count = 0
  // Bytes of each slot that may hold page content, also of a page that has left the slot.
  const filled: number[] = []

  /**
   * Writes `content` and zeros over the rest of the previous page. False when a full disk took only
   * a part.
   */
  async function fill(slot: number, content: Buffer): Promise<boolean> {
    const length = Math.max(content.length, filled[slot] ?? 0)
    filled[slot] = length
    const { bytesWritten } = await file.write(Buffer.concat([content], length), 0, length, slot * pageBytes)
    if (bytesWritten < length) return false
    filled[slot] = content.length
    return true
  }

  /**
   * Frees slots. Rejects when one cannot be overwritten; the next call of `emptyReleased` tries it
   * again.
   */
  async function empty(taken: readonly number[]): Promise<void> {
    await Promise.all(taken.map((slot) => fill(slot, NOTHING).finally(() => free.push(slot))))
  }

  return {
    /** Returns `null` when all slots are in use. */
    take: () => free.pop() ?? (count < maxSlots ? count++ : null),
    fill,
    empty,
    /** Frees a slot whose bytes are not overwritten yet. */
    release: (slot: number) => void free.push(slot),
    /**
     * Overwrites free slots: a page that found no room, or was there already, may have left its
     * bytes.
     */
    emptyReleased: () => empty(free.splice(0)),
  }
}
