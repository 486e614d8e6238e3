import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersEvents } from './prefers-events.ts'

test('events are sent to who names them, JSON to everyone else', () => {
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
