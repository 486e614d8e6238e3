import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isSliceOf, openTextSlices, type TextSlices } from './text-slices.ts'

/** A text of many bytes, in pieces that cut characters apart. */
async function open(text: string, pieceBytes: number): Promise<TextSlices> {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
    bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  )
  const get = async () => Readable.from(pieces, { objectMode: false })
  return requireSlices(await openTextSlices({ get }, { inline: null, key: 'text' }))
}

async function slicesOf(text: string): Promise<TextSlices> {
  return requireSlices(await openTextSlices(EMPTY, { inline: text, key: 'text' }))
}

function requireSlices(slices: TextSlices | null): TextSlices {
  assert.ok(slices !== null)
  return slices
}

const EMPTY = { get: async () => null }

test('slices are correct for any split of the bytes', async () => {
  const text = 'Größe 𝕏 — naïve. '.repeat(2000)
  const slices = await open(text, 7)
  for (let start = 0; start < text.length; start += 997)
    assert.equal(await slices.slice(start, start + 1200), text.slice(start, start + 1200))
  assert.deepEqual(await slices.finish(), await (await slicesOf(text)).finish())
  assert.equal((await (await slicesOf(text)).finish()).characters, text.length)
})

test('text far before the last slice is dropped, and text shortly before is kept', async () => {
  const text = 'abcdefghij'.repeat(200_000)
  const slices = await open(text, 64 * 1024)
  assert.equal(await slices.slice(1_900_003, 1_900_010), 'defghij')
  assert.equal(await slices.slice(1_899_000, 1_899_003), 'abc')
  assert.equal(await slices.slice(10, 20), null)
  assert.deepEqual(await slices.finish(), await (await slicesOf(text)).finish())
  assert.equal((await (await slicesOf(text)).finish()).characters, text.length)
})

test('a chunk matches its text when text, offsets and length agree', async () => {
  const text = 'The tide is low at noon.'
  const slices = await slicesOf(text)
  const isSlice = (words: string, startOffset: number, endOffset: number) =>
    isSliceOf(slices, { text: words, startOffset, endOffset })
  assert.ok(await isSlice('tide', 4, 8))
  assert.ok(!(await isSlice('moon', 4, 8)))
  assert.ok(!(await isSlice('tide', 5, 9)))
  assert.ok(!(await isSlice('noon.', 19, 2_000_000_000)))
})

test('a text without row and object is missing', async () => {
  assert.equal(await openTextSlices(EMPTY, { inline: null, key: 'text' }), null)
  assert.equal(await openTextSlices(EMPTY, { inline: null, key: null }), null)
  assert.notEqual(await openTextSlices(EMPTY, { inline: '', key: null }), null)
})
