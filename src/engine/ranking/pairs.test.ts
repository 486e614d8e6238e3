import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFourGrams } from './four-grams.ts'
import { createCharacterPairs, joinBigrams } from './pairs.ts'

describe('character pairs', () => {
  it('count bigrams of Korean syllables, independent of particles', () => {
    const { size, count } = createCharacterPairs(['회의', '회', '시간표', '시간', '간표'])
    assert.equal(size, 3)
    assert.deepEqual([...count('회의는 시간표대로 열린다. 식당의 회가 신선하다.')], [1, 1, 1])
    assert.deepEqual([...count('식당의 회가 신선하다.')], [0, 0, 0])
  })

  it('count bigrams of Chinese and Japanese terms, and single Chinese characters', () => {
    const pairs = createCharacterPairs(['港口', '口的', '船'])
    // 港, 口, 港口, 的, 口的, 船
    assert.deepEqual([...pairs.count('港口的船在港外，口 的')], [2, 2, 1, 2, 1, 1])
    assert.deepEqual([...createCharacterPairs(['ふね', '船の']).count('ふねと船の船')], [1, 2, 1])
  })

  it('ignore terms of all other scripts', () => {
    const pairs = createCharacterPairs(['ab', 'harbour', 'เรือ', '𠮷野', '12'])
    assert.equal(pairs.size, 0)
    assert.equal(pairs.count('ab 12').length, 0)
  })
})

describe('joinBigrams', () => {
  it('joins bigrams of alphabetic scripts to the original words', () => {
    assert.deepEqual(joinBigrams(['ทา', 'าเ', 'เร', 'รื', 'dock', 'นา', '港口']), ['ทาเรื', 'นา'])
    assert.deepEqual(joinBigrams([]), [])
  })
})

/** Counts adjacent words of a query that are close together in a text. */
function countPairs(query: string, text: string): number[] {
  const words = query.split(' ')
  const pairs = words.slice(1).map((_, place) => [place, place + 1] as const)
  return [...createFourGrams(words, pairs).count(text).pairs]
}

describe('close pairs', () => {
  it('are counted in order, independent of inflection', () => {
    assert.deepEqual(
      countPairs('boundary layer', 'Boundary layers. The boundary-layer, and a layer of boundaries.'),
      [2],
    )
    assert.deepEqual(countPairs('fast boundary layer', 'a boundary layer'), [0, 1])
  })

  it('may have one word between', () => {
    assert.deepEqual(countPairs('cost living', 'the cost of living'), [1])
    assert.deepEqual(countPairs('cost living', 'the cost of their living'), [0])
  })

  it('compare short words as a whole, and ignore single characters', () => {
    assert.deepEqual(countPairs('old man', 'an old man; an old mantle'), [1])
    assert.deepEqual(countPairs('ab map', 'AB map, cab map, abc map'), [1])
    assert.deepEqual(countPairs('plan b', 'plan b'), [0])
  })

  it('need both words, and two words with different beginnings', () => {
    assert.deepEqual(countPairs('boundary layer', 'layer of the boundary'), [0])
    assert.deepEqual(countPairs('compute computer', 'compute computer'), [0])
  })

  it('match in any script with words', () => {
    assert.deepEqual(countPairs('теория чисел', 'в теории чисел'), [1])
    assert.deepEqual(countPairs('größe haus', 'Die Größe des Hauses'), [1])
  })
})
