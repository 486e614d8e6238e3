import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient } from './client.ts'
import { ConnectionError, ServiceError } from './client-errors.ts'

const ERROR = { error: { code: 'model_failed', message: 'No.', param: null, details: [], remedy: '', requestId: 'r' } }

function write(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** What a client tells of a stream of these pieces; after them the connection ends or breaks. */
async function tell(pieces: readonly string[], breaks: boolean, signal?: AbortSignal): Promise<string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      if (breaks) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  const headers = { 'content-type': 'text/event-stream' }
  const client = createClient({ fetch: async () => new Response(body, { headers }) })
  const told: string[] = []
  for await (const event of client.askStream('mem_1', 'Why?', { signal })) {
    told.push(event.type === 'token' ? event.text : event.type)
  }
  return told
}

const TOKEN = write('token', { text: 'So. ' })

describe('an answer that streams', () => {
  it('is told to its end', async () => {
    assert.deepEqual(await tell([TOKEN, write('citation', {}), write('done', {})], false), ['So. ', 'citation', 'done'])
  })

  it('rejects where it ends or breaks before its end', async () => {
    for (const breaks of [false, true]) {
      await assert.rejects(tell([TOKEN], breaks), (error) => {
        assert.ok(error instanceof ConnectionError)
        return error.code === 'broken_off'
      })
    }
  })

  it('rejects with what the service says of a model that failed midway', async () => {
    await assert.rejects(tell([TOKEN, write('error', ERROR)], false), ServiceError)
  })

  it('rejects with the reason of who stopped it', async () => {
    const reason = new Error('enough')
    const asked = AbortSignal.abort(reason)
    await assert.rejects(tell([TOKEN], true, asked), (error) => error === reason)
  })
})
