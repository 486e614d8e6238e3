import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { errorAnswer } from './error-answer.ts'

type ClientError = Error & { code?: string }
type Exchange = { request: IncomingMessage; response: ServerResponse }

/**
 * Several parts of the service listen for the end of a response. Node reports more than ten
 * listeners as a leak.
 */
const MAX_RESPONSE_LISTENERS = 20

/** Result of {@link createClientErrorHandler}. */
export type ClientErrorHandler = ReturnType<typeof createClientErrorHandler>

/**
 * Answers invalid HTTP and headers that arrive too slowly with an API error, and closes the
 * connection. Earlier requests on the same connection are answered first, because the error would
 * otherwise be read as part of their response.
 */
export function createClientErrorHandler() {
  const connections = new Set<Socket>()
  const exchanges = new WeakMap<Socket, Set<Exchange>>()
  const broken = new WeakSet<Socket>()
  const listOpen = (socket: Socket) => [...(exchanges.get(socket) ?? [])]

  function handle(error: ClientError, socket: Socket): void {
    if (broken.has(socket)) return
    broken.add(socket)
    // An unhandled error event ends the process, and a CONNECT connection has no other listener.
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
    /** Tracks the requests of a server, to know the unanswered ones. */
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
      // Node treats CONNECT like a proxy would, and drops the connection without a listener.
      server.on('connect', ({ socket }: IncomingMessage) => handle(new Error('CONNECT'), socket))
    },

    /** Returns whether a connection has a running request. */
    isAnswering: (socket: Socket): boolean => listOpen(socket).length > 0,

    /**
     * Ends connections without a request. `server.close()` ends idle ones, but waits forever for
     * connections without any request, as browsers open them, or with incomplete headers.
     */
    closeWithoutRequest(): void {
      for (const socket of connections) if (listOpen(socket).length === 0) socket.destroy()
    },

    /** Handles a connection error. Later errors of the same connection are ignored. */
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

/** Writes the response by hand, because there is no request object. */
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
  destroyLater(socket)
}

/** Time for the client to read the response before the connection is destroyed. */
const CLOSE_TIMEOUT_MS = 5000

/**
 * Destroys a connection that Node no longer manages, such as after CONNECT. Unread, the socket
 * would never report that the client left.
 */
function destroyLater(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(late))
  socket.resume()
}

function describeClientError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', { message: 'The request headers arrived too slowly.' })
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('validation_failed', {
      message: 'The path and headers of the request are larger than 16 KB.',
      remedy: 'Shorten the headers, and move long values to the body.',
    })
  }
  return new ApiError('validation_failed', {
    message: 'The request is not valid HTTP.',
    remedy: 'Send a valid HTTP/1.1 request (RFC 9112).',
  })
}

/** Rejects an Expect header other than 100-continue. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = newId('req')
  const error = new ApiError('validation_failed', {
    message: 'Expect headers other than 100-continue are not supported.',
    remedy: 'Remove the Expect header.',
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
 * Closes slow readers at shutdown. When `late` fires, a response without progress for a quarter of
 * `graceMs` loses its connection. After `graceMs`, all remaining responses are closed.
 */
export function closeSlowReaders(app: FastifyInstance, late: AbortSignal, graceMs: number): void {
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
