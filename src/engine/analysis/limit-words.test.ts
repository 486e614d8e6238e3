import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from './analyzer.ts'
import { limitWords, MAX_QUERY_WORDS } from './limit-words.ts'
import { splitWords } from './split-words.ts'

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
