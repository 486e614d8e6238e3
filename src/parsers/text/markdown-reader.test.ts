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

test('returns level and text of both kinds of headings', () => {
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

test('reads an HTML heading on its own line, unless it is an image', () => {
  assert.deepEqual(
    read('<h1 align="center">The <b>store</b></h1>\n\ntext\n<h2>one</h2> more\n\n<h1><img src="a.png"></h1>\n'),
    [
      { kind: 'heading', level: 1, heading: 'The store', text: '<h1 align="center">The <b>store</b></h1>\n\n' },
      { kind: 'paragraph', text: 'text\n<h2>one</h2> more\n\n' },
      { kind: 'paragraph', text: '<h1><img src="a.png"></h1>\n' },
    ],
  )
})

test('reads the title from front matter', () => {
  const titles = (text: string) =>
    [...readText(createMarkdownReader, text)].flatMap((event) => ('title' in event ? [event.title] : []))
  assert.deepEqual(titles('---\ntags: [a]\ntitle: "The store: a guide"\n---\n# One\n'), ['The store: a guide'])
  assert.deepEqual(titles('---\ntitle: The store\n---\n'), ['The store'])
  assert.deepEqual(titles('---\ntitle: >-\n  The store\nsubtitle: x\n---\n'), [])
  assert.deepEqual(titles('# One\n\n---\ntitle: Two\n---\n'), [])
})

test('ignores a hash without a space, and hashes in code', () => {
  assert.deepEqual(kinds('#tag\n\n```sh\n# comment\n```\n'), ['paragraph', 'code'])
})

test('keeps literal characters in a heading', () => {
  assert.equal(read('# The snake_case of `max_bytes` and C\\#')[0]?.heading, 'The snake_case of max_bytes and C#')
})

test('keeps a fenced block whole, including blank lines and headings', () => {
  assert.deepEqual(read('~~~js\na\n\n# b\n~~~\nafter\n')[0], { kind: 'code', text: '~~~js\na\n\n# b\n~~~\n' })
})

test('reads table header, delimiter row and rows up to a blank line', () => {
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

test('reads list items with their indented content', () => {
  assert.deepEqual(kinds('- one\n  more\n\n  paragraph of it\n- two\n  1. nested\n'), [
    'list-item',
    'list-item',
    'list-item',
  ])
})

test('does not start a list at a number within a paragraph', () => {
  assert.deepEqual(kinds('It was in\n1986. A good year.\n'), ['paragraph'])
})

test('reads front matter as one block without a heading', () => {
  assert.deepEqual(kinds('---\ntitle: x\ntags: [a]\n---\n\n# H\n'), ['code', 'heading'])
})

test('does not read a rule at the top as front matter', () => {
  assert.deepEqual(kinds('---\n\nwords\n'), ['blank', 'paragraph'])
})

test('reads adversarial lines in linear time', () => {
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
