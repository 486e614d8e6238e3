import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../route.ts'

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

/** How long the rest of a refused body is read and thrown away, in all and without a byte (nginx: lingering_time, lingering_timeout). */
const LINGER_MS = 30_000
const LINGER_IDLE_MS = 5000

/**
 * Sees to a connection whose answer goes out before the whole body came in. Closed at once, it would take the answer
 * from a sender who still writes, so the rest is read and thrown away for a while; not after a time-out, when nothing
 * is coming, and not while the server closes.
 */
function lingerAfter(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
  response.once('finish', () => {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    // Node forgets a request when its answer is out: without this whoever still reads the body would never hear of the end.
    onceOver(request, () => {
      if (socket.destroyed) request.destroy()
    })
    if (response.statusCode === 504 || closing.aborted) socket.destroySoon()
    else drain(request, closing)
  })
}

function drain(request: IncomingMessage, closing: AbortSignal): void {
  const { socket } = request
  const end = () => socket.destroy()
  const total = setTimeout(end, LINGER_MS)
  const idle = setTimeout(end, LINGER_IDLE_MS)
  const settle = () => {
    clearTimeout(total)
    clearTimeout(idle)
    closing.removeEventListener('abort', end)
  }
  closing.addEventListener('abort', end)
  onceOver(request, settle)
  request.unpipe()
  // Whoever read before may have paused it, and a listener alone does not undo that.
  request.on('data', () => idle.refresh()).resume()
}

/** Acts once, when the body has come or the connection has ended. Nothing stays on a connection, which lives on for many requests. */
function onceOver(request: IncomingMessage, act: () => void): void {
  const { socket } = request
  const over = () => {
    socket.off('close', over)
    request.off('end', over)
    act()
  }
  socket.once('close', over)
  request.once('end', over)
}
