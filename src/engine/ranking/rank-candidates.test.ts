import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { packWindows, unpackWindows } from '../windows.ts'
import { type Candidate, type Ranked, type RankingQuery, rankCandidates } from './rank-candidates.ts'
import { maxWindowCosine, windowCosines } from './scores.ts'

const analyzer = createAnalyzer()
const LONG = 'Nothing of any interest stands here, and nothing does there. '.repeat(8)

function candidate(documentSeq: number, facts: Partial<Candidate>): Candidate {
  return {
    documentId: `doc${documentSeq}`,
    chunkIndex: 0,
    documentSeq,
    text: LONG,
    titleTerms: [],
    title: 0,
    lexical: null,
    semantic: null,
    windows: new Uint8Array(),
    ...facts,
  }
}

function rank(candidates: Candidate[], query: string, facts: Partial<RankingQuery> = {}): Ranked[] {
  const { terms, words, pairs, phrases, periods } = analyzer.queryTerms(query, ['en'])
  const vector = new Float32Array([1, 0])
  return rankCandidates(candidates, {
    mode: 'hybrid',
    terms,
    words,
    pairs,
    phrases,
    periods,
    languages: ['en'],
    vector,
    semanticWeight: 0.4,
    rerank: true,
    ...facts,
  })
}

const order = (ranked: readonly Ranked[]): number[] => ranked.map(({ index }) => index)

const CANDIDATE = fc.record({
  chunkIndex: fc.nat(3),
  text: fc.oneof(fc.lorem({ maxCount: 30 }), fc.string({ unit: 'grapheme' })),
  titleTerms: fc.array(fc.constantFrom('alpha', 'beta')),
  title: fc.double({ min: 0, max: 9, noNaN: true }),
  lexical: fc.option(fc.double({ min: 0, max: 30, noNaN: true })),
  semantic: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  windows: fc
    .array(fc.integer({ min: -127, max: 127 }), { maxLength: 8 })
    .map((bytes) => packWindows(Int8Array.from(bytes))),
})

