import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { applyReranking, createCopyKeys, type Match, minCosine, shortlist, toCopyKey } from './shortlist.ts'

function match(over: Partial<Match>): Match {
  return { lexical: null, semantic: null, ...over }
}

describe('shortlist', () => {
  it('has each index once, and is stable', () => {
    assert.deepEqual(shortlist([match({}), match({})], 0.5), [0, 1])
    assert.deepEqual(shortlist([], 0.5), [])
  })

  it('ranks matches of both retrievers before matches of one', () => {
    const matches = [
      match({ lexical: 5 }),
      match({ lexical: 4, semantic: 0.8 }),
      match({ semantic: 0.7 }),
      match({ lexical: 5, semantic: 0.6 }),
      match({ lexical: 1, semantic: 0.2 }),
    ]
    assert.deepEqual(shortlist(matches, 0.5), [1, 3, 0, 2, 4])
  })

  it('uses one retriever if only that one has matches', () => {
    const lexical = [1, 3, 2].map((score) => match({ lexical: score }))
    assert.deepEqual(shortlist(lexical, 0.5), [1, 2, 0])
    const semantic = [0.1, 0.3, 0.2].map((score) => match({ semantic: score }))
    assert.deepEqual(shortlist(semantic, 1), [1, 2, 0])
  })
})

describe('minCosine', () => {
  it('is the lowest cosine of the semantic retriever, null without matches', () => {
    assert.equal(minCosine([match({ semantic: 0.4 }), match({ lexical: 9 }), match({ semantic: -0.1 })]), -0.1)
    assert.equal(minCosine([match({ lexical: 9 })]), null)
  })
})

const RANKED = [0.9, 0.6, 0.5, 0.25].map((score, at) => ({ name: 'abcd'[at], score, scores: { rerank: 0.1 } }))

function rerank(scores: readonly number[]) {
  return applyReranking(RANKED, scores).map(({ name, score, scores }) => [
    name,
    Math.round(score * 1000) / 1000,
    scores.rerank === null ? null : Math.round(scores.rerank * 1000) / 1000,
  ])
}

test('scored positions precede the others, with descending scores', () => {
  assert.deepEqual(rerank([0.2, 0.8]), [
    ['b', 0.8, 0.8],
    ['a', 0.2, 0.2],
    ['c', 0.2, null],
    ['d', 0.1, null],
  ])
})

test('logits are scaled to 0..1 in the same order', () => {
  assert.deepEqual(rerank([-2, 3, 0, -4]), [
    ['b', 0.953, 0.953],
    ['c', 0.5, 0.5],
    ['a', 0.119, 0.119],
    ['d', 0.018, 0.018],
  ])
})

test('equal scores keep their order', () => {
  assert.deepEqual(
    rerank([0, 0, 0, 0]).map(([name]) => name),
    ['a', 'b', 'c', 'd'],
  )
})

test('no scores change nothing', () => {
  assert.deepEqual(
    rerank([]).map(([name]) => name),
    ['a', 'b', 'c', 'd'],
  )
})

test('texts that differ in a number, sign, unit, word or question mark have different keys', () => {
  const texts = [
    'It is 1.5 %.',
    'It is 15 %.',
    'It is 1,5 %.',
    'It is 1.5 ‰.',
    'It is $1.5.',
    'It is -1.5 %.',
    'Is it 1.5 %?',
  ]
  assert.equal(new Set(texts.map(toCopyKey)).size, texts.length)
  assert.equal(toCopyKey('**Öffnung** – 9 Uhr\n'), toCopyKey('öffnung: 9 Uhr.'))
  assert.notEqual(toCopyKey('集合场所是3号楼。'), toCopyKey('集合场所是4号楼。'))
})

test('copies have one key, and texts with the same beginning and end have several', () => {
  const keyOf = createCopyKeys()
  const chunk = (text: string, section: string | null = null) => ({ text, section, header: null })
  const long = 'The harbour office opens at nine. Berth 4 is free. The keeper has the key to the gate.'
  const first = keyOf(chunk(long))
  assert.equal(keyOf(chunk(`**${long.toUpperCase()}**\n`)), first)
  assert.equal(keyOf(chunk(long.replace('. The', '.\u00a0The'))), first)
  assert.equal(keyOf(chunk(long.replaceAll('e', '\uff45'))), first)
  const other = keyOf(chunk(long.replace('4', '5')))
  assert.notEqual(other, first)
  assert.equal(keyOf(chunk(long.replace('4', '5').toLowerCase())), other)
  assert.notEqual(keyOf(chunk(long, 'Rules')), first)
  assert.notEqual(keyOf(chunk('港口九点开门。')), keyOf(chunk('港口十点开门。')))
})
