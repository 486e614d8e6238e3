import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { withIdleTimeout } from './s3-client.ts'

test('passes a stream through unchanged', async () => {
  assert.equal(await text(withIdleTimeout(Readable.from([Buffer.from('one '), Buffer.from('two')]))), 'one two')
})

test('maps a silent or broken source to service_unavailable and destroys it', async () => {
  const silent = new PassThrough()
  silent.write('begun')
  await assert.rejects(text(withIdleTimeout(silent, 5)), { code: 'service_unavailable' })
  assert.ok(silent.destroyed)
  const broken = new PassThrough()
  const reading = text(withIdleTimeout(broken))
  broken.destroy(new Error('reset'))
  await assert.rejects(reading, { code: 'service_unavailable' })
})

test('destroys the source when the reader leaves', async () => {
  const source = new PassThrough()
  source.write('begun')
  const reader = withIdleTimeout(source)
  for await (const piece of reader) {
    assert.equal(String(piece), 'begun')
    break
  }
  await finished(source).catch(() => undefined)
  assert.ok(source.destroyed)
})
