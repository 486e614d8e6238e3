import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from './analyzer.ts'

const analyzer = createAnalyzer()

function finds(language: string, text: string, query: string): boolean {
  const known = new Set(analyzer.terms(text, language))
  const { terms, forms } = analyzer.queryTerms(query, [language])
  return [...terms, ...forms].some((term) => known.has(term))
}

describe('a text is found in any Unicode form', () => {
  for (const [language, text] of [
    ['es', 'año español'],
    ['pt', 'informação São'],
    ['vi', 'Việt Nam'],
    ['et', 'õpetaja'],
    ['yo', 'Ọlọ́run'],
  ] as const) {
    it(`with combining accents (${language})`, () => {
      assert.deepEqual(analyzer.terms(text.normalize('NFD'), language), analyzer.terms(text.normalize('NFC'), language))
    })
  }

  const cases: [what: string, language: string, text: string, query: string][] = [
    ['a name with a capital inside, by small letters', 'en', 'The new iPhone', 'iphone'],
    ['small letters, by a name with a capital inside', 'en', 'the new iphone', 'iPhone'],
    ['a name of two parts, by small letters', 'en', 'We use YouTube', 'youtube'],
    ['Russian with stress marks', 'ru', 'Лев Толсто́й', 'Толстой'],
    ['Russian with a stress at the end', 'ru', 'молоко́', 'молоко'],
    ['Russian ё in a word with an ending', 'ru', 'Чёрные ёлки и пчёлы', 'черных'],
    ['Russian е where ё is meant', 'ru', 'Стоит ёлка', 'елки'],
    ['Russian ё in capitals', 'ru', 'СТОИТ ЁЛКА', 'ёлки'],
    ['a class by a word of its name, behind an abbreviation', 'en', 'thrown by SQLException', 'exceptions'],
    ['by that abbreviation', 'en', 'thrown by SQLException', 'sql'],
    ['a class with an abbreviation, by small letters', 'en', 'class HTTPServer', 'httpserver'],
    ['small letters, by a class with an abbreviation', 'en', 'class httpserver', 'HTTPServer'],
    ['a word with a soft hyphen', 'de', 'Kün\u00addigung', 'Kündigung'],
    ['a Japanese name with a variant of a letter', 'ja', '葛\u{e0100}城市', '葛城'],
    ['a Japanese word in katakana, by hiragana', 'ja', '青森のリンゴを食べた', 'りんご'],
    ['and the other way round, in half width too', 'ja', 'ねこがいる', 'ﾈｺ'],
    ['Serbian in Cyrillic letters, by Latin ones', 'sr', 'Љубав и џеп у књизи', 'Ljubavi'],
    ['Serbian in Latin letters, by Cyrillic ones', 'hr', 'Ljubav, džep i šuma', 'шуме'],
    ['a Hindi word with a joiner', 'hi', 'काक्\u200dष', 'काक्ष'],
    [
      'a pair of letters behind 127 without a mark',
      'ja',
      `${'一二三四五六七八'.repeat(15)}一二三四五六七東京都`,
      '東京',
    ],
    ['a Czech word that is nothing but an ending', 'cs', 'ATA', 'ATA'],
  ]
  for (const [what, language, text, query] of cases) it(what, () => assert.ok(finds(language, text, query)))

  it('emoji are no words, and a keycap is its digit', () => {
    assert.deepEqual(analyzer.terms('❤️', 'en'), [])
    assert.deepEqual(analyzer.terms('1️⃣', 'en'), ['1'])
  })

  it('in linear time: this query took minutes', { timeout: 20_000 }, () => {
    for (const mark of ['„', '«', '「', '“']) analyzer.queryTerms(mark.repeat(150_000), ['en'])
  })
})