describe('rankCandidates', () => {
  it('counts the whole chunk beside the best window for foreign questions', () => {
    const near = { semantic: 0.6, windows: packWindows(Int8Array.of(76, 0)) }
    const window = { semantic: 0.1, windows: packWindows(Int8Array.of(80, 0)) }
    const read = (isForeign: boolean) =>
      order(rank([candidate(1, window), candidate(2, near)], 'boats', { mode: 'semantic', rerank: false, isForeign }))
    assert.deepEqual(read(false), [0, 1])
    assert.deepEqual(read(true), [1, 0])
  })

  it('returns every candidate once, with descending scores from 0 to 1', () => {
    fc.assert(
      fc.property(
        fc.array(CANDIDATE, { maxLength: 20 }),
        fc.lorem({ maxCount: 3 }),
        fc.constantFrom<RankingQuery['mode'][]>('hybrid', 'semantic', 'lexical'),
        fc.boolean(),
        (facts, query, mode, rerank) => {
          const candidates = facts.map((each, index) => candidate(index, each))
          const ranked = rank(candidates, query, { mode, rerank })
          assert.deepEqual(
            [...order(ranked)].sort((a, b) => a - b),
            [...candidates.keys()],
          )
          ranked.forEach(({ score }, index) => {
            assert.ok(score >= 0 && score <= 1 && score <= (ranked[index - 1]?.score ?? 1))
          })
          assert.deepEqual(rank(candidates, query, { mode, rerank }), ranked)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('fuses both retrievers by weight', () => {
    const candidates = [candidate(0, { lexical: 10, semantic: 0.1 }), candidate(1, { lexical: 1, semantic: 0.9 })]
    assert.deepEqual(order(rank(candidates, 'x', { semanticWeight: 0.2 })), [0, 1])
    assert.deepEqual(order(rank(candidates, 'x', { semanticWeight: 0.8 })), [1, 0])
  })

  it('returns the raw scores of the retrievers, null for one that did not run', () => {
    const [hit] = rank(
      [candidate(0, { lexical: 11.2, semantic: 0.5, windows: packWindows(Int8Array.from([127, 0])) })],
      'x',
    )
    assert.deepEqual([hit?.scores.lexical, hit?.scores.semantic], [11.2, 1])
    const [lexical] = rank([candidate(0, { lexical: 11.2, semantic: 0.5 })], 'x', { mode: 'lexical', rerank: false })
    assert.deepEqual(lexical?.scores, { lexical: 11.2, semantic: null, fused: 1, rerank: null })
  })

  it('scores a chunk by its best window, also if only the lexical retriever matched', () => {
    const candidates = [
      candidate(0, { lexical: 1, windows: packWindows(Int8Array.from([0, 127, 20, 0])) }),
      candidate(1, { lexical: 1, windows: packWindows(Int8Array.from([0, 127, 127, 0])) }),
    ]
    assert.deepEqual(order(rank(candidates, 'x')), [1, 0])
  })

  it('prefers a chunk with inflections or misspellings of the query', () => {
    const candidates = [
      candidate(0, { lexical: 5 }),
      candidate(1, { lexical: 5, text: `Escalating incidents. ${LONG}` }),
    ]
    assert.deepEqual(order(rank(candidates, 'escalationn')), [1, 0])
  })

  it('prefers four-grams to terms in a language with compounds', () => {
    const candidates = [
      candidate(0, { lexical: 6, text: `Die Frist gilt. ${LONG}` }),
      candidate(1, { lexical: 5, text: `Der Mietvertrag nennt die Kündigungsfristen. ${LONG}` }),
      // As they were typed, so that neither word is strange; in another order, so that they are no
      // pair.
      candidate(2, { lexical: 1, text: `Mietverträge, Kündigungsfrist. ${LONG}` }),
    ]
    const query = 'Kündigungsfrist Mietverträge'
    assert.deepEqual(order(rank(candidates, query, { vector: null, languages: ['de', 'en'] })), [1, 0, 2])
    assert.deepEqual(order(rank(candidates, query, { vector: null, languages: ['en', 'de'] })), [0, 1, 2])
  })

  it('compares Chinese by bigrams and characters, and alphabetic scripts by four-grams', () => {
    const chinese = [
      candidate(0, { lexical: 6, text: `他们乘船去岛上。${LONG}` }),
      candidate(1, { lexical: 5, text: `港口的船只数量。${LONG}` }),
      candidate(2, { lexical: 1, text: LONG }),
    ]
    assert.deepEqual(order(rank(chinese, '港口船数', { vector: null, languages: ['zh'] })), [1, 0, 2])
    const thai = [
      candidate(0, { lexical: 6, text: `อาหารทะเลสด ${LONG}` }),
      candidate(1, { lexical: 5, text: `เรือออกจากท่าเรือ ${LONG}` }),
      candidate(2, { lexical: 1, text: LONG }),
    ]
    assert.deepEqual(order(rank(thai, 'ท่าเรือ', { vector: null, languages: ['th'] })), [1, 0, 2])
  })

  it('ranks a chunk with the intended word before chunks with other query words', () => {
    const texts = [`Citric acid. ${LONG}`, `Hydrochloric acid. ${LONG}`, LONG]
    const candidates = texts.map((text, index) => candidate(index, { lexical: [6, 5, 1][index] ?? 0, text }))
    assert.deepEqual(order(rank(candidates, 'hydrocloric acid')), [1, 0, 2])
    assert.deepEqual(order(rank(candidates, 'strong acid')), [0, 1, 2])
  })

  it('prefers a document whose title matches', () => {
    const candidates = [
      candidate(0, { lexical: 5, titleTerms: ['handbook'] }),
      candidate(1, { lexical: 5, titleTerms: ['escal', 'playbook'], title: 1 }),
    ]
    assert.deepEqual(order(rank(candidates, 'escalation')), [1, 0])
  })

  it('ranks a chunk with the word before chunks with the word in the title only', () => {
    const titled = { lexical: 9, semantic: 0.9, titleTerms: ['refund'], title: 3 }
    const text = `Nobody refunded it. ${LONG}`
    const candidates = [candidate(0, titled), candidate(1, titled), candidate(2, { lexical: 1, semantic: 0.1, text })]
    for (const mode of ['hybrid', 'lexical'] as const)
      assert.deepEqual(order(rank(candidates, 'what is a refund?', { mode })), [2, 0, 1])
    assert.deepEqual(order(rank(candidates, 'refund deadline')), [0, 1, 2])
    const policies = { lexical: 9, titleTerms: ['polici'], title: 3 }
    const strict = candidate(1, { lexical: 1, text: `Our policy is strict. ${LONG}` })
    assert.deepEqual(order(rank([candidate(0, policies), strict], 'policies')), [1, 0])
    const beside = { titleTerms: ['東京'], title: 3, lexical: 9 }
    const unspaced = [candidate(0, beside), candidate(1, { lexical: 1, text: `京都と東京。${LONG}` })]
    assert.deepEqual(order(rank(unspaced, '東京')), [1, 0])
  })

  it('ranks the day of the query above other days of the month, the exact form first', () => {
    const other = candidate(1, { text: 'Minutes of 4 March 2026, next on 21 April 2026.', lexical: 4 })
    const written = candidate(2, { text: 'Incident of 2026-03-21.', lexical: 4 })
    const exact = candidate(3, { text: 'Incident of 21 March 2026.', lexical: 4 })
    const ranked = rank([other, written, exact], '21 March 2026', { mode: 'lexical', vector: null })
    assert.deepEqual(order(ranked), [2, 1, 0])
  })

  it('ranks the day in another form above a day with the same words, in any language', () => {
    const cases = [
      ['fr', '19 février 2026', ['Réunion du 9 février 2026.', 'Bon du 19/02/2026.', 'Le 19 février 2026.']],
      [
        'es',
        '13 de agosto de 2025',
        ['Junta del 3 de agosto de 2025.', 'Avería 2025-08-13.', 'El 13 de agosto de 2025.'],
      ],
      ['it', '12 giugno 2026', ['Verbale del 2 giugno 2026.', 'Guasto 2026-06-12.', 'Il 12 giugno 2026.']],
      ['nl', '2025-12-08', ['Storing 2025-12-18.', 'Verslag van 8 december 2025.', 'Vergadering 2025-12-08.']],
      ['de', '19. Februar 2026', ['Sitzung vom 9. Februar 2026.', 'Lieferung 19.02.2026', 'Am 19. Februar 2026.']],
      ['ja', '2026年4月18日', ['2026年4月8日の議事録。', '2026-04-18 障害。', '2026年4月18日の議事録。']],
    ] as const
    for (const [language, query, texts] of cases) {
      const candidates = texts.map((text, index) =>
        candidate(index, { text, lexical: 1, semantic: index === 1 ? 0.1 : 0.5 }),
      )
      const { terms, words, pairs, phrases, periods } = analyzer.queryTerms(query, [language])
      const asked = { terms, words, pairs, phrases, periods, languages: [language] }
      assert.deepEqual(order(rank(candidates, query, asked)), [2, 1, 0], query)
    }
  })

  it('counts a date in another form as words of the query', () => {
    const [first] = rank([candidate(1, { text: 'Incident of 1 April 2026.', lexical: 4 })], '2026-04-01', {
      mode: 'lexical',
      vector: null,
    })
    assert.equal(first?.score, 1)
  })

  it('ranks a chunk with the quoted phrase first', () => {
    const text = `They agreed on a Change-Freeze for it. ${LONG}`
    assert.deepEqual(
      order(rank([candidate(0, { lexical: 9 }), candidate(1, { lexical: 6, text })], '"change freeze"')),
      [1, 0],
    )
  })

  it('gives less weight to a short quotation in a long question', () => {
    const text = `We saw a Freeze. ${LONG}`
    const candidates = [candidate(0, { lexical: 9 }), candidate(1, { lexical: 2, text })]
    assert.deepEqual(order(rank(candidates, 'the "freeze"', { vector: null })), [1, 0])
    const long =
      'changes of rules that customers noticed before the yearly "freeze" ended deliveries across both regions'
    assert.deepEqual(order(rank(candidates, long, { vector: null })), [0, 1])
  })

  it('prefers a chunk with adjacent query words, in text or title', () => {
    const texts = [`Layers have a boundary. ${LONG}`, `Boundary layers. ${LONG}`, LONG]
    const candidates = texts.map((text, index) => candidate(10 * index, { lexical: [5.2, 5, 1][index] ?? 0, text }))
    assert.deepEqual(order(rank(candidates, 'boundary layer', { vector: null })), [1, 0, 2])
    const titles = [['layer', 'boundari'], ['boundari', 'layer'], []]
    const titled = titles.map((titleTerms, index) =>
      candidate(index, { titleTerms, title: titleTerms.length, lexical: [5.2, 5, 1][index] ?? 0 }),
    )
    assert.deepEqual(order(rank(titled, 'boundary layer', { vector: null })), [1, 0, 2])
  })

  it('prefers chunks similar to other top chunks, in English and with embeddings', () => {
    const windows = [
      [90, 90],
      [90, -90],
      [90, 90],
    ].map((numbers) => packWindows(Int8Array.from(numbers)))
    const candidates = windows.map((each, index) =>
      candidate(10 * index, { windows: each, lexical: [9, 5.1, 5][index] ?? 0 }),
    )
    assert.deepEqual(order(rank(candidates, 'zzz')), [0, 2, 1])
    assert.deepEqual(order(rank(candidates, 'zzz', { languages: ['de'] })), [0, 1, 2])
    assert.deepEqual(order(rank(candidates, 'zzz', { mode: 'lexical' })), [0, 1, 2])
  })

  it('lifts a conversation turn next to a matching one, also a long one', () => {
    const turns = ['Ann: Where did we go?', `Bob: To the lake. ${LONG}`, 'Ann: Nice.', 'Bob: Bye.']
    const candidates = turns.map((text, index) => candidate(index, { text, lexical: index === 0 ? 9 : 1 }))
    assert.deepEqual(order(rank(candidates, 'zzz')).slice(0, 2), [0, 1])
  })

  it('prefers turns of the speaker that the query names', () => {
    const texts = ['Ann: José likes tea.', 'José: I like tea.', `José: I like tea. ${LONG.repeat(3)}`]
    const candidates = texts.map((text, index) => candidate(10 * index, { text, lexical: [9, 8, 1][index] ?? 0 }))
    assert.deepEqual(order(rank(candidates, 'What does José like?')), [1, 0, 2])
    assert.deepEqual(order(rank(candidates, 'Who likes something?')), [0, 1, 2])
  })

  it('does not lift unrelated small documents', () => {
    const candidates = ['One fact', 'Another', 'Third'].map((text, index) =>
      candidate(index, { text, lexical: [9, 1, 2][index] ?? 0 }),
    )
    assert.deepEqual(order(rank(candidates, 'zzz')), [0, 2, 1])
  })

  it('gives a low score to the best of irrelevant candidates', () => {
    const answer = candidate(0, { lexical: 9, semantic: 0.1, text: 'P1 incidents are acknowledged within ten minutes' })
    const miss = candidate(0, { lexical: 9, semantic: 0.1 })
    const [good] = rank([answer], 'when are incidents acknowledged')
    const [poor] = rank([miss], 'when are incidents acknowledged')
    assert.ok((good?.score ?? 0) > 0.8 && (poor?.score ?? 1) < 0.3)
  })

  it('gives a full score if the query words are in the title only', () => {
    const text = 'The pump in hall 3 leaks.'
    const candidates = [candidate(0, { lexical: 9, text, above: 'TCK-20033' }), candidate(1, { lexical: 2, text })]
    const [best] = rank(candidates, 'TCK-20033', { mode: 'lexical' })
    assert.deepEqual([best?.index, best?.score], [0, 1])
  })

  for (const query of ['3.2.1', 'v3.2.1', 'ERR_4012', 'wg-office.conf', 'a@b.org', '7', 'C++']) {
    it(`gives a full score to a text in which ${query} occurs literally`, () => {
      const candidates = [
        candidate(0, { lexical: 9, text: `Here is ${query}, at last.` }),
        candidate(1, { lexical: 2 }),
      ]
      const [best, other] = rank(candidates, query, { mode: 'lexical' })
      assert.deepEqual([best?.index, best?.score], [0, 1])
      assert.ok((other?.score ?? 1) < 0.1)
    })
  }
})

describe('the cosines of windows', () => {
  it('are those of the unpacked windows, whatever their length', () => {
    const vectors = fc.integer({ min: 2, max: 70 }).chain((dimensions) => {
      const numbers = { minLength: dimensions, maxLength: 5 * dimensions }
      const windows = fc.array(fc.integer({ min: -127, max: 127 }), numbers)
      return fc.record({
        query: fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions }),
        windows,
      })
    })
    const property = fc.property(vectors, ({ query, windows }) => {
      const packed = packWindows(Int8Array.from(windows))
      const rows = unpackWindows(packed, query.length)
      const expected = Array.from({ length: rows.length / query.length }, (_, row) =>
        query.reduce((sum, number, at) => sum + (number * (rows[row * query.length + at] ?? 0)) / 127, 0),
      ).map((cosine) => Math.min(1, Math.max(-1, cosine)))
      const cosines = windowCosines(Float32Array.from(query), packed)
      assert.equal(cosines.length, expected.length)
      cosines.forEach((cosine, row) => {
        assert.ok(Math.abs(cosine - (expected[row] ?? 0)) < 1e-5)
      })
    })
    fc.assert(property)
  })

  it('are none without windows', () => {
    assert.equal(maxWindowCosine(new Float32Array([1, 0]), new Uint8Array()), null)
  })
})

describe('the score of a query of stop words', () => {
  const scoreOf = (query: string, text: string) => {
    const { hasStopWordsOnly } = analyzer.queryTerms(query, ['en'])
    const facts = { mode: 'lexical', vector: null, hasStopWordsOnly } as const
    return rank([candidate(1, { text, lexical: 4 })], query, facts)[0]?.score ?? 0
  }

  it('is low, unless many of them are in the text in order', () => {
    assert.ok(scoreOf('what is the', 'This is what the report of the board is about.') <= 0.2)
    assert.ok(scoreOf('the board', 'The report of the board.') > 0.9)
    assert.equal(scoreOf('to be or not to be', 'To be, or not to be, that is the question.'), 1)
  })
  it('is low, however similar the texts of a language are to an embedder', () => {
    const near = [candidate(1, { text: 'La porte est bleue.', lexical: 4, semantic: 0.9 })]
    const [hit] = rank(near, 'le la les de', { hasStopWordsOnly: true })
    assert.ok(hit !== undefined && hit.score < 0.4)
  })
})
