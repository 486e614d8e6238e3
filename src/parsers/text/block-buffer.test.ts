import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { createMarkdownReader } from './markdown-reader.ts'
import { readText } from './read-text.ts'
import { createLogReader, createTextReader } from './text-reader.ts'

test('does not treat a long line as blank for its leading white space or rule', () => {
  const long = MAX_BLOCK_CHARACTERS + 1000
  for (const [create, begin] of [
    [createTextReader, ' '],
    [createLogReader, ' '],
    [createMarkdownReader, ' '],
    [createMarkdownReader, '*'],
    [createMarkdownReader, '-'],
  ] as const) {
    const text = `${begin.repeat(long)} The tide turns.\nThe keeper sleeps.\n${begin.repeat(2 * long)}\n`
    const blocks = [...readText(create, text)].flatMap((event) => ('block' in event ? [event.block] : []))
    assert.equal(blocks.map((block) => block.text).join(''), text)
    const said = blocks.filter(({ kind }) => kind !== 'blank').map((block) => block.text)
    assert.match(said.join(''), /The tide turns\.\nThe keeper sleeps\./, `${create.name} ${begin}`)
    assert.equal(blocks[0]?.kind, 'blank')
  }
})
