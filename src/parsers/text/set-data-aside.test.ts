import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Block } from '../parse-event.ts'
import { createDataFilter } from './set-data-aside.ts'

/** Bytes that look random, and are the same each time. */
function makeBytes(count: number): Buffer {
  const parts = Array.from({ length: Math.ceil(count / 32) }, (_, index) =>
    createHash('sha256').update(`${index}`).digest(),
  )
  return Buffer.concat(parts).subarray(0, count)
}

function wrap(data: string, width: number): string {
  return data.replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
}

/** What is looked through, and the text of all. */
function filter(...texts: readonly string[]): { read: string[]; text: string } {
  const data = createDataFilter()
  const blocks = texts
    .flatMap((text) => data.pass({ block: { text, kind: 'paragraph' } }))
    .map((event) => (event as { block: Block }).block)
  return {
    read: blocks.filter(({ kind }) => kind !== 'blank').map(({ text }) => text),
    text: blocks.map(({ text }) => text).join(''),
  }
}

describe('setting data aside', () => {
  const data = makeBytes(3000).toString('base64')

  it('leaves what stands around a picture of a notebook', () => {
    const text = `"image/png": "${data}\\n",\n"text/plain": ["<Figure>"]`
    assert.deepEqual(filter(text), { read: ['"image/png": "', '\\n",\n"text/plain": ["<Figure>"]'], text })
  })

  it('takes the lines of an attachment as one, also where they come in parts', () => {
    const lines = wrap(data, 76)
    const parts = [
      `name=a.pdf\r\n\r\n${lines.slice(0, 1000)}`,
      lines.slice(1000, 2500),
      `${lines.slice(2500)}\r\n--b1--\r\n`,
    ]
    const { read, text } = filter(...parts)
    assert.deepEqual([read[0], read.at(-1)?.trim()], ['name=a.pdf\r\n\r\n', '--b1--'])
    assert.equal(read.length, 2)
    assert.equal(text, parts.join(''))
  })

  it('keeps keys, sequences, digits and long words', () => {
    const others = [
      makeBytes(256).toString('base64'),
      'ACGT'.repeat(500),
      makeBytes(1000).toString('hex'),
      'AllThatIsWrittenWithoutASpace1'.repeat(40),
      `${'word '.repeat(400)}`,
    ]
    for (const text of others) assert.deepEqual(filter(text).read, [text])
  })
})
