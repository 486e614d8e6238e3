import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { matchable } from '../analysis/fold.ts'
import { createFourGrams } from './four-grams.ts'

function runsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 3) }, (_, start) => text.slice(start, start + 4))
}

describe('four-grams', () => {
  it('count the runs of four characters of words in a text, by the form in which texts compare', () => {
    const letters = fc.string({
      unit: fc.constantFrom(
        'a',
        'B',
        'é',
        'ß',
        'Œ',
        'Ж',
        'ё',
        'ς',
        'e\u0301',
        'и\u0306',
        'ש\u05b8',
        's\u00ad',
        ' ',
        '-',
        '’',
        '—',
        '東',
        'ك',
        '€',
        '→',
        '≠',
        '│',
        '●',
        '\uf0b7',
        '™',
        '①',
        '❶',
        '⫝̸',
        '😀',
      ),
      maxLength: 30,
    })
    fc.assert(
      fc.property(letters, letters, (text, other) => {
        const words = matchable(other)
          .trim()
          .split(' ')
          .filter((word) => word !== '')
        const wanted = [...new Set(words.flatMap((word) => runsOf(` ${word} `)))]
        const standing = runsOf(matchable(text))
        const expected = wanted.map((run) => standing.filter((each) => each === run).length)
        assert.deepEqual([...createFourGrams(words).count(text).counts], expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('find a misspelt word by what is right of it', () => {
    const { counts } = createFourGrams(['acknowledgment']).count('It was acknowledged.')
    assert.ok(counts.filter((count) => count > 0).length >= 8)
  })

  it('find a word with joints in it, which texts have as spaces when they are compared', () => {
    const { counts } = createFourGrams(['err_4012']).count('It ended with ERR_4012.')
    assert.ok(counts.length > 0 && counts.every((count) => count === 1))
  })

  it('have a bound for any query', () => {
    assert.ok(createFourGrams(Array.from({ length: 5000 }, (_, index) => `word${index}`)).size <= 512)
  })
})
