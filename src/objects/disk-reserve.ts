import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './disk-errors.ts'

/** Our choice: a document's deletion writes some 20 KB to the log of the database, so hundreds of them. */
const RESERVE_BYTES = 8 * 1024 * 1024
/** Random, and far more than file systems compress at a time (128 KB): of what repeats itself they would keep little. */
const PIECE_BYTES = 1024 * 1024

/** A file that holds room of a disk, so that there is some to give back when everything else has filled it to the last byte. */
export type DiskReserve = {
  /** Takes the room where the disk has twice as much; nothing where it has not, or the room is held already. */
  hold(): Promise<void>
  /** Gives the room back, where any is held. */
  release(): Promise<void>
}

/** The reserve of an object store in this folder. */
export function createDiskReserve(directory: string): DiskReserve {
  const path = join(directory, 'reserve')
  let isHeld = false
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: a file that is taken while it is given back would count as held, and be gone. */
  function inTurn(act: () => Promise<void>): Promise<void> {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }

  return {
    async hold() {
      if (isHeld) return
      await inTurn(async () => {
        isHeld ||= await fill(path)
      })
    },
    release: () =>
      inTurn(async () => {
        isHeld = false
        await rm(path, { force: true })
      }),
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
