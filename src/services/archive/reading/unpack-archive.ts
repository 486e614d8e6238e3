import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { ApiError } from '../../../errors.ts'
import { invalidArchive } from '../invalid-archive.ts'
import { createByteReader } from './byte-reader.ts'
import { readTar, type TarFile } from './read-tar.ts'

const MB = 1024 * 1024
/** The gzip of exports (level 1) packs honest texts 3 to 30 times and nothing but zeros 230 times; a bomb has up to 1,030 times, once it is large enough to matter. */
export const MAX_RATIO = 300
const RATIO_MATTERS_BYTES = 32 * MB

/**
 * The files of a .tar.gz on the local disk, one after the other, in bounded memory. Rejects with `invalid_archive` for what is no gzip, damaged, cut off,
 * a bomb, or goes on behind its end.
 */
export async function* unpackArchive(path: string): AsyncGenerator<TarFile, void, undefined> {
  const { size } = await stat(path)
  const gunzip = createGunzip()
  const file = createReadStream(path)
  pipeline(file, gunzip, () => undefined)
  try {
    yield* readTar(createByteReader(guard(gunzip)))
    if (gunzip.bytesWritten !== size) throw invalidArchive('Something stands behind the end of the archive.')
  } finally {
    gunzip.destroy()
    file.destroy()
  }
}

/** What gzip gives, as long as that is not far more than what it was given. */
async function* guard(gunzip: Gunzip): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > RATIO_MATTERS_BYTES + MAX_RATIO * gunzip.bytesWritten) {
        throw invalidArchive(`The archive unpacks to more than ${MAX_RATIO} times its size.`)
      }
      yield piece
    }
  } catch (error) {
    throw toArchiveError(error)
  }
}

/** What zlib finds wrong; all else (the disk, our own) as it is. */
function toArchiveError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return invalidArchive('The archive ends before it is complete.')
  if (code.startsWith('Z_'))
    return invalidArchive('The file is not the archive of a memory: it is no gzip, or damaged.')
  return error
}
