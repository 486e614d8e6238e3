import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, type ServerEvent } from './read-events.ts'

const STREAM =
  ': waiting\n\nevent: token\ndata: {"text":"Grüße "}\n\nevent: token\r\ndata: {"text":"\\n"}\r\n\r\nevent: done\ndata: {}\n\n'

async function read(answer: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(answer)) events.push(event)
  return events
}

test('events are the same wherever the network cuts their bytes', async () => {
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

test('leaving the loop ends the request', async () => {
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
