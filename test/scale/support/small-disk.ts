import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const MEGABYTE = 1024 * 1024

/** A mounted disk of a few megabytes. */
export type SmallDisk = {
  path: string
  /** Fills the remaining space to the last byte, in addition to earlier fills. */
  fill(): Promise<void>
  /** Frees the filled space. */
  free(): Promise<void>
  remove(): Promise<void>
}

/** Mounts a disk in a new folder at `path`; `null` where this process may not mount. */
export async function mountSmallDisk(path: string, megabytes: number): Promise<SmallDisk | null> {
  await mkdir(path)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  if (status !== 0) return null
  const ballast = join(path, 'ballast')
  return {
    path,
    async fill() {
      while (freeBytes(path) > 0) {
        await writeFile(ballast, Buffer.alloc(MEGABYTE), { flag: 'a' }).catch(orFull)
      }
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      spawnSync('umount', [path])
      await rm(path, { recursive: true, force: true })
    },
  }
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

function orFull(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error
}
