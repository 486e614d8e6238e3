import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createWatchedFetch } from './watched-fetch.ts'

/** A fetch that records its requests, with the bodies read to the end. */
function recordingFetch() {
  const seen: { headers: Headers; body: string }[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    seen.push({ headers: request.headers, body: await request.text() })
    return new Response('{}')
  }
  return { send, seen }
}

function form(): FormData {
  const made = new FormData()
  made.append('file', new Blob(['x'.repeat(1000)]), 'a.txt')
  return made
}

it('an upload arrives whole, under its key, and its bytes are counted as they go', async () => {
  const { send, seen } = recordingFetch()
  const counted: number[] = []
  const watched = createWatchedFetch({ send, key: 'k', onSent: (bytes) => counted.push(bytes) })
  // Twice: a retry needs a new body.
  for (const _ of [1, 2]) await watched('http://127.0.0.1/x', { method: 'POST', body: form() })
  for (const { headers, body } of seen) {
    assert.equal(headers.get('idempotency-key'), 'k')
    const boundary = /boundary=(.+)$/.exec(headers.get('content-type') ?? '')?.[1] ?? '?'
    assert.ok(body.includes(`--${boundary}`) && body.includes('x'.repeat(1000)) && body.includes('filename="a.txt"'))
  }
  assert.ok((counted.at(-1) ?? 0) > 1000)
  assert.deepEqual(counted.slice(counted.length / 2), counted.slice(0, counted.length / 2))
})

it('what is no POST has no key', async () => {
  const { send, seen } = recordingFetch()
  await createWatchedFetch({ send, key: 'k', onSent: null })('http://127.0.0.1/x')
  assert.equal(seen[0]?.headers.get('idempotency-key'), null)
})
