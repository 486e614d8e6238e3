import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DamagedGzip, unpackGzip } from './gzip.ts'

async function unpack(bytes: Buffer): Promise<{ text: string; error: unknown }> {
  let text = ''
  try {
    for await (const piece of unpackGzip(pieces(bytes))) text += piece.toString('latin1')
    return { text, error: null }
  } catch (error) {
    return { text, error }
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, 7)
  yield bytes.subarray(7)
}

const LINES = Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`).join('')

test('unpacks an archive of one or several parts', async () => {
  assert.deepEqual(await unpack(gzipSync(LINES)), { text: LINES, error: null })
  assert.deepEqual(await unpack(Buffer.concat([gzipSync('one\n'), gzipSync('two\n')])), {
    text: 'one\ntwo\n',
    error: null,
  })
})

test('returns the text before the damage or the cut', async () => {
  const whole = gzipSync(LINES)
  for (const length of [whole.length - 1, whole.length - 9, Math.floor(whole.length / 2)]) {
    const { text, error } = await unpack(whole.subarray(0, length))
    assert.ok(error instanceof DamagedGzip)
    assert.ok(text.length > LINES.length * 0.4 && LINES.startsWith(text), String(length))
  }
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, whole.length / 2, whole.length / 2 + 100)
  assert.ok((await unpack(damaged)).error instanceof DamagedGzip)
})

test('limits the unpacked size', async () => {
  const { error } = await unpack(gzipSync(Buffer.alloc(101 * 1024 * 1024)))
  assert.match(String(error), /too large when unpacked: more than 100 MB/)
})
