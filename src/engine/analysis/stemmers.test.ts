import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEndingStripper, stemArabic, stemHebrew, stemMalay } from './stemmers.ts'

describe('createEndingStripper', () => {
  it('removes as many ending letters as possible', () => {
    const strip = createEndingStripper({ letters: 'aiwom' })
    for (const form of ['kont', 'konto', 'kontami', 'kontaom']) assert.equal(strip(form), 'kont')
  })

  it('keeps a minimum number of letters', () => {
    assert.equal(createEndingStripper({ letters: 'amo' })('mamo'), 'mam')
    assert.equal(createEndingStripper({ letters: 'amo', least: 2 })('mamo'), 'ma')
  })

  it('removes some letters only after another ending letter', () => {
    const strip = createEndingStripper({ letters: 'ai', inside: 'y' })
    for (const form of ['nadi', 'nadiya', 'nadiy']) assert.equal(strip(form), 'nad')
    for (const form of ['kalpy', 'kalpya']) assert.equal(strip(form), 'kalpy')
  })

  it('keeps words with other endings', () => {
    assert.equal(createEndingStripper({ letters: 'a' })('kont'), 'kont')
  })
})

describe('stemArabic', () => {
  const cases: [guarantee: string, words: string[], stem: string][] = [
    [
      'takes the article off, with what is written in one with it',
      ['السياره', 'بالسياره', 'والسيارات', 'للسيارات'],
      'سيار',
    ],
    ['takes "and" off a word of four letters and more', ['وقال', 'قال'], 'قال'],
    ['leaves a first letter that only looks like "and" in a short word', ['ولد'], 'ولد'],
    ['leaves two letters in any case', ['الي'], 'ال'],
    ['brings endings of number and belonging together', ['كتابها', 'كتابه', 'كتابي', 'كتاب'], 'كتاب'],
  ]
  for (const [guarantee, words, stem] of cases) {
    it(guarantee, () => {
      for (const word of words) assert.equal(stemArabic(word), stem, word)
    })
  }
})

describe('stemHebrew', () => {
  it('removes prefixes: and, in, to, from, that, as, the', () => {
    for (const word of ['ספרייה', 'הספרייה', 'בספרייה', 'לספרייה', 'מהספרייה', 'והספרייה', 'ובספרייה'])
      assert.equal(stemHebrew(word), 'ספרייה')
  })

  it('keeps three letters', () => {
    for (const word of ['בית', 'הר', 'שלט', 'ומן']) assert.equal(stemHebrew(word), word)
    assert.equal(stemHebrew('הבית'), 'בית')
  })
})

describe('stemMalay', () => {
  const cases: [what: string, stem: string, words: string[]][] = [
    ['takes off whose it is', 'buku', ['buku', 'bukunya', 'bukuku', 'bukukah']],
    ['takes suffixes off', 'makan', ['makan', 'makanan', 'makanannya']],
    ['takes prefixes off', 'baca', ['baca', 'membaca', 'dibaca', 'terbaca', 'pembaca', 'bacaan']],
  ]
  for (const [what, stem, words] of cases)
    it(what, () => {
      for (const word of words) assert.equal(stemMalay(word), stem)
    })

  it('keeps four letters', () => {
    for (const word of ['kami', 'dia', 'kelas', 'ikan', 'bulan']) assert.equal(stemMalay(word), word)
  })
})
