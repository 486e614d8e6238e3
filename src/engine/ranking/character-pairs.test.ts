import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCharacterPairs, joinSpelledPairs } from './character-pairs.ts'

describe('character pairs', () => {
  it('count pairs of Korean syllables, whatever mark stands behind them', () => {
    const { size, count } = createCharacterPairs(['회의', '회', '시간표', '시간', '간표'])
    assert.equal(size, 3)
    assert.deepEqual([...count('회의는 시간표대로 열린다. 식당의 회가 신선하다.')], [1, 1, 1])
    assert.deepEqual([...count('식당의 회가 신선하다.')], [0, 0, 0])
  })

  it('count the pairs of Chinese and Japanese terms in a text, and Chinese characters each alone', () => {
    const pairs = createCharacterPairs(['港口', '口的', '船'])
    // 港, 口, 港口, 的, 口的, 船
    assert.deepEqual([...pairs.count('港口的船在港外，口 的')], [2, 2, 1, 2, 1, 1])
    assert.deepEqual([...createCharacterPairs(['ふね', '船の']).count('ふねと船の船')], [1, 2, 1])
  })

  it('leave out terms of all other scripts', () => {
    const pairs = createCharacterPairs(['ab', 'harbour', 'เรือ', '𠮷野', '12'])
    assert.equal(pairs.size, 0)
    assert.equal(pairs.count('ab 12').length, 0)
  })
})

describe('joinSpelledPairs', () => {
  it('puts the runs of spelled scripts together that their terms were cut from', () => {
    assert.deepEqual(joinSpelledPairs(['ทา', 'าเ', 'เร', 'รื', 'dock', 'นา', '港口']), ['ทาเรื', 'นา'])
    assert.deepEqual(joinSpelledPairs([]), [])
  })
})
