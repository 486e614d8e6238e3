import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stemMalay } from './stem-malay.ts'

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

  it('leaves words of four letters and what would be shorter', () => {
    for (const word of ['kami', 'dia', 'kelas', 'ikan', 'bulan']) assert.equal(stemMalay(word), word)
  })
})
