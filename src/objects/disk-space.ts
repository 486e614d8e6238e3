import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../errors.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import { DISK_RESERVE_BYTES } from '../limits.ts'

/**
 * Rejects with `insufficient_storage` if the disk lacks room for these bytes beyond the reserve for
 * deletions.
 */
export async function requireDiskRoom(directory: string, bytes: number): Promise<void> {
  if (!hasRoom(await readFreeBytes(directory), bytes)) throw new ApiError('insufficient_storage')
}

/** Free space of a folder's disk. */
type DiskRoom = {
  /** See {@link requireDiskRoom}. */
  require(bytes: number): Promise<void>
  /**
   * True if less than twice the reserve is free or a small write was refused, and for some time
   * after.
   */
  isShort(): Promise<boolean>
}

/**
 * Time to make room and retry: users delete several documents, and refused clients retry. Our
 * choice.
 */
const SHORTAGE_MS = 5 * 60_000
/**
 * Larger writes may simply be too large, so their refusal does not mean that the disk is full. Our
 * choice.
 */
const SMALL_WRITE_BYTES = 64 * 1024 * 1024

/** Creates the monitor of a folder's disk; `freeBytes` returns the free space. */
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
      if (bytes <= SMALL_WRITE_BYTES) shortAt = performance.now()
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

/**
 * Enough for hundreds of deletions: deleting a document writes about 20 KB to the database log. Our
 * choice.
 */
const BALLAST_BYTES = 8 * 1024 * 1024
/**
 * Random bytes, longer than a file system's compression unit (128 KB): repeated data would be
 * compressed away.
 */
const CHUNK_BYTES = 1024 * 1024

/** A ballast file. Its space is released when the disk is completely full. */
type BallastFile = {
  /** Creates the file if the disk has twice its size free. No effect if the file exists. */
  hold(): Promise<void>
  /** Deletes the file, if any. */
  release(): Promise<void>
}

/** Creates the reserve of an object store in this folder. */
export function createBallastFile(directory: string): BallastFile {
  const path = join(directory, 'reserve')
  let isHeld = false
  let last: Promise<unknown> = Promise.resolve()

  /** Serializes calls: a file created during a release would count as held although deleted. */
  function serialize(act: () => Promise<void>): Promise<void> {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }

  return {
    async hold() {
      if (isHeld) return
      await serialize(async () => {
        isHeld ||= await fill(path)
      })
    },
    release: () =>
      serialize(async () => {
        isHeld = false
        await rm(path, { force: true })
      }),
  }
}

/** Returns false if the disk has too little room. */
async function fill(path: string): Promise<boolean> {
  if ((await sizeOf(path)) === BALLAST_BYTES) return true
  try {
    const file = await open(path, 'w', 0o600)
    try {
      if ((await readFreeBytes(path)) >= 2 * BALLAST_BYTES) {
        const piece = randomBytes(CHUNK_BYTES)
        await file.writev(new Array<Buffer>(BALLAST_BYTES / CHUNK_BYTES).fill(piece))
      }
    } finally {
      await file.close()
    }
  } catch {
    // The disk filled up meanwhile; the partial file is deleted below.
  }
  const isHeld = (await sizeOf(path)) === BALLAST_BYTES
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

/** True for a file system error with any of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

/** True if the file or a folder on its path does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

/**
 * Maps a full disk or quota to `insufficient_storage`, other file system errors to
 * `service_unavailable`. Returns all other errors unchanged.
 */
export function toBlobError(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new ApiError('insufficient_storage', { cause: error })
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfSystem ? new ApiError('service_unavailable', { cause: error }) : error
}
