import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { errorAnswer } from './error-answer.ts'

/**
 * Answers what is no HTTP request, or came too slowly to become one, in the shape of all errors, and closes the
 * connection. There is no request yet, so the answer is written by hand.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
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
