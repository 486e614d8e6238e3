import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromLittleEndian, toLittleEndian } from './archive-vectors.ts'

test('vectors are concatenated as little-endian floats and read back unchanged', () => {
  const vectors = [Float32Array.of(1, -0.5), new Float32Array([9, 0.1, 2]).subarray(1)]
  const bytes = toLittleEndian(vectors)
  assert.deepEqual(
    [0, 4, 8, 12].map((at) => bytes.readFloatLE(at)),
    [1, -0.5, Math.fround(0.1), 2],
  )
  const shifted = Buffer.concat([Buffer.alloc(1), bytes]).subarray(1)
  assert.deepEqual(fromLittleEndian(shifted), Float32Array.of(1, -0.5, 0.1, 2))
})
