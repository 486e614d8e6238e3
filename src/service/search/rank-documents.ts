import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { type Ranked, rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import type { Embedder } from '../../providers/embedder.ts'
import type { LiveDocument } from '../../store/search.ts'
import type { Question } from './question.ts'
import type { Candidate } from './retrieve.ts'

/** A candidate in its place. */
export type RankedCandidate = Pick<Ranked, 'score' | 'scores'> & { candidate: Candidate }

/** Ranks what was retrieved; see `engine/ranking`. `rerank` false leaves the fused score as it is. */
export function rankDocuments(
  { analyzer, embedder }: { analyzer: Analyzer; embedder: Embedder },
  question: Question,
  candidates: readonly Candidate[],
  rerank: boolean,
): RankedCandidate[] {
  const titles = new Map<string, readonly string[]>()
  for (const { document } of candidates) {
    if (!titles.has(document.id)) titles.set(document.id, titleTerms(analyzer, document))
  }
  const given = candidates.map(({ chunk, document, lexical, vector }) => ({
    documentId: document.id,
    chunkIndex: chunk.chunkIndex,
    documentSeq: document.seq,
    text: chunk.text,
    titleTerms: titles.get(document.id) ?? [],
    lexical,
    semantic: vector,
    windows: chunk.windows,
  }))
  const [dominant] = question.languages
  const ranked = rankCandidates(given, {
    ...question,
    semanticWeight: embedder.fusionWeight(dominant ?? 'en'),
    rerank,
  })
  return ranked.flatMap(({ index, score, scores }) => {
    const candidate = candidates[index]
    return candidate ? [{ candidate, score, scores }] : []
  })
}

/** A title that is nothing but the file's name says little, and would push every chunk of that file. */
function titleTerms(analyzer: Analyzer, { title, filename, language }: LiveDocument): readonly string[] {
  return filename?.startsWith(title) ? [] : analyzer.terms(title, language)
}
