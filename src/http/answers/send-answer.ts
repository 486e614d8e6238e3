import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../route.ts'

/** How long what is still coming of a refused body is read and thrown away (nginx: lingering_time, 30 s). */
const LINGER_MS = 30_000

/** Sends an answer. A HEAD request gets the headers of the GET; a stream it does not need is closed unread. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Answer,
): FastifyReply {
  if (!request.raw.complete) lingerAfter(request, reply, status)
  reply.code(status).headers(headers)
  if (body instanceof Readable) return request.method === 'HEAD' ? endUnread(reply, body) : reply.send(body)
  if (body === null) return reply.send()
  if (headers['content-type'] === undefined) reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(typeof body === 'string' ? body : JSON.stringify(body))
}

function endUnread(reply: FastifyReply, body: Readable): FastifyReply {
  // A stream that is closed before it was opened may say so with an error no one needs.
  body.on('error', () => undefined).destroy()
  return reply.send()
}

/**
 * An answer that is sent before the whole body came would be lost if the connection closed on a sender who still
 * writes: the rest is read and thrown away for a while first. After a time-out nothing more is waited for.
 */
function lingerAfter(request: FastifyRequest, reply: FastifyReply, status: number): void {
  const { raw } = request
  reply.raw.once('finish', () => {
    if (raw.complete || raw.socket.destroyed) return
    // Node forgets a request when its answer is out: without this whoever still reads the body would never hear of the end.
    raw.socket.once('close', () => raw.destroy())
    if (status === 504) return raw.socket.destroySoon()
    const timer = setTimeout(() => raw.socket.destroy(), LINGER_MS)
    const settle = () => clearTimeout(timer)
    raw.once('end', settle)
    raw.socket.once('close', settle)
    raw.unpipe()
    raw.resume()
  })
}
