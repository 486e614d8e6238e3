import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLexicon } from './lexicon.ts'
import { orderLanguages, spokenLanguage, verbLanguage } from './query-language.ts'
import { splitWords } from './split-words.ts'

const LEXICONS = ['en', 'de', 'ru'].map(createLexicon)

describe('spokenLanguage', () => {
  it('is that of which the query has most small words, of at least two', () => {
    assert.equal(spokenLanguage(splitWords('was ist die Frist'), LEXICONS)?.language, 'de')
    assert.equal(spokenLanguage(splitWords('how long is the notice'), LEXICONS)?.language, 'en')
    assert.equal(spokenLanguage(splitWords('die Frist'), LEXICONS), null)
    assert.equal(spokenLanguage(splitWords('in Berlin'), LEXICONS), null)
  })
})

describe('verbLanguage', () => {
  it('is that of which the query has most small words, one at least', () => {
    const cases: [query: string, language: string][] = [
      ['heat the part', 'en'],
      ['when did the tenants meet', 'en'],
      ['went to the test', 'en'],
      ['Boot kaufen im Mai', 'de'],
      ['wann wurde gekauft', 'de'],
    ]
    const german = [...LEXICONS].sort((a) => (a.language === 'de' ? -1 : 1))
    for (const lexicons of [LEXICONS, german])
      for (const [query, language] of cases) assert.equal(verbLanguage(splitWords(query), lexicons), language, query)
  })

  it('is told by its letters, and else that of most of the memory', () => {
    assert.equal(verbLanguage(splitWords('Miete gekündigt'), LEXICONS), 'de')
    assert.equal(verbLanguage(splitWords('heat pump test'), LEXICONS), 'en')
    assert.equal(verbLanguage(splitWords('Boot gekauft'), [...LEXICONS].reverse()), 'ru')
  })
})

describe('orderLanguages', () => {
  it('puts the language of the query first', () => {
    assert.deepEqual(orderLanguages(['en', 'de', 'ru'], 'was ist die Frist', 'de'), ['de', 'en', 'ru'])
    assert.deepEqual(orderLanguages(['de', 'en'], 'what is the notice', 'en'), ['en', 'de'])
  })

  it('does not take for English what is in other letters', () => {
    assert.deepEqual(orderLanguages(['en', 'ru', 'de'], 'срок договора', null), ['ru', 'en', 'de'])
    assert.deepEqual(orderLanguages(['en', 'zh'], '合同 PDF 的期限', null), ['zh', 'en'])
    assert.deepEqual(orderLanguages(['en'], 'срок', null), ['und', 'en'])
  })

  it('leaves the order where nothing is known', () => {
    assert.deepEqual(orderLanguages(['en', 'de'], 'Frist 2024', null), ['en', 'de'])
    assert.deepEqual(orderLanguages(['de', 'ru'], 'срок', null), ['de', 'ru'])
    assert.deepEqual(orderLanguages([], '4012', null), [])
  })
})
