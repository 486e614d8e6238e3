import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { copyKeyOf } from '../../engine/ranking/shortlist.ts'
import { analyzeQuery } from './question.ts'
import type { RankedCandidate } from './rank-documents.ts'
import { selectHits } from './select-hits.ts'

const analyzer = createAnalyzer()

type Facts = {
  language?: string | null
  text: string
  score?: number
  isNear?: boolean
  lexical?: number | null
  semantic?: number
  section?: string | null
}

function ranked({
  text,
  score = 0.5,
  lexical = 1,
  semantic = 0.1,
  section = null,
  isNear = false,
  language = null,
}: Facts): RankedCandidate {
  const chunk = { text, section, header: null }
  const document = { title: 'Untitled', filename: null, language }
  const scores = { lexical, semantic, fused: 1, rerank: 1 }
  const candidate = { lexical, isNear, chunk, document, copyKey: copyKeyOf(chunk), unrankedCopies: 0 }
  return { candidate, score, scores } as unknown as RankedCandidate
}

type Asked = { query?: string; languages?: readonly string[]; mode?: 'hybrid' | 'lexical' } & Parameters<
  typeof selectHits
>[1]

function select(
  facts: readonly Facts[],
  { query = 'where to go', languages = ['en'], mode = 'hybrid', ...options }: Asked = {},
) {
  const question = { ...analyzeQuery(analyzer, { query, mode }, languages), mode } as const
  const embedder = { minSimilarity: 0.4, calibratedLanguages: ['en'], crossLanguageWeight: 0.6 }
  const found = { question, documents: facts.map(ranked), embedder, analyzer }
  return selectHits(found, options).map(({ candidate, duplicates }): [string, number] => [
    candidate.chunk.text,
    duplicates,
  ])
}

test('copies take one place, with their number; an amendment keeps its place', () => {
  const copies = [
    'Go to car park F.',
    'Go to  car park F',
    'GO TO CAR PARK F.',
    'Go to car park F.',
    'Go to car park G.',
  ]
  const facts = copies.map((text) => ({ text }))
  assert.deepEqual(select(facts), [
    ['Go to car park F.', 3],
    ['Go to car park G.', 0],
  ])
  assert.equal(select(facts, { collapseDuplicates: false }).length, 5)
})

test('equal texts below different headings are no copies', () => {
  const facts = ['Starter', 'Team'].map((section) => ({ text: 'Go to the shop.', section }))
  assert.equal(select(facts).length, 2)
})

test('passages below the minimum score are no hits', () => {
  const facts = [0.9, 0.5, 0.2].map((score) => ({ text: `Go ${score} miles.`, score }))
  assert.deepEqual(select(facts, { minScore: 0.5 }), [
    ['Go 0.9 miles.', 0],
    ['Go 0.5 miles.', 0],
  ])
})

test('without a word of the query, only related passages are hits', () => {
  const near = { text: 'near', lexical: null, semantic: 0.6 }
  const far = { text: 'far', lexical: null, semantic: 0.3 }
  assert.deepEqual(select([near, far]), [['near', 0]])
  assert.deepEqual(select([far]), [])
  assert.deepEqual(select([{ text: 'wrod', isNear: true }, far], { query: 'word' }), [['wrod', 0]])
  assert.equal(select([{ text: 'go there' }, far]).length, 2)
})

test('stop words of any language of the memory are no words of the query', () => {
  const languages = ['en', 'fr', 'es']
  const facts = [{ text: 'La clé de la porte est bleue.' }]
  assert.equal(select(facts, { query: 'recette de la bouillabaisse', languages }).length, 0)
  assert.equal(select([{ text: 'Oui.', semantic: 0.5 }], { query: 'recette de la bouillabaisse', languages }).length, 0)
  assert.equal(select(facts, { query: 'la couleur de la porte', languages }).length, 1)
})

test('in another language than English, similarity to an English model relates nothing', () => {
  const alike = { text: 'Отпуск составляет 28 дней.', lexical: null, semantic: 0.9 }
  assert.equal(select([alike], { query: 'извержение вулкана', languages: ['en', 'ru'] }).length, 0)
  assert.equal(select([alike], { query: 'отпсук', languages: ['en', 'ru'] }).length, 1)
  assert.equal(select([{ ...alike, text: 'Zażalenie.' }], { query: 'gęślą jaźń', languages: ['en'] }).length, 0)
})

test('in another language, a similar passage has parts of words in common', () => {
  const alike = { text: 'På kvällen åker cyklar gratis med tågen.', lexical: null, semantic: 0.6 }
  assert.equal(select([alike], { query: 'cykel på kvallstaget', languages: ['sv'] }).length, 1)
})

test('a question is compared with the language of each document', () => {
  const german = { text: 'Die Miete ist am dritten Werktag fällig.', lexical: null, semantic: 0.1, language: 'de' }
  const english = { text: 'Bins are outside.', lexical: null, semantic: 0.1, language: 'en' }
  const languages = ['en', 'de']
  assert.deepEqual(select([german, english], { query: 'When is the rent due?', languages }), [[german.text, 0]])
  assert.deepEqual(select([german, english], { query: 'rent', languages }), [])
})

test('a passage with a part of a compound of the query is a hit', () => {
  const facts = [
    { text: 'Die Frist zur Kündigung beträgt drei Monate.', lexical: null },
    { text: 'Haustiere sind verboten.', lexical: null },
  ]
  const query = 'Kündigungsfrist'
  assert.deepEqual(select(facts, { query, languages: ['de'] }), [['Die Frist zur Kündigung beträgt drei Monate.', 0]])
})

test('a passage with a mistyped word of the query is a hit', () => {
  const facts = [
    { text: 'The deposit is held by a bank.', lexical: null },
    { text: 'Pets are banned.', lexical: null },
  ]
  assert.deepEqual(select(facts, { query: 'depsoit' }), [['The deposit is held by a bank.', 0]])
})

test('a passage with a similar term is a hit if a word or its stem was mistyped', () => {
  for (const mode of ['hybrid', 'lexical'] as const)
    for (const [query, text, hits] of [
      ['pflrtz', 'Der Platz ist frei.', 0],
      ['qwerty', 'A query takes 5 ms.', 0],
      ['recieving', 'It was received in May.', 1],
      ['calender', 'The calendar of events.', 1],
      ['押', '押金', 1],
    ] as const)
      assert.equal(select([{ text, isNear: true }], { query, mode }).length, hits, `${query}, ${mode}`)
  const platz = { text: 'Der Platz ist frei.', isNear: true }
  assert.equal(select([{ ...platz, semantic: 0.6 }], { query: 'pflrtz' }).length, 1, 'similar in meaning')
  assert.equal(select([platz], { query: 'pflrtz', keepUnrelated: true }).length, 1)
})

test('a question in a language that no document has finds the nearest passages', () => {
  const facts = [{ text: 'Der Urlaub beträgt 28 Tage.', lexical: null, semantic: 0.2 }]
  assert.equal(select(facts, { query: 'How long is the leave of employees?', languages: ['de'] }).length, 1)
  assert.equal(select(facts, { query: 'How long is the leave of employees?', languages: ['de', 'en'] }).length, 0)
})

test('passages that are nearest without being near are hits on demand only', () => {
  const facts = [{ text: 'Born on 8 June 1991.', lexical: null }]
  assert.deepEqual(select(facts), [])
  assert.equal(select(facts, { keepUnrelated: true }).length, 1)
})
