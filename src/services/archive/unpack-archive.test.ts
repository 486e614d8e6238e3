import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../errors.ts'
import { createByteReader } from './unpack-archive.ts'

async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0
  for (const size of sizes) {
    yield bytes.subarray(start, start + size)
    start += size
  }
  yield bytes.subarray(start)
}

test('the result does not depend on the size of the input pieces', async () => {
  const bytes = Buffer.from(Array.from({ length: 100 }, (_, at) => at))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30 })), async (sizes) => {
      const reader = createByteReader(pieces(bytes, sizes))
      assert.ok((await reader.read(10))?.equals(bytes.subarray(0, 10)))
      const streamed: Buffer[] = []
      for await (const piece of reader.stream(60)) streamed.push(piece)
      assert.ok(Buffer.concat(streamed).equals(bytes.subarray(10, 70)))
      assert.ok((await reader.read(30))?.equals(bytes.subarray(70)))
      assert.equal(await reader.read(1), null)
    }),
  )
})

test('a stream that ends early is reported as a truncated archive', async () => {
  const reader = createByteReader(pieces(Buffer.from('abc'), [1]))
  await assert.rejects(reader.read(4), (error) => error instanceof ApiError && error.code === 'invalid_archive')
})
