import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** An embedding model behind an endpoint of loopback, whose answers take their time and nobody's processor. */
export type WaitingModel = {
  settings: Readonly<Record<string, string>>
  /** What is asked from now on is answered together, when the function it returns is called. */
  hold(): () => void
  close(): Promise<void>
}

/** Few, since what they say is beside the point. */
const DIMENSIONS = 8

/** Starts one that answers after `delayMs`. */
export async function startWaitingModel(delayMs: number): Promise<WaitingModel> {
  let held: Promise<void> | null = null
  const server = createServer(async (request, response) => {
    // Whether it is there is asked without a body.
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
