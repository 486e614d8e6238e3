import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

const PATIENCE_MS = 60_000

/** A received message. */
export type Message = { path: string; headers: IncomingHttpHeaders; body: string }
/** The content of a message with a valid signature. */
export type Event = { type: string; timestamp: string; data: Record<string, unknown> }
/** A status with a body and headers, or no answer at all. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'silence'

/** A webhook receiver on a free loopback port. Answers 204 unless changed. */
export async function openReceiver() {
  const messages: Message[] = []
  let reply: (message: Message) => Reply | Promise<Reply> = () => ({ status: 204 })
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const message = { path, headers, body: (await buffer(request)).toString() }
    messages.push(message)
    const answer = await reply(message)
    if (answer === 'silence') return
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    messages,
    replyWith: (next: typeof reply) => {
      reply = next
    },
    /** The messages of a path, once there are so many. */
    async waitFor(path: string, count: number): Promise<Message[]> {
      const late = AbortSignal.timeout(PATIENCE_MS)
      for (;;) {
        const found = messages.filter((message) => message.path === path)
        if (found.length >= count) return found
        assert.ok(!late.aborted, `${found.length} of ${count} messages came to ${path}`)
        await pause(20)
      }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The content of a message; throws when the signature does not match the secret. */
export function verifyMessage(secret: string, { headers, body }: Message): Event {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Event
}
