import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { createFourGrams } from './four-grams.ts'
import { createIdentifierTest } from './identifiers.ts'
import { matchesCorrection } from './match-correction.ts'

type Pair = [query: string, cosine: number]
type Example = { statement: string; topics: string[]; about: Pair[]; other: Pair[] }

/** Our own corrections and queries; the cosines are those of the embedded embedder. */
const EXAMPLES: Example[] = [
  {
    statement: 'The refund window is 45 days, not 30.',
    topics: ['refunds'],
    about: [
      ['how long do customers have to return an item?', 0.12],
      ['what is the refund window', 0.83],
      ['refund period in days', 0.73],
      ['Can I get my money back after 40 days?', 0.26],
    ],
    other: [
      ['shipping window for large items', 0.24],
      ['how do I open a window in the app?', 0.25],
      ['what is the capital of France?', -0.02],
      ['days of paid vacation', 0.17],
    ],
  },
  {
    statement: 'P1 incidents are acknowledged within 10 minutes.',
    topics: ['P1', 'escalation'],
    about: [
      ['how fast do we acknowledge a P1?', 0.44],
      ['P1 response time', 0.37],
      ['escalation policy', 0.53],
      ['when is a severity one incident acknowledged', 0.54],
    ],
    other: [
      ['P2 incident review', 0.39],
      ['minutes of the board meeting', 0.37],
      ['who wrote the handbook?', 0.08],
      ['ten ways to cook rice', 0.08],
    ],
  },
  {
    statement: 'The office in Berlin moved to Friedrichstrasse 12 in March.',
    topics: ['Berlin office'],
    about: [
      ['where is the Berlin office?', 0.69],
      ['address of our office in Berlin', 0.66],
      ['when did the Berlin office move', 0.72],
      ['Friedrichstrasse 12', 0.63],
    ],
    other: [
      ['where is the Paris office?', 0.45],
      ['march on Washington', 0.4],
      ['office chairs for sale', 0.27],
      ['Berlin wall history', 0.52],
    ],
  },
  {
    statement: 'Maria Lopez is the head of finance since January.',
    topics: [],
    about: [
      ['who is the head of finance?', 0.52],
      ['Maria Lopez role', 0.65],
      ['who leads the finance department', 0.34],
      ['head of finance since when', 0.59],
    ],
    other: [
      ['who is the head of engineering?', 0.25],
      ['Maria Curie biography', 0.38],
      ['financial report of January', 0.45],
      ['lopez island ferry', 0.3],
    ],
  },
  {
    statement: 'Version 3.2 drops support for Node 18.',
    topics: ['Node.js support'],
    about: [
      ['does version 3.2 support Node 18?', 0.75],
      ['which Node versions are supported', 0.71],
      ['Node 18 support dropped', 0.79],
      ['node.js support', 0.8],
    ],
    other: [
      ['which version of the policy applies?', 0.21],
      ['support hotline number', 0.18],
      ['how to drop a table', 0.23],
      ['18 degrees celsius', 0.11],
    ],
  },
]

const analyzer = createAnalyzer()

function matches(
  { statement, topics }: Pick<Example, 'statement' | 'topics'>,
  query: string,
  cosine: number | null,
  language = 'en',
): boolean {
  const { terms, words } = analyzer.queryTerms(query, [language])
  const text = [statement, ...topics].join('\n')
  const grams = createFourGrams(words)
  const standing = grams.count(text).counts.filter((count) => count > 0).length
  return matchesCorrection({
    query,
    queryTerms: terms,
    topics,
    statement,
    namesOtherIdentifiers: createIdentifierTest(query)(text),
    correctionTerms: new Set(analyzer.terms(text, language)),
    cosine,
    runs: standing / Math.max(1, grams.size),
  })
}

/** Of languages that the embedded embedder does not know: to it all of them are alike. */
const FOREIGN: (Omit<Example, 'topics' | 'about' | 'other'> & {
  language: string
  about: string[]
  other: string[]
})[] = [
  {
    language: 'el',
    statement: 'Η βιβλιοθήκη ανοίγει τα Σάββατα στις εννέα.',
    about: ['Πότε ανοίγουν οι βιβλιοθήκες το Σάββατο;', 'σαββατο βιβλιοθηκη'],
    other: ['Πόσο κοστίζει το εισιτήριο του τρένου;', 'Πού είναι ο γιατρός;', 'ERR_4012'],
  },
  {
    language: 'ru',
    statement: 'Парковка закрыта на ремонт до марта.',
    about: ['До какого месяца закрыта парковка?', 'ремонт парковки'],
    other: ['Сколько стоит проезд до музея?', 'Кто закрывает школу вечером?', 'xqzvw'],
  },
  {
    language: 'zh',
    statement: '退款期限是四十五天，不是三十天。',
    about: ['退款期限是多少天？', '退款期限'],
    other: ['图书馆什么时候开门？', '会议在哪里举行', '4711'],
  },
]

