import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textDocumentBlocks } from './text-document-blocks.ts'

test('a text that is clearly Markdown has its headings', () => {
  const blocks = [...textDocumentBlocks('# Storage\n\nKeep **cold**.\n\n## Limits\n\n- 4 °C\n')]
  assert.deepEqual(
    blocks.flatMap((block) => (block.heading === undefined ? [] : [block.heading])),
    ['Storage', 'Limits'],
  )
})

test('a text with a stray hash is plain text', () => {
  const blocks = [...textDocumentBlocks('# a comment of a script\nexport A=1\n')]
  assert.deepEqual(
    blocks.map((block) => block.kind),
    ['paragraph'],
  )
})

test('the blocks are the text', () => {
  const text = 'A line.\r\n\r\nAnother 😀 one.\n'.repeat(9000)
  assert.equal([...textDocumentBlocks(text)].map((block) => block.text).join(''), text)
})
