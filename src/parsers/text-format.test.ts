import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireFormat } from './formats.ts'
import { detectTextFormat } from './text-format.ts'

const JSONL = requireFormat('jsonl')
const JSON_ = requireFormat('json')

test('JSON Lines named as JSON are JSON Lines, and the other way round', () => {
  assert.equal(detectTextFormat('{"a":1}\n{"a":2}\n', JSON_), 'jsonl')
  assert.equal(detectTextFormat('{\n"a":1\n}\n', JSONL), 'json')
})

test('JSON Lines with a bad or a very long first line stay JSON Lines', () => {
  assert.equal(detectTextFormat('{"a":\n{"b":1}\n', JSONL), 'jsonl')
  assert.equal(detectTextFormat(`{"a":"${'x'.repeat(60_000)}`, JSONL), 'jsonl')
})

test('the beginning of a large JSON file is JSON', () => {
  const beginning = `[\n${' {"a": 1},\n'.repeat(2000)}`
  assert.equal(detectTextFormat(beginning, JSONL), 'json')
  assert.equal(detectTextFormat(beginning, null), 'json')
  assert.equal(detectTextFormat(beginning.replaceAll('\n', ''), null), 'json')
})

test('a text that only begins with a bracket is a text', () => {
  for (const text of ['[1]\nSmith, J. On brackets.', '[Note] words', '{draft', '[']) {
    assert.equal(detectTextFormat(text, null), 'txt', text)
  }
})

test('comments before an HTML page do not hide it', () => {
  assert.equal(detectTextFormat(`${'<!-- x -->\n'.repeat(2000)}<html lang="en">`, null), 'html')
  assert.equal(detectTextFormat('<!-- never closed', null), 'txt')
})

test('comments of settings and programs are no headings of Markdown', () => {
  assert.equal(detectTextFormat('# Base image\nFROM node:20\n\n# Install\nRUN npm ci\n', null), 'txt')
  assert.equal(detectTextFormat('# The ports that\n# are open.\nports:\n  - 80\n# The host\nhost: a\n', null), 'txt')
  assert.equal(detectTextFormat('# Title\nText\n- one\n', null), 'markdown')
  assert.equal(detectTextFormat('# One\n\nText\n\n# Two\n\n- item\n', null), 'markdown')
  assert.equal(detectTextFormat('# One.\n# Two.\n# Three\n', null), 'txt')
  const notes = '# Opening hours\nWe open at nine. Dogs are welcome.\n# Prices\nChildren pay nothing.\n- adults: 5\n'
  assert.equal(detectTextFormat(notes, null), 'markdown')
  assert.equal(detectTextFormat('# One\nText\n## Two\nText\n# Three\nText\n', null), 'markdown')
})