describe('a correction', () => {
  it('matches no query about another subject', () => {
    for (const example of EXAMPLES) {
      for (const [query, cosine] of example.other) assert.equal(matches(example, query, cosine), false, query)
    }
  })

  it('matches at least 17 of 20 relevant queries', () => {
    const found = EXAMPLES.flatMap((example) =>
      example.about.filter(([query, cosine]) => matches(example, query, cosine)),
    )
    assert.ok(found.length >= 17, `${found.length}`)
  })

  it('matches every query that names one of its topics', () => {
    const correction = { statement: 'Es sind zehn Tage.', topics: ['Kündigungsfrist'] }
    assert.equal(matches(correction, 'What does kundigungsfrist mean for the budget of next year?', 0), true)
    assert.equal(matches(correction, 'kündigungsfristen', 0), false)
    assert.equal(matches({ ...correction, topics: ['警報'] }, '最新の警報はいつ', null), true)
  })

  it('does not take a function word for a topic that is an acronym', () => {
    const desk = { statement: 'The help desk moved to extension 911.', topics: ['IT', 'WHO', 'VPN'] }
    for (const query of ['does it have a projector', 'who recommends nets?'])
      assert.equal(matches(desk, query, 0), false)
    for (const query of ['IT extension', 'where does WHO say so', 'vpn port'])
      assert.equal(matches(desk, query, 0), true, query)
  })

  it('matches by words only without embeddings', () => {
    assert.equal(matches({ statement: 'The refund window is 45 days.', topics: [] }, 'refund window', null), true)
    assert.equal(matches({ statement: 'The refund window is 45 days.', topics: [''] }, 'lunch menu', null), false)
  })

  it('matches by words and four-grams in a language that the embedder does not know', () => {
    for (const { language, about, other, ...statement } of FOREIGN) {
      const correction = { ...statement, topics: [] }
      for (const query of about) assert.equal(matches(correction, query, null, language), true, query)
      for (const query of other) assert.equal(matches(correction, query, null, language), false, query)
    }
  })

  it('matches no short query with another number, even if similar', () => {
    const room = { statement: 'The extension of room 8 is 3,708.', topics: [] }
    for (const query of ['room 7', 'extension 3702', 'extension 37080']) assert.equal(matches(room, query, 0.75), false)
    for (const query of ['room 8', 'extension 3708', 'extension ３７０８'])
      assert.equal(matches(room, query, 0.75), true)
    assert.equal(matches({ ...room, topics: ['room 7'] }, 'room 7', 0.75), true)
    assert.equal(matches({ statement: 'The fourth-quarter budget is final.', topics: [] }, 'Q4 budget', 0.75), true)
    assert.equal(matches({ statement: 'Revenue of 2024 was 4 million.', topics: [] }, 'Q3 2024 revenue', 0.7), true)
    assert.equal(matches(room, 'which extension has the room that was number 7 until May?', 0.75), true)
  })

  it('matches no question about the same kind of thing with another number', () => {
    const room = { statement: 'Room 8 seats thirty people since the rebuild.', topics: [] }
    assert.equal(matches(room, 'how many people does room 7 seat since the rebuild', 0.75), false)
    assert.equal(matches(room, 'how many people does room 8 seat since the rebuild', 0.75), true)
    assert.equal(matches(room, 'how many people does a room for 20 seat since the rebuild', 0.75), true)
    assert.equal(matches(room, 'how many people do room 7 and room 8 seat since the rebuild', 0.75), true)
    const lot = { statement: 'Lot 12,500 belongs to the harbour.', topics: [] }
    for (const query of ['to whom does lot 12500 belong now', 'to whom does lot 12’500 belong now'])
      assert.equal(matches(lot, query, 0.75), true, query)
    assert.equal(matches(room, 'how many people does room 08 seat since the rebuild', 0.75), true)
    const fee = { statement: 'The fee is for up to 10 people now.', topics: [] }
    assert.equal(matches(fee, 'is the fee for up to 8 people now', 0.75), true)
  })

  it('recognizes a Korean topic with a particle', () => {
    const refund = { statement: '환불은 45일 안에 됩니다.', topics: ['환불'] }
    assert.equal(matches(refund, '환불은 언제 되나요', null), true)
    assert.equal(matches(refund, '미환불 언제', null), false)
  })

  it('matches no query without words', () => {
    assert.equal(matches({ statement: 'The refund window is 45 days.', topics: ['!'] }, '!', null), false)
  })
})
