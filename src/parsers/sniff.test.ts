import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, type ErrorCode } from '../errors.ts'
import { createByteSurvey } from './encoding/survey-bytes.ts'
import type { SniffedType } from './parser.ts'
import { sniffBytes } from './sniff.ts'

function sniff(content: string | Buffer, filename: string | null, declaredType: string | null = null): SniffedType {
  const survey = createByteSurvey()
  survey.add(Buffer.from(content))
  return sniffBytes(survey.finish(), { filename, declaredType })
}

function assertRefused(code: ErrorCode, message: RegExp, ...source: Parameters<typeof sniff>): void {
  assert.throws(
    () => sniff(...source),
    (error) => error instanceof ApiError && error.code === code && message.test(error.message),
    String(source[1]),
  )
}

test('the name chooses among the formats of text', () => {
  const text = 'name,size\nbolt,4\n'
  for (const [filename, format] of [
    ['a.txt', 'txt'],
    ['a.LOG', 'log'],
    ['a.b.md', 'markdown'],
    ['a.csv', 'csv'],
    ['a.tsv', 'tsv'],
    ['a.py', 'txt'],
    ['README', 'txt'],
  ] as const) {
    assert.equal(sniff(text, filename).format, format, filename)
  }
})

test('the declared type chooses where the name says nothing', () => {
  assert.equal(sniff('a,b\n', null, 'text/csv; charset=utf-8').format, 'csv')
  assert.equal(sniff('a,b\n', 'upload', 'application/octet-stream').format, 'txt')
  assert.equal(sniff('a,b\n', 'a.csv', 'text/plain').format, 'csv')
})

test('JSON and JSON Lines are told apart by the content, whatever the name', () => {
  assert.equal(sniff('{"a":1}\n{"a":2}\n', 'a.json').format, 'jsonl')
  assert.equal(sniff('{\n "a": 1\n}\n', 'a.jsonl').format, 'json')
  assert.equal(sniff('[1,2]', null).format, 'json')
  assert.equal(sniff('{"a":1}\n{"a":2}\n', 'export').format, 'jsonl')
  assert.equal(sniff('{"a":1}', 'a.txt').format, 'txt')
  assert.equal(sniff('{not json', null).format, 'txt')
  assert.equal(sniff('{not json', 'a.json').format, 'json')
})

test('a text without a name is what it looks like', () => {
  assert.equal(sniff('# Title\n\n- a **b**\n', null).format, 'markdown')
  assert.equal(sniff('Dear all,\n\nwords.\n', null).format, 'txt')
})

test('binary content is refused whatever its name, naming its type and the supported ones', () => {
  assertRefused(
    'unsupported_file_type',
    /PNG image.*TXT, LOG, Markdown, CSV, TSV, JSON, JSONL\/NDJSON/,
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'a.txt',
  )
  assertRefused('unsupported_file_type', /PDF/, '%PDF-1.4\n', 'a.txt')
  assertRefused('unsupported_file_type', /binary data/, Buffer.from('words\0with\0nul\0bytes'), 'a.md')
  assertRefused(
    'unsupported_file_type',
    /binary data/,
    Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251)),
    'a.csv',
  )
})

test('types that later parts bring are refused by name', () => {
  assertRefused('unsupported_file_type', /HTML/, '<!-- x --><!DOCTYPE html><p>words', null)
  assertRefused('unsupported_file_type', /HTML/, '<p>words', 'a.html')
  assertRefused('unsupported_file_type', /XML/, '<?xml version="1.0"?><a/>', null)
})

test('a text that is named as a binary type is no readable document', () => {
  assertRefused('unprocessable_document', /DOCX/, 'words', 'a.docx')
  assertRefused('unprocessable_document', /PDF/, 'words', null, 'application/pdf')
})

test('an empty file and one of white space alone have no text', () => {
  for (const content of ['', ' \r\n\t ', '\ufeff', '\u00a0\u200b\n']) {
    assertRefused('unprocessable_document', /empty/, content, 'a.txt')
  }
})

test('colours of a terminal and an old end mark do not make a log binary', () => {
  assert.equal(sniff('\x1b[31mred\x1b[0m words\n\x1a', 'a.log').format, 'log')
})
