import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../errors.ts'

/**
 * All bytes of a request's body. Rejects with `body_too_large` as soon as it is known, from Content-Length or on the
 * way, and with `content_type_mismatch` when the sender stops before the end.
 */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  requireLength(request, maxBytes)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const stop = (error: Error | null) => {
      request.off('data', take).off('end', end).off('error', close).off('close', close)
      request.pause()
      if (error === null) resolve(Buffer.concat(chunks, bytes))
      else reject(error)
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxBytes) stop(bodyTooLarge(maxBytes))
    }
    const end = () => stop(null)
    const close = () =>
      stop(new ApiError('content_type_mismatch', { message: 'The body ended before it was complete.' }))
    request.on('data', take).on('end', end).on('error', close).on('close', close)
  })
}

/** Throws `body_too_large` when Content-Length alone says so. */
export function requireLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
}

/** The 413 that names the limit of the endpoint. */
export function bodyTooLarge(maxBytes: number): ApiError {
  const megabytes = Math.round((maxBytes / (1024 * 1024)) * 10) / 10
  return new ApiError('body_too_large', { message: `The request body is larger than ${megabytes} MB.` })
}
