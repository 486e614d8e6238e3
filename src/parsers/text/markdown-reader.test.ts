import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkdownReader } from './markdown-reader.ts'
import { readText } from './read-text.ts'

function read(text: string) {
  return [...readText(createMarkdownReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

function kinds(text: string): string[] {
  return read(text).map((block) => block.kind)
}

test('both kinds of headings give level and words without marks', () => {
  const headings = read('# One ##\n\n### The `two` of [them](x) {#id}\nThree\n=====\n\n**Four**\n---\n')
  assert.deepEqual(
    headings.map(({ level, heading }) => [level, heading]),
    [
      [1, 'One'],
      [3, 'The two of them'],
      [1, 'Three'],
      [2, 'Four'],
    ],
  )
})

test('a heading in HTML on a line of its own is one, unless it is a picture', () => {
  assert.deepEqual(
    read('<h1 align="center">The <b>store</b></h1>\n\ntext\n<h2>one</h2> more\n\n<h1><img src="a.png"></h1>\n'),
    [
      { kind: 'heading', level: 1, heading: 'The store', text: '<h1 align="center">The <b>store</b></h1>\n\n' },
      { kind: 'paragraph', text: 'text\n<h2>one</h2> more\n\n' },
      { kind: 'paragraph', text: '<h1><img src="a.png"></h1>\n' },
    ],
  )
})

test('front matter may give the title', () => {
  const titles = (text: string) =>
    [...readText(createMarkdownReader, text)].flatMap((event) => ('title' in event ? [event.title] : []))
  assert.deepEqual(titles('---\ntags: [a]\ntitle: "The store: a guide"\n---\n# One\n'), ['The store: a guide'])
  assert.deepEqual(titles('---\ntitle: The store\n---\n'), ['The store'])
  assert.deepEqual(titles('---\ntitle: >-\n  The store\nsubtitle: x\n---\n'), [])
  assert.deepEqual(titles('# One\n\n---\ntitle: Two\n---\n'), [])
})

test('a hash without a space is no heading, nor is one in code', () => {
  assert.deepEqual(kinds('#tag\n\n```sh\n# comment\n```\n'), ['paragraph', 'code'])
})

test('words keep what belongs to them in a heading', () => {
  assert.equal(read('# The snake_case of `max_bytes` and C\\#')[0]?.heading, 'The snake_case of max_bytes and C#')
})

test('a fence stays one block, blank lines and headings inside it too', () => {
  assert.deepEqual(read('~~~js\na\n\n# b\n~~~\nafter\n')[0], { kind: 'code', text: '~~~js\na\n\n# b\n~~~\n' })
})

test('a table has its header and delimiter row as header, then rows until a blank line', () => {
  assert.deepEqual(
    read('Prices:\n| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n\nafter').map(({ kind, text }) => [kind, text]),
    [
      ['paragraph', 'Prices:\n'],
      ['table-header', '| a | b |\n|---|--:|\n'],
      ['table-row', '| 1 | 2 |\n'],
      ['table-row', '| 3 | 4 |\n\n'],
      ['paragraph', 'after'],
    ],
  )
})

test('list items are blocks, with what is indented below them', () => {
  assert.deepEqual(kinds('- one\n  more\n\n  paragraph of it\n- two\n  1. nested\n'), [
    'list-item',
    'list-item',
    'list-item',
  ])
})

test('a number within a paragraph begins no list', () => {
  assert.deepEqual(kinds('It was in\n1986. A good year.\n'), ['paragraph'])
})

test('front matter is one block and its closing mark no heading', () => {
  assert.deepEqual(kinds('---\ntitle: x\ntags: [a]\n---\n\n# H\n'), ['code', 'heading'])
})

test('a rule at the top is no front matter', () => {
  assert.deepEqual(kinds('---\n\nwords\n'), ['blank', 'paragraph'])
})

test('lines made to be slow are read in no time', () => {
  const spaces = ' '.repeat(7000)
  const lines = [`---${spaces}x`, `# a${spaces}x`, `${'`'.repeat(290)}\n---`, `|-${spaces}x`, `${'['.repeat(290)}\n===`]
  const text = lines.map((line) => `${line}\n`.repeat(20)).join('\n')
  assert.equal(
    read(text)
      .map((block) => block.text)
      .join(''),
    text,
  )
})
