import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSync } from '../../concurrency/event-loop-yield.ts'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { buildHits } from './build-hits.ts'
import { analyzeQuery } from './question.ts'
import type { SelectedDocument } from './select-hits.ts'

const analyzer = createAnalyzer()

function rankedOf(place: number): SelectedDocument {
  const id = `doc_${place}`
  const text = `The crane ${place} stands on the quay.`
  const where = { chunkIndex: 0, startOffset: 0, endOffset: text.length, page: null, pageEnd: null }
  const around = { kind: 'document', section: null, header: null, windows: new Uint8Array() } as const
  const chunk = { documentId: id, text, ...where, ...around }
  const names = { id, seq: place, title: id, filename: null, url: null, tags: '[]', metadata: '{}', language: 'en' }
  const corrected = { boost: null, statement: null, topics: null, expires_at: null }
  const document = { ...names, ...corrected, created_at: new Date(0).toISOString() }
  const candidate = { lexical: 1, vector: null, isNear: false, chunk, document, copyKey: id, unrankedCopies: 0 }
  return {
    candidate,
    duplicates: 0,
    score: 1 - place / 10,
    scores: { lexical: 1, semantic: null, fused: 1, rerank: 1 },
  }
}

test('builds one hit per step, and only visible ones', () => {
  const words = analyzeQuery(analyzer, { query: 'crane', mode: 'lexical' }, ['en'])
  const question = { ...words, mode: 'lexical', vector: null } as const
  const documents = [1, 2, 3, 4, 5].map(rankedOf)
  const steps = buildHits(analyzer, { question, highlight: true, limit: 3 }, { corrections: [], documents })
  for (let step = 1; step <= 3; step += 1) assert.equal(steps.next().done, false)
  const { value } = steps.next()
  assert.deepEqual(
    value?.map(({ rank, snippet }) => `${rank} ${snippet}`),
    [1, 2, 3].map((rank) => `${rank} The <mark>crane</mark> ${rank} stands on the quay.`),
  )
})

test('words are marked as in the language of the document, not in the others of the memory', () => {
  const words = analyzeQuery(analyzer, { query: 'Hunden', mode: 'lexical' }, ['de', 'en'])
  const question = { ...words, mode: 'lexical', vector: null } as const
  const documents = ['en', 'de'].map((language, place) => {
    const { candidate, ...ranked } = rankedOf(place)
    const chunk = { ...candidate.chunk, text: 'Hund, Hunder' }
    return { ...ranked, candidate: { ...candidate, chunk, document: { ...candidate.document, language } } }
  })
  const hits = runSync(buildHits(analyzer, { question, highlight: true, limit: 2 }, { corrections: [], documents }))
  assert.deepEqual(
    hits.map(({ snippet }) => snippet),
    ['<mark>Hund</mark>, Hunder', '<mark>Hund</mark>, <mark>Hunder</mark>'],
  )
})
