import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../route.ts'

/**
 * Sends a response. HEAD gets the headers of GET, and the unused stream is closed. A client that
 * reads nothing for `readerIdleMs` loses the connection, within at most twice that time.
 */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, cookies }: Answer,
): FastifyReply {
  if (!request.raw.complete) discardRestOfBody(request.raw, reply.raw, request.server.closing)
  // Closes the connection on timeout. Otherwise a client that does not read would hold the file and
  // the connection forever.
  reply.raw.setTimeout(request.server.readerIdleMs)
  reply.code(status).headers(headers)
  if (cookies !== undefined) reply.header('set-cookie', cookies)
  if (body === null) return reply.send()
  if (body instanceof Readable) {
    if (request.method !== 'HEAD') return reply.send(body)
    closeUnsentBody({ body })
    return reply.send()
  }
  if (headers['content-type'] === undefined) reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

/** Closes the stream of a response without a receiver. */
export function closeUnsentBody({ body }: Pick<Answer, 'body'>): void {
  // Ignores the error of a stream that is closed before it is opened.
  if (body instanceof Readable) body.on('error', () => undefined).destroy()
}

/**
 * Time to read and discard the rest of a refused body, in total and without a byte (nginx:
 * lingering_time, lingering_timeout).
 */
const LINGER_MS = 30_000
const LINGER_IDLE_MS = 5000

/**
 * Handles a response that is sent before the whole body arrived. Closing the connection immediately
 * would discard the response while the client still writes. So the rest of the body is discarded
 * for a while, except after a timeout or during shutdown.
 */
function discardRestOfBody(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
  response.once('finish', () => {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    // Node forgets a request after its response. Without this, readers of the body would never see
    // its end.
    onceBodyEnds(request, () => {
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
  onceBodyEnds(request, settle)
  request.unpipe()
  // An earlier reader may have paused the request, and adding a listener does not resume it.
  request.on('data', () => idle.refresh()).resume()
}

/**
 * Runs `act` once, at the end of the body or of the connection. Removes all listeners, because a
 * connection serves many requests.
 */
function onceBodyEnds(request: IncomingMessage, act: () => void): void {
  const { socket } = request
  const over = () => {
    socket.off('close', over)
    request.off('end', over)
    act()
  }
  socket.once('close', over)
  request.once('end', over)
}
