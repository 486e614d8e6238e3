import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from './read-text.ts'
import { createTextReader } from './text-reader.ts'

function read(text: string) {
  return [...readText(createTextReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

test('blank lines end a paragraph and belong to it', () => {
  assert.deepEqual(read('one\ntwo\n\n\nthree'), [
    { kind: 'paragraph', text: 'one\ntwo\n\n\n' },
    { kind: 'paragraph', text: 'three' },
  ])
})

test('blank lines before the first words are a block of their own', () => {
  assert.deepEqual(
    read('\n \nword').map((block) => block.kind),
    ['blank', 'paragraph'],
  )
})

test('an underlined line is a heading', () => {
  const [title, part] = read('Storage\r\n=======\r\n\r\nCold rooms\r\n----------\r\ntext')
  assert.deepEqual(title, { kind: 'heading', level: 1, heading: 'Storage', text: 'Storage\r\n=======\r\n\r\n' })
  assert.equal(part?.level, 2)
})

test('a rule across the page does not make the line above it a heading', () => {
  assert.ok(read(`Total 12\n${'-'.repeat(70)}\nmore`).every((block) => block.kind === 'paragraph'))
})

test('lines that stand alone and name themselves are headings', () => {
  for (const title of [
    'Chapter 3',
    'Appendix B',
    'CHAPTER IV The Storm',
    '4.2 Terms of payment',
    'DISCLAIMER OF WARRANTY',
  ]) {
    assert.equal(read(`before.\n\n${title}\n\nafter.`)[1]?.heading, title, title)
  }
})

test('short lines that may be anything stay paragraphs', () => {
  for (const line of ['Yours sincerely', 'OK', 'Part of the cake.', 'SKU-20931', 'Velmora']) {
    assert.equal(read(`before.\n\n${line}\n\nafter.`)[1]?.kind, 'paragraph', line)
  }
})

test('each list item is a block, with the lines that go on with it', () => {
  assert.deepEqual(
    read('- one\n  more\n- two\n* three\n1) four\n').map((block) => block.kind),
    ['list-item', 'list-item', 'list-item', 'list-item'],
  )
})
