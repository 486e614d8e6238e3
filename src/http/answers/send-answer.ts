import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../route.ts'
import { lingerAfter } from './linger.ts'

/**
 * Sends an answer. A HEAD request gets the headers of the GET; a stream it does not need is closed unread. A reader who takes no
 * byte of an answer for the server's `readerIdleMs` loses the connection; the system notices within twice that time.
 */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Answer,
): FastifyReply {
  if (!request.raw.complete) lingerAfter(request.raw, reply.raw, request.server.closing)
  // Node closes the connection then. Without it whoever reads nothing keeps file and connection open for good.
  reply.raw.setTimeout(request.server.readerIdleMs)
  reply.code(status).headers(headers)
  if (body === null) return reply.send()
  if (body instanceof Readable) {
    if (request.method !== 'HEAD') return reply.send(body)
    closeUnsent({ body })
    return reply.send()
  }
  if (headers['content-type'] === undefined) reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

/** Lets go of what an answer that nobody gets would have streamed. */
export function closeUnsent({ body }: Pick<Answer, 'body'>): void {
  // A stream that is closed before it was opened may say so with an error no one needs.
  if (body instanceof Readable) body.on('error', () => undefined).destroy()
}
