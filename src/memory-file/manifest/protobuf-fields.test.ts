import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProtobufFields } from './protobuf-fields.ts'

const read = (...bytes: number[]) => [...readProtobufFields(Buffer.from(bytes))]

test('numbers, texts and fixed values are read in their order', () => {
  assert.deepEqual(read(0x08, 0x96, 0x01, 0x12, 2, 0x68, 0x69, 0x1d, 1, 0, 0, 0), [
    { number: 1, value: 150n },
    { number: 2, value: Buffer.from('hi') },
    { number: 3, value: Buffer.from([1, 0, 0, 0]) },
  ])
  assert.deepEqual(read(0x08, ...Array<number>(9).fill(0xff), 1), [{ number: 1, value: 2n ** 64n - 1n }])
})

test('a message that ends too early, or has a field of an unknown type, is refused', () => {
  for (const bytes of [[0x08], [0x08, 0x80], [0x12, 5, 1], [0x0b]]) assert.throws(() => read(...bytes), RangeError)
})
