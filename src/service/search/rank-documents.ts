import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { type Ranked, rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import type { Embedder } from '../../providers/embedder.ts'
import type { LiveDocument } from '../../store/search.ts'
import type { Question } from './question.ts'
import type { Candidate } from './retrieve.ts'

/** A candidate in its place. */
export type RankedCandidate = Pick<Ranked, 'score' | 'scores'> & { candidate: Candidate }

/** Ranks what was retrieved; see `engine/ranking`. `embedder` is `null` where nothing was compared by meaning; `rerank` false leaves the fused score as it is. */
export function rankDocuments(
  { titleTerms, embedder }: { titleTerms: TitleTerms; embedder: Embedder | null },
  question: Question,
  candidates: readonly Candidate[],
  rerank: boolean,
): RankedCandidate[] {
  const given = candidates.map(({ chunk, document, lexical, vector }) => ({
    documentId: document.id,
    chunkIndex: chunk.chunkIndex,
    documentSeq: document.seq,
    text: chunk.text,
    titleTerms: titleTerms(document),
    lexical,
    semantic: vector,
    windows: chunk.windows,
  }))
  const [dominant] = question.languages
  const ranked = rankCandidates(given, {
    ...question,
    semanticWeight: embedder?.fusionWeight(dominant ?? 'en') ?? 0,
    rerank,
  })
  return ranked.flatMap(({ index, score, scores }) => {
    const candidate = candidates[index]
    return candidate ? [{ candidate, score, scores }] : []
  })
}

/** The terms of a document's title. */
export type TitleTerms = (document: LiveDocument) => readonly string[]

/** Titles whose terms are remembered: analysing those of 400 candidates took 2 ms of every search. */
const MOST_TITLES = 10_000

/** Analyses titles, each once while it is remembered. */
export function createTitleTerms(analyzer: Analyzer): TitleTerms {
  const remembered = new Map<string, readonly string[]>()
  return ({ title, filename, language }) => {
    // A title that is nothing but the file's name says little, and would push every chunk of that file.
    if (filename?.startsWith(title)) return []
    const key = `${language}:${title}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    if (remembered.size >= MOST_TITLES) remembered.clear()
    const terms = analyzer.terms(title, language)
    remembered.set(key, terms)
    return terms
  }
}
