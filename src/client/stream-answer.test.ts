import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { createClient } from './client.ts'
import { ConnectionError, ServiceError } from './client-errors.ts'
import { readEvents, type ServerEvent } from './stream-answer.ts'

const ERROR = { error: { code: 'model_failed', message: 'No.', param: null, details: [], remedy: '', requestId: 'r' } }

function write(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Collects the events of a stream with these pieces, after which the connection ends or breaks. */
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

describe('a streamed answer', () => {
  it('yields all events', async () => {
    assert.deepEqual(await tell([TOKEN, write('citation', {}), write('done', {})], false), ['So. ', 'citation', 'done'])
  })

  it('rejects if the stream ends or breaks too early', async () => {
    for (const breaks of [false, true]) {
      await assert.rejects(tell([TOKEN], breaks), (error) => {
        assert.ok(error instanceof ConnectionError)
        return error.code === 'broken_off'
      })
    }
  })

  it('rejects with the error event of a failed model', async () => {
    await assert.rejects(tell([TOKEN, write('error', ERROR)], false), ServiceError)
  })

  it('rejects with the abort reason', async () => {
    const reason = new Error('enough')
    const asked = AbortSignal.abort(reason)
    await assert.rejects(tell([TOKEN], true, asked), (error) => error === reason)
  })
})

const STREAM =
  ': waiting\n\nevent: token\ndata: {"text":"Grüße "}\n\nevent: token\r\ndata: {"text":"\\n"}\r\n\r\nevent: done\ndata: {}\n\n'

async function read(answer: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(answer)) events.push(event)
  return events
}

test('parses events independently of chunk boundaries', async () => {
  const bytes = new TextEncoder().encode(STREAM)
  const whole = await read(new Response(bytes))
  assert.deepEqual(whole, [
    { event: 'token', data: { text: 'Grüße ' } },
    { event: 'token', data: { text: '\n' } },
    { event: 'done', data: {} },
  ])
  for (let cut = 1; cut < bytes.length; cut++) {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut))
        controller.enqueue(bytes.slice(cut))
        controller.close()
      },
    })
    assert.deepEqual(await read(new Response(body)), whole, `cut at ${cut}`)
  }
})

test('ends the request when the loop is left', async () => {
  let cancelled = false
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('event: token\ndata: {}\n\n')),
    cancel: () => {
      cancelled = true
    },
  })
  for await (const _ of readEvents(new Response(body))) break
  assert.ok(cancelled)
})
