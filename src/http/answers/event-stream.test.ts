import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventStream, prefersEvents, type ServerEvent } from './event-stream.ts'

test('events follow the standard and end the stream', async () => {
  async function* events(): AsyncGenerator<ServerEvent> {
    yield { event: 'progress', data: { progress: 1, message: 'line\nbreak' } }
    yield { event: 'end', data: {} }
  }
  assert.equal(
    await text(eventStream(events()).body as Readable),
    'event: progress\ndata: {"progress":1,"message":"line\\nbreak"}\n\nevent: end\ndata: {}\n\n',
  )
})

test('a comment is sent while there are no events', async () => {
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

test('only clients that name event streams get them', () => {
  for (const accept of [
    'text/event-stream',
    'Text/Event-Stream; charset=utf-8',
    'text/event-stream, */*',
    'text/event-stream, application/json;q=0.9',
    'application/json;q=0.5, text/event-stream',
    'text/event-stream, application/json',
  ]) {
    assert.equal(prefersEvents(accept), true, accept)
  }
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/json, text/event-stream',
    'text/event-stream;q=0',
    'text/event-stream;q=0.1, application/json',
    ',;,=;q',
  ]) {
    assert.equal(prefersEvents(accept), false, accept)
  }
})
