import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { createAnalyzer } from './analyzer.ts'
import { createLexicon } from './lexicon.ts'
import {
  chooseVerbLanguage,
  detectQueryLanguage,
  isSingleQuotation,
  limitWords,
  listAdjacentPairs,
  listQuotedPhrases,
  MAX_QUERY_WORDS,
  orderLanguages,
  stripInterrogatives,
} from './query-words.ts'
import { splitWords } from './split-words.ts'

const LEXICONS = ['en', 'de', 'ru'].map(createLexicon)

describe('detectQueryLanguage', () => {
  it('is the language with most stop words, at least two', () => {
    assert.equal(detectQueryLanguage(splitWords('was ist die Frist'), LEXICONS)?.language, 'de')
    assert.equal(detectQueryLanguage(splitWords('how long is the notice'), LEXICONS)?.language, 'en')
    assert.equal(detectQueryLanguage(splitWords('die Frist'), LEXICONS), null)
    assert.equal(detectQueryLanguage(splitWords('in Berlin'), LEXICONS), null)
  })
})

describe('chooseVerbLanguage', () => {
  it('is the language with most stop words, at least one', () => {
    const cases: [query: string, language: string][] = [
      ['heat the part', 'en'],
      ['when did the tenants meet', 'en'],
      ['went to the test', 'en'],
      ['Boot kaufen im Mai', 'de'],
      ['wann wurde gekauft', 'de'],
    ]
    const german = [...LEXICONS].sort((a) => (a.language === 'de' ? -1 : 1))
    for (const lexicons of [LEXICONS, german])
      for (const [query, language] of cases)
        assert.equal(chooseVerbLanguage(splitWords(query), lexicons), language, query)
  })

  it('follows from letters, else the most frequent language of the memory', () => {
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

  it('does not take other letters for English', () => {
    assert.deepEqual(orderLanguages(['en', 'ru', 'de'], 'срок договора', null), ['ru', 'en', 'de'])
    assert.deepEqual(orderLanguages(['en', 'zh'], '合同 PDF 的期限', null), ['zh', 'en'])
    assert.deepEqual(orderLanguages(['en'], 'срок', null), ['und', 'en'])
  })

  it('keeps the order if the language is unknown', () => {
    assert.deepEqual(orderLanguages(['en', 'de'], 'Frist 2024', null), ['en', 'de'])
    assert.deepEqual(orderLanguages(['de', 'ru'], 'срок', null), ['de', 'ru'])
    assert.deepEqual(orderLanguages([], '4012', null), [])
  })
})

const left = (query: string) => stripInterrogatives(splitWords(query)).map(({ text, start }) => [text, start])

describe('stripInterrogatives', () => {
  it('removes interrogatives from text without spaces, and keeps offsets', () => {
    assert.deepEqual(left('港口有多少船？'), [
      ['港口有', 0],
      ['船', 5],
    ])
    assert.deepEqual(left('港口在哪里'), [['港口在', 0]])
    assert.deepEqual(left('港はどこですか'), [['港は', 0]])
  })

  it('keeps other words, and a query of interrogatives only', () => {
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

test('a query of the maximum length loses no word', () => {
  const words = splitWords(Array.from({ length: MAX_QUERY_WORDS }, (_, at) => name(at)).join(' '))
  assert.deepEqual(limitWords([words]), { lists: [words], leftOut: 0 })
})

test('a longer query keeps its first distinct words, with later repetitions', () => {
  const query = `${Array.from({ length: MAX_QUERY_WORDS + 9 }, (_, at) => name(at)).join(' ')} ${name(0)}`
  const { lists, leftOut } = limitWords([splitWords(query)])
  assert.equal(leftOut, 9)
  assert.equal(lists[0]?.length, MAX_QUERY_WORDS + 1)
  assert.equal(lists[0]?.at(-1)?.text, name(0))
})

test('repeated words count once', () => {
  const words = splitWords('pump valve '.repeat(2 * MAX_QUERY_WORDS))
  assert.equal(limitWords([words]).leftOut, 0)
})

test('languages with different stop words keep the same query words', () => {
  const words = splitWords(Array.from({ length: 2 * MAX_QUERY_WORDS }, (_, at) => name(at)).join(' '))
  const { lists } = limitWords([words.slice(1), words.slice(0, -1)])
  assert.equal(lists[0]?.at(-1)?.text, name(MAX_QUERY_WORDS - 1))
  assert.equal(lists[1]?.at(-1)?.text, name(MAX_QUERY_WORDS - 1))
})

test('a run of a script without spaces is cut at the limit of bigrams', () => {
  const query = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
    '',
  )
  const { terms, leftOut } = analyzer.queryTerms(query, ['zh'])
  assert.ok(terms.length <= MAX_QUERY_WORDS && terms.length > MAX_QUERY_WORDS / 2, `${terms.length} terms`)
  assert.ok(leftOut > 19_000, `${leftOut} left out`)
})

test('query terms are bounded in a memory of many languages', () => {
  const query = Array.from({ length: 3000 }, (_, at) => `wörter${(at * 7919).toString(26)}ungen`).join(' ')
  const languages = ['en', 'de', 'fr', 'es', 'it', 'sv', 'hu', 'pl']
  const { terms, forms, repeated, words, pairs } = analyzer.queryTerms(query, languages)
  const counts = { terms: terms.length, forms: forms.length, repeated: repeated.length, words: words.length }
  assert.ok(terms.length + forms.length <= 2048, JSON.stringify(counts))
  assert.ok(words.length <= MAX_QUERY_WORDS && pairs.length <= MAX_QUERY_WORDS, JSON.stringify(counts))
})

describe('terms of several query sentences', () => {
  const analyzer = createAnalyzer()
  const repeatedIn = (query: string, ...languages: string[]) => analyzer.queryTerms(query, languages).repeated.sort()

  it('repeat for each further sentence, up to three times', () => {
    assert.deepEqual(repeatedIn('Heat pumps. How does a pump freeze? Costs: Pumps cost; What pumps!\nPump', 'en'), [
      'cost',
      'pump',
      'pump',
      'pump',
    ])
    assert.deepEqual(repeatedIn('热泵。热泵！', 'zh'), ['热泵'])
  })

  it('count once per sentence, also with abbreviations, and once over all languages', () => {
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

test('phrases are in order, with any marks', () => {
  assert.deepEqual(listQuotedPhrases('“one two”, "three" und „vier fünf“ et «six»'), [
    'one two',
    'three',
    'vier fünf',
    'six',
  ])
})

test('repeated phrases count once, and the first phrases are kept', () => {
  assert.deepEqual(listQuotedPhrases('"a" "b" "a" '.repeat(2000)), ['a', 'b'])
  const many = Array.from({ length: 3000 }, (_, index) => `p${index}`)
  assert.deepEqual(listQuotedPhrases(`"${many.join('" "')}"`), many.slice(0, 64))
})

test('inches, a mark without its other and marks with nothing between are no phrases', () => {
  for (const query of ['a 19" or 21" monitor', 'a 19” or 21” monitor', 'he said "no', '" "', '""', '«»'])
    assert.deepEqual(listQuotedPhrases(query), [], query)
})

test('queries of marks only take linear time', () => {
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

describe('listAdjacentPairs', () => {
  it('returns distinct adjacent words in order, normalized', () => {
    assert.deepEqual(pairsOf('Crème brûlée, crème brûlée'), ['creme brulee', 'brulee creme'])
  })

  it('skips up to two words that are not kept', () => {
    assert.deepEqual(pairsOf('flow over a wing', ['over', 'a']), ['flow wing'])
    assert.deepEqual(pairsOf('flow that is over a wing', ['that', 'is', 'over', 'a']), [])
  })

  it('is empty for a single word, and for scripts without spaces', () => {
    assert.deepEqual(pairsOf('wing'), [])
    assert.deepEqual(pairsOf('東京 大阪'), [])
  })
})
