import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Named pieces of bytes on the disk, of which those used last stay. */
export type DiskPages = {
  /** `null` where it is not there, or not any more. */
  read(name: string): Promise<Buffer | null>
  /** Keeps it if it can; a disk that is full keeps less, and is no error. */
  write(name: string, content: Buffer): Promise<void>
  /** Removes those that nobody has read for so long: of what was deleted, copies are not to stay. */
  dropUnused(forMs: number): Promise<void>
}

/** Opens an empty folder for at most `maxBytes`: what an earlier process kept is removed. */
export async function openDiskPages({
  directory,
  maxBytes,
}: {
  directory: string
  maxBytes: number
}): Promise<DiskPages> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // In order of last use, oldest first.
  const kept = new Map<string, Page>()
  let bytes = 0
  const pathOf = (name: string) => join(directory, createHash('sha256').update(name).digest('hex'))

  async function drop(name: string): Promise<void> {
    bytes -= kept.get(name)?.size ?? 0
    kept.delete(name)
    await rm(pathOf(name), { force: true })
  }

  async function dropWhile(isTooMuch: (page: Page) => boolean): Promise<void> {
    for (const [name, page] of kept) {
      if (!isTooMuch(page)) break
      await drop(name)
    }
  }

  return {
    async read(name) {
      const page = kept.get(name)
      if (page === undefined) return null
      kept.delete(name)
      kept.set(name, { size: page.size, usedMs: performance.now() })
      const content = await readFile(pathOf(name)).catch(() => null)
      // Another call may have dropped it meanwhile.
      return content?.length === page.size ? content : null
    },
    async write(name, content) {
      if (kept.has(name)) return
      kept.set(name, { size: content.length, usedMs: performance.now() })
      bytes += content.length
      try {
        await writeFile(pathOf(name), content, { mode: 0o600 })
      } catch {
        await drop(name)
      }
      await dropWhile(() => bytes > maxBytes)
    },
    dropUnused: (forMs) => dropWhile(({ usedMs }) => usedMs < performance.now() - forMs),
  }
}

type Page = { size: number; usedMs: number }
