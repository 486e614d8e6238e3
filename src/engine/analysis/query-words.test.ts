import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { createAnalyzer } from './analyzer.ts'
import { createLexicon } from './lexicon.ts'
import {
  isSingleQuotation,
  limitWords,
  MAX_QUERY_WORDS,
  orderLanguages,
  listAdjacentPairs,
  listQuotedPhrases,
  detectQueryLanguage,
  chooseVerbLanguage,
  stripInterrogatives,
} from './query-words.ts'
import { splitWords } from './split-words.ts'

const LEXICONS = ['en', 'de', 'ru'].map(createLexicon)

describe('spokenLanguage', () => {
  it('is that of which the query has most small words, of at least two', () => {
    assert.equal(detectQueryLanguage(splitWords('was ist die Frist'), LEXICONS)?.language, 'de')
    assert.equal(detectQueryLanguage(splitWords('how long is the notice'), LEXICONS)?.language, 'en')
    assert.equal(detectQueryLanguage(splitWords('die Frist'), LEXICONS), null)
    assert.equal(detectQueryLanguage(splitWords('in Berlin'), LEXICONS), null)
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
      for (const [query, language] of cases) assert.equal(chooseVerbLanguage(splitWords(query), lexicons), language, query)
  })

  it('is told by its letters, and else that of most of the memory', () => {
    assert.equal(chooseVerbLanguage(splitWords('Miete gekündigt'), LEXICONS), 'de')
    assert.equal(chooseVerbLanguage(splitWords('heat pump test'), LEXICONS), 'en')
    assert.equal(chooseVerbLanguage(splitWords('Boot gekauft'), [...LEXICONS].reverse()), 'ru')
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

const left = (query: string) => stripInterrogatives(splitWords(query)).map(({ text, start }) => [text, start])

describe('withoutAsking', () => {
  it('cuts what only asks out of what is written without spaces, and keeps the places of the rest', () => {
    assert.deepEqual(left('港口有多少船？'), [
      ['港口有', 0],
      ['船', 5],
    ])
    assert.deepEqual(left('港口在哪里'), [['港口在', 0]])
    assert.deepEqual(left('港はどこですか'), [['港は', 0]])
  })

  it('leaves other words as they are, and a query that does nothing but ask', () => {
    assert.deepEqual(left('who asks 哪吒'), [
      ['who', 0],
      ['asks', 4],
      ['哪吒', 9],
    ])
    assert.deepEqual(left('为什么'), [['为什么', 0]])
  })
})

const analyzer = createAnalyzer()
/** Distinct words without an ending that a stemmer knows. */
const name = (at: number) => `q${at}x`

test('a query of as many words as are looked up loses none', () => {
  const words = splitWords(Array.from({ length: MAX_QUERY_WORDS }, (_, at) => name(at)).join(' '))
  assert.deepEqual(limitWords([words]), { lists: [words], leftOut: 0 })
})

test('of a longer query the first distinct words are looked up, also where they come again behind the last of them', () => {
  const query = `${Array.from({ length: MAX_QUERY_WORDS + 9 }, (_, at) => name(at)).join(' ')} ${name(0)}`
  const { lists, leftOut } = limitWords([splitWords(query)])
  assert.equal(leftOut, 9)
  assert.equal(lists[0]?.length, MAX_QUERY_WORDS + 1)
  assert.equal(lists[0]?.at(-1)?.text, name(0))
})

test('words that come again count once', () => {
  const words = splitWords('pump valve '.repeat(2 * MAX_QUERY_WORDS))
  assert.equal(limitWords([words]).leftOut, 0)
})

test('languages that leave out different words keep the same ones of the query', () => {
  const words = splitWords(Array.from({ length: 2 * MAX_QUERY_WORDS }, (_, at) => name(at)).join(' '))
  const { lists } = limitWords([words.slice(1), words.slice(0, -1)])
  assert.equal(lists[0]?.at(-1)?.text, name(MAX_QUERY_WORDS - 1))
  assert.equal(lists[1]?.at(-1)?.text, name(MAX_QUERY_WORDS - 1))
})

test('a run of a script without spaces is cut where its pairs are too many', () => {
  const query = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
    '',
  )
  const { terms, leftOut } = analyzer.queryTerms(query, ['zh'])
  assert.ok(terms.length <= MAX_QUERY_WORDS && terms.length > MAX_QUERY_WORDS / 2, `${terms.length} terms`)
  assert.ok(leftOut > 19_000, `${leftOut} left out`)
})

test('what a query gives has a bound in a memory of many languages', () => {
  const query = Array.from({ length: 3000 }, (_, at) => `wörter${(at * 7919).toString(26)}ungen`).join(' ')
  const languages = ['en', 'de', 'fr', 'es', 'it', 'sv', 'hu', 'pl']
  const { terms, forms, repeated, words, pairs } = analyzer.queryTerms(query, languages)
  const counts = { terms: terms.length, forms: forms.length, repeated: repeated.length, words: words.length }
  assert.ok(terms.length + forms.length <= 2048, JSON.stringify(counts))
  assert.ok(words.length <= MAX_QUERY_WORDS && pairs.length <= MAX_QUERY_WORDS, JSON.stringify(counts))
})

describe('what several sentences of a query have', () => {
  const analyzer = createAnalyzer()
  const repeatedIn = (query: string, ...languages: string[]) => analyzer.queryTerms(query, languages).repeated.sort()

  it('is given again for each further sentence, up to three times', () => {
    assert.deepEqual(repeatedIn('Heat pumps. How does a pump freeze? Costs: Pumps cost; What pumps!\nPump', 'en'), [
      'cost',
      'pump',
      'pump',
      'pump',
    ])
    assert.deepEqual(repeatedIn('热泵。热泵！', 'zh'), ['热泵'])
  })

  it('counts once in a sentence, also in one with abbreviations, and in every language of the memory together', () => {
    assert.deepEqual(repeatedIn('a wing-body, i.e. a wing with a body', 'en'), [])
    assert.deepEqual(repeatedIn('a wing-body, i.e.  a wing with a body', 'en'), [])
    assert.deepEqual(repeatedIn('Photon? A photon.', 'en', 'de'), ['photon'])
  })
})

const SET = [
  '"a b"',
  '“a b”',
  '”a b”',
  '„a b“',
  '„a b”',
  '„a b"',
  '«a b»',
  '« a b »',
  '»a b«',
  '‹a b›',
  '「a b」',
  '『a b』',
  '＂a b＂',
]

for (const quotation of SET)
  test(`${quotation} is a phrase, alone or in a sentence`, () => {
    assert.deepEqual(listQuotedPhrases(`where is ${quotation} said?`), ['a b'])
    assert.equal(isSingleQuotation(` ${quotation} `), true)
    assert.equal(isSingleQuotation(`where is ${quotation}`), false)
    assert.equal(isSingleQuotation(`${quotation} or ${quotation}`), false)
  })

test('phrases come in order, each in its own marks', () => {
  assert.deepEqual(listQuotedPhrases('“one two”, "three" und „vier fünf“ et «six»'), [
    'one two',
    'three',
    'vier fünf',
    'six',
  ])
})

test('a phrase that is said again is one, and of very many the first are taken', () => {
  assert.deepEqual(listQuotedPhrases('"a" "b" "a" '.repeat(2000)), ['a', 'b'])
  const many = Array.from({ length: 3000 }, (_, index) => `p${index}`)
  assert.deepEqual(listQuotedPhrases(`"${many.join('" "')}"`), many.slice(0, 64))
})

test('inches, a mark without its other and marks with nothing between are no phrases', () => {
  for (const query of ['a 19" or 21" monitor', 'a 19” or 21” monitor', 'he said "no', '" "', '""', '«»'])
    assert.deepEqual(listQuotedPhrases(query), [], query)
})

test('queries of nothing but marks take time linear in their length', () => {
  const many = 200_000
  for (const mark of '"“”„«»‹›「『＂') {
    assert.ok(listQuotedPhrases(`a${mark}`.repeat(many)).length <= many)
    assert.ok(listQuotedPhrases(mark.repeat(many)).length <= many)
  }
})

function pairsOf(query: string, dropped: readonly string[] = []): string[] {
  const words = splitWords(query)
  const kept = words.filter(({ text }) => !dropped.includes(text))
  return listAdjacentPairs(words, kept).map((pair) => pair.join(' '))
}

describe('pairWords', () => {
  it('gives neighbours in order, each pair once, as words compare', () => {
    assert.deepEqual(pairsOf('Crème brûlée, crème brûlée'), ['creme brulee', 'brulee creme'])
  })

  it('passes over two words that are not kept, and no more', () => {
    assert.deepEqual(pairsOf('flow over a wing', ['over', 'a']), ['flow wing'])
    assert.deepEqual(pairsOf('flow that is over a wing', ['that', 'is', 'over', 'a']), [])
  })

  it('has none of a single word, and none of scripts without spaces', () => {
    assert.deepEqual(pairsOf('wing'), [])
    assert.deepEqual(pairsOf('東京 大阪'), [])
  })
})
