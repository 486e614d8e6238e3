import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventStream, type ServerEvent } from './event-stream.ts'

test('events are written in the form of the standard and end the stream', async () => {
  async function* events(): AsyncGenerator<ServerEvent> {
    yield { event: 'progress', data: { progress: 1, message: 'line\nbreak' } }
    yield { event: 'end', data: {} }
  }
  assert.equal(
    await text(eventStream(events()).body as Readable),
    'event: progress\ndata: {"progress":1,"message":"line\\nbreak"}\n\nevent: end\ndata: {}\n\n',
  )
})

test('a comment is written while there is nothing to tell', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  async function* events(): AsyncGenerator<ServerEvent> {
    await promise
    yield { event: 'end', data: {} }
  }
  const stream = eventStream(events(), 1).body as Readable
  let written = ''
  for await (const chunk of stream) {
    written += String(chunk)
    if (written.includes(': waiting\n\n')) resolve()
  }
  assert.match(written, /^(: waiting\n\n)+event: end\ndata: \{\}\n\n$/)
})
