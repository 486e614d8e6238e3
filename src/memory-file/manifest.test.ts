import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBitmap, readProtobufFields } from './manifest.ts'

const read = (...bytes: number[]) => [...readProtobufFields(Buffer.from(bytes))]

test('numbers, texts and fixed values are read in order', () => {
  assert.deepEqual(read(0x08, 0x96, 0x01, 0x12, 2, 0x68, 0x69, 0x1d, 1, 0, 0, 0), [
    { number: 1, value: 150n },
    { number: 2, value: Buffer.from('hi') },
    { number: 3, value: Buffer.from([1, 0, 0, 0]) },
  ])
  assert.deepEqual(read(0x08, ...Array<number>(9).fill(0xff), 1), [{ number: 1, value: 2n ** 64n - 1n }])
})

test('a truncated message or an unknown field type is rejected', () => {
  for (const bytes of [[0x08], [0x08, 0x80], [0x12, 5, 1], [0x0b]]) assert.throws(() => read(...bytes), RangeError)
})

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)

test('list containers are read, also after the first 65,536 values', () => {
  const bytes = Buffer.concat([u32(12_346, 2), u16(0, 2, 1, 0), u32(24, 30), u16(3, 7, 65_535), u16(5)])
  assert.deepEqual([...readBitmap(bytes)], [3, 7, 65_535, 65_541])
})

test('a bitmap container is read', () => {
  const bits = Buffer.alloc(8192)
  for (let value = 0; value < 5000; value += 1) bits[value >> 3] = (bits[value >> 3] ?? 0) | (1 << (value & 7))
  const values = readBitmap(Buffer.concat([u32(12_346, 1), u16(0, 4999), u32(16), bits]))
  assert.ok(values.size === 5000 && values.has(0) && values.has(4999) && !values.has(5000))
})

test('run containers are read among lists, with offsets from four containers on', () => {
  const few = Buffer.concat([u16(12_347, 1), Buffer.of(0b01), u16(0, 5, 1, 0), u16(2, 10, 3, 20, 1), u16(9)])
  assert.deepEqual([...readBitmap(few)], [10, 11, 12, 13, 20, 21, 65_545])
  const heads = u16(0, 1, 1, 0, 2, 0, 3, 0)
  const many = Buffer.concat([
    ...[u16(12_347, 3), Buffer.of(0b0001), heads, u32(0, 0, 0, 0)],
    ...[u16(1, 4, 1), u16(1), u16(2), u16(3)],
  ])
  assert.deepEqual([...readBitmap(many)], [4, 5, 65_537, 131_074, 196_611])
})

test('invalid bitmaps are rejected', () => {
  assert.throws(() => readBitmap(u32(1, 2)), RangeError)
  assert.throws(() => readBitmap(Buffer.concat([u32(12_346, 1), u16(0, 3), u32(16)])), RangeError)
})
