import type { HitResource } from '../../api/search.ts'
import { runSync } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { packWindows } from '../../engine/windows.ts'
import { HITS } from '../../limits.ts'
import { buildHits } from './build-hits.ts'
import { analyzeQuery } from './question.ts'
import { type ReadCandidate, rankCandidatesRead } from './rank-documents.ts'
import { selectHits } from './select-hits.ts'
import { createTitleTerms } from './title-terms.ts'

const QUERY = 'How long does the first search take, and why?'
const WORDS = (
  'code that reads words and compares passages is compiled while it runs for the first time ' +
  'so one search is made of sentences like these before any request arrives'
).split(' ')
/** Ranking 128, as a search does, takes 50 ms more of a start and makes no search faster. */
const CANDIDATES = 24
const TITLE_WORDS = 5
const PASSAGE_WORDS = 90
const SENTENCE_WORDS = 12
const PASSAGES_A_DOCUMENT = 6
const DIMENSIONS = 256
const WINDOWS = 4
/** Fusion weight of the built-in embedder (docs/relevance.md). */
const EMBEDDER = { fusionWeight: () => 0.35 }

/**
 * Ranks and formats synthetic passages to warm up the JIT compiler before the first search.
 * Compiling takes longer than the search and would delay all requests
 * (docs/decisions/0048-search-warm-up.md). Returns the hits.
 */
export function warmUpSearch(analyzer: Analyzer): HitResource[] {
  const asked = { query: QUERY, mode: 'hybrid' } as const
  const question = { ...analyzeQuery(analyzer, asked, [DEFAULT_LANGUAGE]), mode: asked.mode, vector: makeVector() }
  const candidates = Array.from({ length: CANDIDATES }, (_, place) => makeCandidate(place))
  const parts = { titleTerms: createTitleTerms(analyzer), embedder: EMBEDDER, rerank: true }
  const ranked = rankCandidatesRead(parts, question, { candidates, among: candidates, stock: undefined })
  const documents = selectHits({ question, documents: ranked, embedder: null, analyzer }, {})
  const shown = { question, highlight: true, limit: HITS.default }
  return runSync(buildHits(analyzer, shown, { corrections: [], documents }))
}

function makeCandidate(place: number): ReadCandidate {
  const text = makeText(place, PASSAGE_WORDS)
  const id = `doc_${Math.floor(place / PASSAGES_A_DOCUMENT)}`
  return {
    // Each retriever finds some passages that the other does not.
    lexical: place % 3 === 0 ? null : CANDIDATES / (1 + place),
    vector: place % 4 === 0 ? null : 1 / (1 + place),
    isNear: false,
    copyKey: text,
    unrankedCopies: 0,
    chunk: {
      documentId: id,
      chunkIndex: place,
      kind: 'document',
      text,
      windows: packWindows(Int8Array.from({ length: WINDOWS * DIMENSIONS }, (_, at) => ((at * (1 + place)) % 31) - 15)),
      startOffset: 0,
      endOffset: text.length,
      page: null,
      pageEnd: null,
      section: null,
      header: null,
    },
    document: {
      id,
      seq: place,
      title: makeText(place, TITLE_WORDS),
      filename: null,
      url: null,
      tags: '[]',
      metadata: '{}',
      language: DEFAULT_LANGUAGE,
      boost: null,
      statement: null,
      topics: null,
      expires_at: null,
      created_at: new Date(0).toISOString(),
    },
  }
}

/** Sentences of {@link WORDS}, in an order that depends on `place`. */
function makeText(place: number, words: number): string {
  const text = Array.from({ length: words }, (_, at) => {
    const word = WORDS[(7 * place + 3 * at) % WORDS.length]
    return at % SENTENCE_WORDS === 0 ? `${at === 0 ? '' : '. '}${word?.toUpperCase()}` : ` ${word}`
  })
  return text.join('')
}

function makeVector(): Float32Array {
  return new Float32Array(DIMENSIONS).fill(1 / Math.sqrt(DIMENSIONS))
}
