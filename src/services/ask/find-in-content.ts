import { setImmediate } from 'node:timers/promises'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Chunk } from '../../engine/chunking/chunk.ts'
import { createChunker } from '../../engine/chunking/chunker.ts'
import { createFourGrams } from '../../engine/ranking/four-grams.ts'
import { rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import { type Counts, scoreBm25 } from '../../engine/ranking/scores.ts'
import { dotProduct } from '../../engine/vectors.ts'
import type { Embedder } from '../../models/embedder.ts'
import { textDocumentBlocks } from '../../parsers/plain-text.ts'
import { embedChunks } from '../ingest/indexing/embed-chunks.ts'
import { analyzeAndEmbedQuery } from '../search/question.ts'

/** A passage of the content; `text` is the slice from `startOffset` to `endOffset`. */
export type FoundPassage = Chunk & { score: number; semantic: number | null }

/** Maximum number of chunks to analyse and embed, chosen by the question's four-grams. */
const CANDIDATES = 400
/** Event-loop budget per turn, in milliseconds. */
const SLICE_MS = 8

/**
 * Searches a text like a memory, with the same chunks, terms, vectors and ranking, and stores
 * nothing. A long text is processed in slices to keep the event loop free. Rejects with the
 * signal's reason.
 */
export async function findInContent(
  parts: { analyzer: Analyzer; embedder: Embedder },
  { question, content, language, limit }: { question: string; content: string; language: string; limit: number },
  signal: AbortSignal,
): Promise<FoundPassage[]> {
  const asked = await analyzeAndEmbedQuery(parts, { query: question, mode: 'hybrid' }, [language])
  const chunks = await selectLikelyChunks(content, asked, signal)
  const context = { documentId: '', kind: 'document', heading: '', language, labels: [], firstIndex: 0 } as const
  const rows = await embedChunks(parts, chunks, context)
  signal.throwIfAborted()
  const places = new Map(asked.terms.map((term, place) => [term, place]))
  const lexical = scoreBm25(
    rows.map((row) => countTerms(row.terms.split(' '), places)),
    places.size,
  )
  const candidates = rows.map((row, index) => ({
    documentId: '',
    chunkIndex: row.chunkIndex,
    documentSeq: 0,
    text: row.text,
    titleTerms: [],
    title: 0,
    lexical: lexical[index] || null,
    semantic: asked.vector === null ? null : dotProduct(asked.vector, row.vector),
    windows: row.windows,
  }))
  const semanticWeight = parts.embedder.fusionWeight(asked.languages[0] ?? language)
  const ranked = rankCandidates(candidates, { ...asked, semanticWeight, rerank: true })
  return ranked.slice(0, limit).flatMap(({ index, score, scores }) => {
    const chunk = chunks[index]
    return chunk === undefined ? [] : [{ ...chunk, score, semantic: scores.semantic }]
  })
}

type ScoredChunk = { chunk: Chunk; worth: number; place: number }

/** Returns the best chunks in text order. */
async function selectLikelyChunks(
  content: string,
  { words, terms }: { words: readonly string[]; terms: readonly string[] },
  signal: AbortSignal,
): Promise<Chunk[]> {
  const grams = createFourGrams(words)
  let likely: ScoredChunk[] = []
  let place = 0
  const take = (chunk: Chunk): void => {
    const runs = grams.count(chunk.text).counts.reduce((found, count) => found + (count > 0 ? 1 : 0), 0)
    const whole = terms.reduce((found, term) => found + (chunk.text.includes(term) ? 1 : 0), 0)
    likely.push({ chunk, worth: runs + whole, place })
    place += 1
    if (likely.length >= 2 * CANDIDATES) likely = topChunks(likely)
  }
  const chunker = createChunker()
  let sliceStart = performance.now()
  for (const block of textDocumentBlocks(content)) {
    for (const chunk of chunker.push(block)) take(chunk)
    if (performance.now() - sliceStart < SLICE_MS) continue
    await setImmediate()
    signal.throwIfAborted()
    sliceStart = performance.now()
  }
  for (const chunk of chunker.flush()) take(chunk)
  return topChunks(likely)
    .sort((a, b) => a.place - b.place)
    .map(({ chunk }) => chunk)
}

function topChunks(likely: readonly ScoredChunk[]): ScoredChunk[] {
  return [...likely].sort((a, b) => b.worth - a.worth || a.place - b.place).slice(0, CANDIDATES)
}

function countTerms(own: readonly string[], places: ReadonlyMap<string, number>): Counts {
  const counts = new Uint32Array(places.size)
  for (const term of own) {
    const place = places.get(term)
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1
  }
  return { counts, length: own.length }
}
