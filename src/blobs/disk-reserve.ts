import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { isMissing } from './disk-errors.ts'

/** Our choice: a document's deletion writes some 20 KB to the log of the database, so hundreds of them. */
const RESERVE_BYTES = 8 * 1024 * 1024
/** As random bytes, since file systems that compress would keep nothing of zeros. */
const PIECE_BYTES = 64 * 1024

/** A file that holds room of a disk, so that there is some to give back when everything else has filled it to the last byte. */
export type DiskReserve = {
  /** Takes the room where the disk has twice as much; nothing where it has not, or the room is held already. */
  hold(): Promise<void>
  /** Gives the room back; false where none was held. */
  release(): Promise<boolean>
}

/** The reserve in this file. */
export function createDiskReserve(path: string): DiskReserve {
  let holding: Promise<boolean> | null = null
  return {
    async hold() {
      holding ??= fill(path)
      if (!(await holding)) holding = null
    },
    async release() {
      await holding
      holding = null
      const isHeld = (await sizeOf(path)) > 0
      await rm(path, { force: true })
      return isHeld
    },
  }
}

/** False where the disk has too little room. */
async function fill(path: string): Promise<boolean> {
  if ((await sizeOf(path)) === RESERVE_BYTES) return true
  try {
    const file = await open(path, 'w', 0o600)
    try {
      const { bavail, bsize } = await statfs(path)
      if (bavail * bsize >= 2 * RESERVE_BYTES) {
        const piece = randomBytes(PIECE_BYTES)
        await file.writev(new Array<Buffer>(RESERVE_BYTES / PIECE_BYTES).fill(piece))
      }
    } finally {
      await file.close()
    }
  } catch {
    // The room went meanwhile; what is half there goes below.
  }
  const isHeld = (await sizeOf(path)) === RESERVE_BYTES
  if (!isHeld) await rm(path, { force: true })
  return isHeld
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}
