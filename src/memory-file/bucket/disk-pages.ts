import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Named pieces of bytes on the disk, of which those used last stay. */
export type DiskPages = {
  /** The bytes from `start` to before `end` of a page; `null` where it is not there, or not any more. */
  read(name: string, start: number, end: number): Promise<Buffer | null>
  /** Keeps a page if it can; a disk that is full keeps less, and is no error. */
  write(name: string, content: Buffer): Promise<void>
  /** Overwrites those that nobody has read for so long. */
  dropUnused(forMs: number): Promise<void>
  /** Overwrites those with such names. */
  dropNamed(isGone: (name: string) => boolean): Promise<void>
  close(): Promise<void>
}

const NOTHING = Buffer.alloc(0)

type Page = { slot: number; bytes: number; usedMs: number }

/**
 * Opens an empty store of at most `maxBytes`, in pages of at most `pageBytes`; what an earlier process kept is removed. All pages stand in one
 * file, each in a slot, so that a part of one is read by one call.
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
  const mostSlots = Math.floor(maxBytes / pageBytes)
  const free: number[] = []
  // In order of last use, oldest first.
  const kept = new Map<string, Page>()
  let slots = 0
  // How many bytes of each slot may be of a page, also of one that has left it.
  const filled: number[] = []

  function takeSlot(): number | null {
    const slot = free.pop()
    if (slot !== undefined) return slot
    if (slots < mostSlots) return slots++
    for (const [oldest, page] of kept) {
      kept.delete(oldest)
      return page.slot
    }
    return null
  }

  /** Puts this into a slot and nothing in place of what stood behind it; false where a full disk took part of it, which is no error to it. */
  async function fill(slot: number, content: Buffer): Promise<boolean> {
    const length = Math.max(content.length, filled[slot] ?? 0)
    filled[slot] = length
    const { bytesWritten } = await file.write(Buffer.concat([content], length), 0, length, slot * pageBytes)
    if (bytesWritten < length) return false
    filled[slot] = content.length
    return true
  }

  /** Slots that are not free before their bytes are overwritten. Rejects where one cannot be, which is then tried again with the next. */
  async function empty(taken: readonly number[]): Promise<void> {
    await Promise.all(taken.map((slot) => fill(slot, NOTHING).finally(() => free.push(slot))))
  }

  async function drop(name: string, { slot }: Page): Promise<void> {
    kept.delete(name)
    await empty([slot])
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
      // Another page may have taken the slot meanwhile.
      return bytesRead === content.length && kept.get(name) === page ? content : null
    },
    async write(name, content) {
      const slot = kept.has(name) ? null : takeSlot()
      if (slot === null) return
      const isWhole = await fill(slot, content).catch(() => false)
      if (!isWhole || kept.has(name)) free.push(slot)
      else kept.set(name, { slot, bytes: content.length, usedMs: performance.now() })
    },
    async dropUnused(forMs) {
      for (const [name, page] of kept) {
        if (page.usedMs >= performance.now() - forMs) break
        await drop(name, page)
      }
    },
    async dropNamed(isGone) {
      const gone = [...kept].filter(([name]) => isGone(name))
      for (const [name, page] of gone) if (kept.get(name) === page) await drop(name, page)
      // A page that found no room, or was there already, may have left its bytes.
      await empty(free.splice(0))
    },
    close: () => file.close(),
  }
}
