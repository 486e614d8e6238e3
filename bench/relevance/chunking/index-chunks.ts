import type { Analyzer } from '../../../src/engine/analysis/analyzer.ts'
import type { Chunk } from '../../../src/engine/chunking/chunk.ts'
import { rankCandidates } from '../../../src/engine/ranking/rank-candidates.ts'
import { scoreTitles } from '../../../src/engine/ranking/score-titles.ts'
import { type Counts, scoreBm25 } from '../../../src/engine/ranking/scores.ts'
import { dotProduct } from '../../../src/engine/vectors.ts'
import type { Embedder } from '../../../src/models/embedder.ts'
import { embedChunks } from '../../../src/services/ingest/indexing/embed-chunks.ts'
import type { Passage } from './judge-passages.ts'

/** A document cut in some way. */
export type CutDocument = { id: string; title: string; chunks: readonly Chunk[] }

/** Finds passages, best first. */
export type ChunkIndex = { find(query: string, limit: number): Promise<Passage[]> }

type Parts = { analyzer: Analyzer; embedder: Embedder }
type Entry = Awaited<ReturnType<typeof embedChunks>>[number] & {
  tally: ReadonlyMap<string, number>
  length: number
  seq: number
}

/** As `CANDIDATES` of the service: so many of each leg are ranked. */
const CANDIDATES = 200

/**
 * Indexes chunks as the service does, with its own analysis, embedding and ranking; only the store
 * is left out.
 */
export async function indexChunks(
  parts: Parts,
  documents: readonly CutDocument[],
  language: string,
): Promise<ChunkIndex> {
  const entries: Entry[] = []
  for (const [seq, { id, title, chunks }] of documents.entries()) {
    const context = { documentId: id, kind: 'document' as const, heading: title, language, labels: [], firstIndex: 0 }
    for (const row of await embedChunks(parts, chunks, context)) entries.push({ ...row, ...tallyOf(row.terms), seq })
  }
  const titles = new Map(documents.map(({ id, title }) => [id, parts.analyzer.terms(title, language)]))

  async function find(query: string, limit: number): Promise<Passage[]> {
    const { terms, forms, words, pairs, phrases } = parts.analyzer.queryTerms(query, [language])
    const [vector = null] = await parts.embedder.embed([query], 'query')
    const wanted = [...terms, ...forms]
    const lexical = best(
      scoreBm25(
        entries.map((entry) => countTerms(entry, wanted)),
        wanted.length,
      ),
    )
    const semantic = best(entries.map((entry) => (vector === null ? 0 : dotProduct(entry.vector, vector))))
    const found = [...new Set([...lexical.keys(), ...semantic.keys()])].flatMap((place) => {
      const entry = entries[place]
      return entry === undefined
        ? []
        : [{ entry, lexical: lexical.get(place) ?? null, semantic: semantic.get(place) ?? null }]
    })
    const titleTerms = found.map(({ entry }) => titles.get(entry.documentId) ?? [])
    const titleScores = scoreTitles(titleTerms, terms)
    const candidates = found.map(({ entry, ...scores }, place) => ({
      ...scores,
      documentId: entry.documentId,
      chunkIndex: entry.chunkIndex,
      documentSeq: entry.seq,
      text: entry.text,
      titleTerms: titleTerms[place] ?? [],
      title: titleScores[place] ?? 0,
      windows: entry.windows,
    }))
    const semanticWeight = parts.embedder.fusionWeight(language)
    const asked = { terms, words, pairs, phrases, languages: [language], vector, semanticWeight }
    const ranked = rankCandidates(candidates, { ...asked, mode: 'hybrid', rerank: true })
    return ranked.slice(0, limit).flatMap(({ index }) => {
      const entry = found[index]?.entry
      return entry === undefined ? [] : [{ document: entry.documentId, start: entry.startOffset, end: entry.endOffset }]
    })
  }

  return { find }
}

function tallyOf(terms: string): { tally: Map<string, number>; length: number } {
  const tally = new Map<string, number>()
  const own = terms.split(' ')
  for (const term of own) tally.set(term, (tally.get(term) ?? 0) + 1)
  return { tally, length: own.length }
}

function countTerms({ tally, length }: Entry, terms: readonly string[]): Counts {
  return { counts: Uint32Array.from(terms, (term) => tally.get(term) ?? 0), length }
}

/** The indexes of the best positive scores, with their scores. */
function best(scores: ArrayLike<number>): Map<number, number> {
  const places = Array.from(scores, (score, place) => ({ score, place })).filter(({ score }) => score > 0)
  places.sort((a, b) => b.score - a.score)
  return new Map(places.slice(0, CANDIDATES).map(({ score, place }) => [place, score]))
}
