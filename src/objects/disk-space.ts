import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../errors.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import { DISK_RESERVE_BYTES } from '../limits.ts'

/** Rejects with `insufficient_storage` where the disk of a folder has no room for so many bytes beside what stays free for deleting. */
export async function requireDiskRoom(directory: string, bytes: number): Promise<void> {
  if (!hasRoom(await readFreeBytes(directory), bytes)) throw new ApiError('insufficient_storage')
}

/** The room of a folder's disk. */
type DiskRoom = {
  /** See {@link requireDiskRoom}. */
  require(bytes: number): Promise<void>
  /** True where twice what stays free is not, where somebody was refused who needs little, and for some time behind. */
  isShort(): Promise<boolean>
}

/** Whoever deletes to make room deletes more than one, and whoever was refused tries again: both within this. Ours. */
const SHORTAGE_MS = 5 * 60_000
/** Who needs more and is refused may be asking for too much: that says nothing of a disk on which others have room. Ours. */
const LITTLE_BYTES = 64 * 1024 * 1024

/** That of the disk of this folder; `freeBytes` tells what is free of it. */
export function createDiskRoom(directory: string, freeBytes = () => readFreeBytes(directory)): DiskRoom {
  let shortAt = -Infinity
  function note(free: number): void {
    if (free < 2 * DISK_RESERVE_BYTES) shortAt = performance.now()
  }

  return {
    async require(bytes) {
      const free = await freeBytes()
      note(free)
      if (hasRoom(free, bytes)) return
      if (bytes <= LITTLE_BYTES) shortAt = performance.now()
      throw new ApiError('insufficient_storage')
    },
    async isShort() {
      note(await freeBytes())
      return performance.now() - shortAt < SHORTAGE_MS
    },
  }
}

function hasRoom(free: number, bytes: number): boolean {
  return free >= DISK_RESERVE_BYTES + bytes
}

/** Our choice: a document's deletion writes some 20 KB to the log of the database, so hundreds of them. */
const RESERVE_BYTES = 8 * 1024 * 1024
/** Random, and far more than file systems compress at a time (128 KB): of what repeats itself they would keep little. */
const PIECE_BYTES = 1024 * 1024

/** A file that holds room of a disk, so that there is some to give back when everything else has filled it to the last byte. */
type DiskReserve = {
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
      if ((await readFreeBytes(path)) >= 2 * RESERVE_BYTES) {
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

/** True for an error of the file system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

/** True when the file, or a folder on the way to it, is not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

/**
 * A full disk or quota as `insufficient_storage`, other trouble of the file system, which may pass, as
 * `service_unavailable`; any other error as it is.
 */
export function toBlobError(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new ApiError('insufficient_storage', { cause: error })
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfSystem ? new ApiError('service_unavailable', { cause: error }) : error
}
