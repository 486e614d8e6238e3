import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { ApiError } from '../errors.ts'
import { fetchFailed, type UrlFailure } from './url-failure.ts'

/** Limits of a response body. */
type BodyLimits = { maxBytes: number; idleMs: number }

type SaveBodyOptions = { path: string; limits: BodyLimits; signal: AbortSignal }

/**
 * Streams a response body to a new file (mode 0600) and returns its size in bytes. Bytes are
 * counted as received and, if compressed without request, again as decompressed. Neither a false
 * length nor a decompression bomb exceeds `maxBytes`.
 *
 * Rejects with `url_too_large`, `url_fetch_failed` (also after `idleMs` without data), the signal's
 * reason, or Node's error; the file is then deleted. An existing file is left untouched.
 */
export async function saveBody(response: IncomingMessage, { path, limits, signal }: SaveBodyOptions): Promise<number> {
  try {
    const decoder = createDecoder(response.headers['content-encoding'])
    if (Number(response.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes)
    const file = await open(path, 'wx', 0o600)
    return await stream(response, { path, limits, signal, decoder, file })
  } finally {
    // Closes the connection of a response not read to its end. No effect otherwise.
    response.destroy()
  }
}

/**
 * Returns `null` for uncompressed content. Servers send gzip and Brotli unrequested; object stores
 * keep gzip files.
 */
function createDecoder(encoding: string | undefined): Duplex | null {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'br') return createBrotliDecompress()
  throw fetchFailed('its compression is not supported')
}

async function stream(
  response: IncomingMessage,
  { path, limits, signal, decoder, file }: SaveBodyOptions & { decoder: Duplex | null; file: FileHandle },
): Promise<number> {
  const idle = createIdleTimer(limits.idleMs, (error) => response.destroy(error))
  const sent = createCounter(limits.maxBytes, idle.restart)
  const unpacked = createCounter(limits.maxBytes, () => undefined)
  const end = file.createWriteStream()
  try {
    if (decoder === null) await pipeline(response, sent.count, end, { signal })
    else await pipeline(response, sent.count, decoder, unpacked.count, end, { signal })
    return decoder === null ? sent.bytes() : unpacked.bytes()
  } catch (error) {
    await rm(path, { force: true })
    throw signal.aborted ? signal.reason : error
  } finally {
    idle.stop()
  }
}

function createIdleTimer(idleMs: number, end: (error: UrlFailure) => void) {
  const start = () => setTimeout(() => end(fetchFailed(`no data was received for ${idleMs / 1000} seconds`)), idleMs)
  let timer = start()
  return {
    restart(): void {
      clearTimeout(timer)
      timer = start()
    },
    stop: () => clearTimeout(timer),
  }
}

function createCounter(maxBytes: number, onChunk: () => void) {
  let bytes = 0
  return {
    bytes: () => bytes,
    async *count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        onChunk()
        bytes += chunk.length
        if (bytes > maxBytes) throw tooLarge(maxBytes)
        yield chunk
      }
    },
  }
}

function tooLarge(maxBytes: number): ApiError {
  const size = maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MB` : `${maxBytes} bytes`
  return new ApiError('url_too_large', { message: `The resource is larger than ${size}.`, param: 'url' })
}
