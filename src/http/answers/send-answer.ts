import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../route.ts'
import { lingerAfter } from './linger.ts'

/** Sends an answer. A HEAD request gets the headers of the GET; a stream it does not need is closed unread. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Answer,
): FastifyReply {
  if (!request.raw.complete) lingerAfter(request.raw, reply.raw, request.server.closing)
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
