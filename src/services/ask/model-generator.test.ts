import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Source } from './answer-generator.ts'
import { packSources } from './model-generator.ts'

function source(document: string, startOffset: number, facts: Partial<Source> = {}): Source {
  const nothing = { title: null, section: null, header: null, score: 1, semantic: null }
  return { kind: 'document', text: 'x'.repeat(350), document, startOffset, ...nothing, ...facts }
}

test('orders sources by corrections, then by document rank and offset', () => {
  const sources = [
    source('c', 0, { kind: 'correction' }),
    source('d', 0, { kind: 'correction' }),
    source('a', 5000),
    source('b', 100),
    source('a', 20),
  ]
  assert.deepEqual(packSources(sources, { maxTokens: 10_000, tag: 'f' }).order, [1, 2, 5, 3, 4])
})

test('keeps the best sources that fit', () => {
  const sources = Array.from({ length: 10 }, (_, index) => source('a', index))
  const packed = packSources(sources, { maxTokens: 500, tag: 'f' })
  assert.deepEqual(packed.sources, sources.slice(0, 4))
  assert.deepEqual(packed.order, [1, 2, 3, 4])
})

test('truncates a first source that is too long, between characters', () => {
  const { sources } = packSources([source('a', 0, { text: '😀'.repeat(2000) })], { maxTokens: 300, tag: 'f' })
  const [{ text } = { text: '' }] = sources
  assert.ok(text.length > 400 && text.length < 1200 && text.isWellFormed())
})
