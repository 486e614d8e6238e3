import { DEFAULT_LANGUAGE } from '../../engine/analysis/languages.ts'
import { breakDownScore, readTopScore, type ScorePart, type TopScore } from '../../engine/ranking/break-down-score.ts'
import { type Ranked, type RankingAccount, rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import { scoreTitles } from '../../engine/ranking/score-titles.ts'
import { shortlist } from '../../engine/ranking/shortlist.ts'
import type { Embedder } from '../../providers/embedder.ts'
import type { MemoryOfTitles, TitleStocks } from './create-title-stocks.ts'
import type { TitleTerms } from './create-title-terms.ts'
import type { Question } from './question.ts'
import { type Candidate, type Match, type Reading, type RetrievalParts, readMatches } from './retrieve.ts'

/** A candidate in its place. */
export type RankedCandidate = Pick<Ranked, 'score' | 'scores'> & {
  candidate: Candidate
  /** What the score is made of, before a model reads it again; where that was asked for. */
  parts?: ScorePart[]
  /** What all scores of the search are shares of; where that was asked for. */
  top?: TopScore
}

/**
 * Matches that are read and ranked, of 400: reading costs Lance as much as finding. With 128 nDCG@10 stayed within 0.002 on every set tried, with 100 one
 * lost 0.005. A request may ask for 100.
 */
export const MOST_READ = 128
/** Read at least at a time, where some do not show: many do not while a large document is being added. */
const LEAST_READ = 32

/** `embedder` is `null` where nothing was compared by meaning; `rerank` false leaves the fused score as it is. */
export type RankingParts = RetrievalParts & {
  titleTerms: TitleTerms
  titleStock: TitleStocks
  /** Called before what holds the event loop for milliseconds (`pacing/loop-share.ts`). */
  shareLoop: () => Promise<void>
  embedder: Embedder | null
  rerank: boolean
  /** True: says what each score is made of. */
  explain?: boolean | undefined
}

/** What was ranked, best first, and what of the matches could not be read. */
export type Ranking = Pick<Reading, 'gone'> & { documents: RankedCandidate[] }

/** Reads and ranks the best of what was found in a memory; see `engine/ranking`. */
export async function rankDocuments(
  parts: RankingParts,
  question: Question,
  { memory, matches }: { memory: MemoryOfTitles; matches: readonly Match[] },
): Promise<Ranking> {
  const { embedder, rerank, titleTerms } = parts
  const semanticWeight = embedder?.fusionWeight(question.languages[0] ?? DEFAULT_LANGUAGE) ?? 0
  const places = shortlist(matches.map(toScores), weightIn(question.mode, semanticWeight))
  const { candidates, hidden, gone } = await readBest(parts, memory.id, {
    matches: places.flatMap((place) => matches[place] ?? []),
    // Whether a phrase stands in a text is not known before it is read, and goes before all else.
    most: question.phrases.length > 0 ? matches.length : MOST_READ,
  })
  const isWhole = candidates.length + hidden.length + gone.length === matches.length
  const stock = isWhole ? undefined : await parts.titleStock(memory)
  await parts.shareLoop()
  const titles = candidates.map(({ document }) => titleTerms(document))
  const titleScores = scoreTitles(titles, question.terms, stock)
  const given = candidates.map(({ chunk, document, ...found }, place) => ({
    ...toScores(found),
    documentId: document.id,
    chunkIndex: chunk.chunkIndex,
    documentSeq: document.seq,
    titleTerms: titles[place] ?? [],
    title: titleScores[place] ?? 0,
    // Ranked by how near the word is, not by how rare.
    lexical: found.isNear ? null : found.lexical,
    isNear: found.isNear,
    text: chunk.text,
    windows: chunk.windows,
  }))
  const known = new Set(hidden)
  const accounts: RankingAccount[] = []
  const ranked = rankCandidates(given, {
    ...question,
    semanticWeight,
    rerank,
    among: matches.filter((match) => !known.has(match)).map(toScores),
    tell: parts.explain ? (account) => void accounts.push(account) : undefined,
  })
  const documents = ranked.flatMap(({ index, score, scores }) => {
    const candidate = candidates[index]
    if (candidate === undefined) return []
    const [account] = accounts
    return [
      {
        candidate,
        score,
        scores,
        ...(account && { parts: breakDownScore(account, index), top: readTopScore(account) }),
      },
    ]
  })
  return { documents, gone }
}

/** Reads matches in their order until so many show, or all are read. */
async function readBest(
  parts: RetrievalParts,
  memoryId: string,
  { matches, most }: { matches: readonly Match[]; most: number },
): Promise<Reading> {
  const all: Reading = { candidates: [], hidden: [], gone: [] }
  for (let start = 0; start < matches.length && all.candidates.length < most; ) {
    const end = start + Math.max(LEAST_READ, most - all.candidates.length)
    const { candidates, hidden, gone } = await readMatches(parts, memoryId, matches.slice(start, end))
    all.candidates.push(...candidates)
    all.hidden.push(...hidden)
    all.gone.push(...gone)
    start = end
  }
  return all
}

function toScores({ lexical, vector }: Pick<Match, 'lexical' | 'vector'>) {
  return { lexical, semantic: vector }
}

function weightIn(mode: Question['mode'], semanticWeight: number): number {
  if (mode === 'hybrid') return semanticWeight
  return mode === 'semantic' ? 1 : 0
}
