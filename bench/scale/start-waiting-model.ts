import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** An embedding model on a loopback endpoint with delayed answers and no processor load. */
export type WaitingModel = {
  settings: Readonly<Record<string, string>>
  /** Holds all later requests until the returned function is called. */
  hold(): () => void
  close(): Promise<void>
}

/** Few dimensions, since the values do not matter. */
const DIMENSIONS = 8

/** Starts a model that answers after `delayMs`. */
export async function startWaitingModel(delayMs: number): Promise<WaitingModel> {
  let held: Promise<void> | null = null
  const server = createServer(async (request, response) => {
    // Availability checks have no body.
    if (request.method !== 'POST') return void response.end()
    const { input } = (await json(request)) as { input: string | string[] }
    await (held ?? pause(delayMs))
    const data = [input].flat().map((text, index) => ({ index, embedding: toVector(text) }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data, model: 'waits', usage: { prompt_tokens: 1, total_tokens: 1 } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    settings: {
      RECOLLECT_EMBEDDER: 'openai:waits',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: 'nobody-asks',
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function toVector(text: string): number[] {
  return Array.from({ length: DIMENSIONS }, (_, index) => (text.charCodeAt(index % text.length) % 17) + 1)
}
