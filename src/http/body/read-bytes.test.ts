import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteCollector } from './read-bytes.ts'

test('single bytes are collected in few blocks, in order', () => {
  const collected = createByteCollector()
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
  for (let at = 0; at < sent.length; at += 1) collected.add(sent.subarray(at, at + 1))
  assert.equal(collected.bytes(), sent.length)
  assert.ok(collected.blocks().length < 10, String(collected.blocks().length))
  assert.ok(Buffer.concat(collected.blocks()).equals(sent))
})

test('pieces of every size are complete', () => {
  const collected = createByteCollector()
  const pieces = [0, 1, 16_384, 5, 3_000_000, 40_000].map((length, at) => Buffer.alloc(length, at + 1))
  for (const piece of pieces) collected.add(piece)
  assert.ok(Buffer.concat(collected.blocks()).equals(Buffer.concat(pieces)))
})
