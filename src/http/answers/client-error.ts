import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { errorAnswer } from './error-answer.ts'

type ClientError = Error & { code?: string }
type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Each part of the service that waits for the end of an answer listens once, and a stream adds its own; Node takes more than ten for a leak. */
const MAX_RESPONSE_LISTENERS = 20

/** What {@link createClientErrorHandler} makes. */
export type ClientErrorHandler = ReturnType<typeof createClientErrorHandler>

/**
 * Answers what is no HTTP request, or came too slowly to become one, in the shape of all errors, and closes the
 * connection. The requests before it on the same connection get their answers first: written into one of them, ours
 * would be taken for a part of it.
 */
export function createClientErrorHandler() {
  const connections = new Set<Socket>()
  const exchanges = new WeakMap<Socket, Set<Exchange>>()
  const broken = new WeakSet<Socket>()
  const listOpen = (socket: Socket) => [...(exchanges.get(socket) ?? [])]

  function handle(error: ClientError, socket: Socket): void {
    if (broken.has(socket)) return
    broken.add(socket)
    // An error that nobody hears ends the process, and of a CONNECT's connection nobody else does.
    socket.on('error', () => socket.destroy())
    const open = listOpen(socket)
    const isInAnswer = open.some(({ request, response }) => !request.complete && response.headersSent)
    if (error.code === 'ECONNRESET' || !socket.writable || isInAnswer) {
      socket.destroy()
      return
    }
    const earlier = open.filter(({ request }) => request.complete).map(({ response }) => response)
    const answer = () => {
      if (socket.writable) writeAnswer(error, socket)
    }
    if (earlier.length === 0) answer()
    else whenClosed(earlier, answer)
  }

  return {
    /** Follows the requests of a server, to know which of them are still to be answered. */
    watch(server: Server): void {
      server.on('connection', (socket: Socket) => {
        connections.add(socket)
        socket.once('close', () => connections.delete(socket))
      })
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        response.setMaxListeners(MAX_RESPONSE_LISTENERS)
        const exchange = { request, response }
        const open = exchanges.get(request.socket) ?? new Set()
        exchanges.set(request.socket, open.add(exchange))
        response.once('close', () => open.delete(exchange))
      })
      // Node hands over the connection of a CONNECT as if this were a proxy, and drops it where nobody takes it.
      server.on('connect', ({ socket }: IncomingMessage) => handle(new Error('CONNECT'), socket))
    },

    /** Whether a request is under way on a connection. */
    isAnswering: (socket: Socket): boolean => listOpen(socket).length > 0,

    /**
     * Ends the connections on which no request is under way. A server that closes ends the idle ones itself, but waits for ever for one that has sent
     * nothing yet, as browsers keep them ready, or half a head: it watches them no longer.
     */
    endUnasked(): void {
      for (const socket of connections) if (listOpen(socket).length === 0) socket.destroy()
    },

    /** Takes the error of a connection; all but its first are the same again. */
    handle,
  }
}

function whenClosed(responses: readonly ServerResponse[], act: () => void): void {
  let open = responses.length
  const close = () => {
    open -= 1
    if (open === 0) act()
  }
  for (const response of responses) response.once('close', close)
}

/** There is no request, so the answer is written by hand. */
function writeAnswer(error: ClientError, socket: Socket): void {
  const requestId = newId('req')
  const { status, body } = errorAnswer(describeClientError(error.code), requestId)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${status === 504 ? 'Gateway Timeout' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  letGo(socket)
}

/** How long a connection with nothing more to say is kept for its other side, which may still be reading. */
const LETTING_GO_MS = 5000

/** Sees to a connection that Node may have taken its hands from, as it does at a CONNECT: unread, it would never hear that the other side left. */
function letGo(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), LETTING_GO_MS)
  socket.once('close', () => clearTimeout(late))
  socket.resume()
}

function describeClientError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', { message: 'The request came too slowly.' })
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('validation_failed', {
      message: 'The path and headers of the request are larger than 16 KB.',
      remedy: 'Send shorter headers, and long values in the body.',
    })
  }
  return new ApiError('validation_failed', {
    message: 'This is not a valid HTTP request.',
    remedy: 'Send HTTP/1.1 as RFC 9112 has it.',
  })
}

/** Answers an Expect header that asks for more than 100-continue. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newId('req')
  const error = new ApiError('validation_failed', {
    message: 'The Expect header asks for something other than 100-continue.',
    remedy: 'Leave the Expect header out.',
  })
  const { status, body } = errorAnswer(error, requestId)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    connection: 'close',
  })
  response.end(JSON.stringify(body))
}

/**
 * Keeps readers from holding up a stop. When `late` fires, an answer of which no byte is taken for a quarter of `graceMs` loses its connection;
 * after `graceMs` every answer does that is still going out, however fast it is read.
 */
export function endUnread(app: FastifyInstance, late: AbortSignal, graceMs: number): void {
  const goingOut = new Set<ServerResponse>()
  const hurry = (response: ServerResponse) => response.setTimeout(graceMs / 4)
  app.addHook('onSend', async (_request, { raw }) => {
    goingOut.add(raw)
    raw.once('close', () => goingOut.delete(raw))
    if (late.aborted) hurry(raw)
  })
  late.addEventListener('abort', () => {
    for (const response of goingOut) hurry(response)
    const endAll = () => {
      for (const response of goingOut) response.destroy()
    }
    setTimeout(endAll, graceMs).unref()
  })
}
