import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createFingerprint, estimateJaccard, type Fingerprint } from './fingerprint.ts'

function fingerprint(...pieces: string[]): Fingerprint {
  const reader = createFingerprint()
  for (const piece of pieces) reader.add(piece)
  return reader.digest()
}

/** Words in a fixed order that repeats only after a long time. */
function words(count: number, seed: number): string[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return `w${state % 4999}`
  })
}

function jaccard(one: readonly string[], other: readonly string[]): number {
  const shingles = (list: readonly string[]): Set<string> =>
    new Set(list.slice(4).map((_, index) => list.slice(index, index + 5).join(' ')))
  const [a, b] = [shingles(one), shingles(other)]
  const shared = [...a].filter((each) => b.has(each)).length
  return shared / (a.size + b.size - shared)
}

function shareBand(one: Fingerprint, other: Fingerprint): boolean {
  return one.signature?.bands.some((band) => other.signature?.bands.includes(band)) ?? false
}

describe('the hash', () => {
  it('is equal for texts that differ in case, punctuation, white space and compatibility forms', () => {
    assert.equal(fingerprint('The quick—brown\n fox, Nr. ①!').hash, fingerprint('the QUICK brown fox nr 1').hash)
  })

  it('differs for different words, and for texts of marks only', () => {
    assert.notEqual(fingerprint('one two').hash, fingerprint('one too').hash)
    assert.notEqual(fingerprint('!!!').hash, fingerprint('???').hash)
  })
})

describe('the fingerprint', () => {
  it('is independent of piece borders', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.constantFrom('東京都の警報です。'.repeat(30), 'x'.repeat(500), 'The quick brown fox jumps. '.repeat(20)),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 100 }), (whole, size) => {
        const characters = [...new Intl.Segmenter().segment(whole)].map(({ segment }) => segment)
        const pieces = characters.flatMap((_, index) =>
          index % size === 0 ? [characters.slice(index, index + size).join('')] : [],
        )
        assert.deepEqual(fingerprint(...pieces), fingerprint(whole))
      }),
    )
  })

  it('has no signature for fewer than five words', () => {
    assert.equal(fingerprint('one two three four').signature, null)
    assert.notEqual(fingerprint('one two three four five').signature, null)
    assert.notEqual(fingerprint('東京都の警報').signature, null)
  })
})

describe('the signature', () => {
  const pairs = Array.from({ length: 120 }, (_, index) => {
    const one = words(300, index + 1)
    const other = one.map((word, place) => (place % 300 < (index % 8) * 2 && place % 2 === 0 ? `x${index}` : word))
    return { truth: jaccard(one, other), a: fingerprint(one.join(' ')), b: fingerprint(other.join(' ')) }
  })

  it('estimates the Jaccard similarity of five-word shingles', () => {
    const errors = pairs.map(
      ({ truth, a, b }) => estimateJaccard(a.signature?.value ?? '', b.signature?.value ?? '') - truth,
    )
    const mean = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length)
    assert.ok(mean < 0.04, `${mean}`)
  })

  it('shares a band with every document of similarity 0.9 and more', () => {
    const near = pairs.filter(({ truth }) => truth >= 0.9)
    assert.ok(near.length > 20)
    assert.deepEqual(
      near.filter(({ a, b }) => !shareBand(a, b)),
      [],
    )
  })

  it('shares no band with another text', () => {
    const others = Array.from({ length: 30 }, (_, index) => fingerprint(words(300, 1000 + index).join(' ')))
    assert.deepEqual(
      others.filter((other) => pairs.some(({ a }) => shareBand(a, other))),
      [],
    )
  })

  it('has similarity 0 if invalid', () => {
    assert.equal(estimateJaccard('', fingerprint('one two three four five').signature?.value ?? ''), 0)
  })
})
