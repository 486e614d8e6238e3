import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { findSpelledNumbers, readHanNumber } from './number-words.ts'

describe('findSpelledNumbers', () => {
  const cases: readonly (readonly [language: string, text: string, values: readonly number[]])[] = [
    ['en', 'two rooms, twenty-one days and one hundred and five steps', [2, 21, 105]],
    ['en', 'between two hundred and two hundred and fifty', [200, 250]],
    ['en', 'three hundred twenty-five thousand four hundred', [325_400]],
    ['en', 'nineteen eighty-four', [19, 84]],
    ['en', 'a three-bedroom flat', [3]],
    ['en', 'about 5 thousand or 2 hundred', []],
    ['de', 'Zweihundertfünfzig Personen, einhundert Stühle, ein Tisch, fünfundzwanzig Tage', [250, 100, 25]],
    ['de', 'dreitausendvierhundert', [3400]],
    ['nl', 'vijfentwintig dagen, tweehonderd euro, een dag', [25, 200]],
    ['fr', 'quatre-vingt-dix jours, soixante-douze heures, vingt et un ans, dix-sept mois, un chat', [90, 72, 21, 17]],
    ['fr', 'deux cent cinquante, cinq pour cent', [250, 5]],
    [
      'es',
      'treinta y un días, veintidós meses, doscientos cincuenta euros, cinco por ciento, un día',
      [31, 22, 250, 5],
    ],
    ['it', 'duecentocinquanta, ventuno, trentotto, un giorno', [250, 21, 38]],
    ['pt', 'duzentos e cinquenta, vinte e um, um dia', [250, 21]],
    ['pl', 'dwadzieścia jeden dni, dwieście pięćdziesiąt złotych', [21, 250]],
    ['ru', 'двадцать один день, две тысячи пятьсот рублей', [21, 2500]],
    ['sv', 'tjugofem dagar, tvåhundra kronor, en dag', [25, 200]],
    ['da', 'femogtyve dage', [25]],
    ['cs', 'dvě stě padesát', [250]],
  ]
  for (const [language, text, values] of cases)
    it(`reads ${text}`, () =>
      assert.deepEqual(
        findSpelledNumbers(text, [language]).map(({ value }) => value),
        values,
      ))

  it('finds no number in words that begin with one', () => {
    for (const [language, text] of [
      ['de', 'achtsam zweifellos siebente Einfachheit'],
      ['nl', 'tienen eenheid'],
      ['it', 'tremare seicentesco'],
      ['xx', 'two'],
    ] as const)
      assert.deepEqual(findSpelledNumbers(text, [language]), [], text)
  })

  it('gives the place of a number in several words', () => {
    const text = 'within two hundred and fifty metres'
    const [{ start, end } = { start: 0, end: 0 }] = findSpelledNumbers(text, ['en'])
    assert.equal(text.slice(start, end), 'two hundred and fifty')
  })
})

test('Chinese and Japanese numbers are read', () => {
  const written = ['十五', '二十一', '一百零五', '两千五百', '十二万', '二〇二八', '三億', '兩百']
  assert.deepEqual(written.map(readHanNumber), [15, 21, 105, 2500, 120_000, 2028, 300_000_000, 200])
  assert.equal(readHanNumber(''), null)
})
