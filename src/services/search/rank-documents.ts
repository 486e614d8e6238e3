import type { Warning } from '../../api/values.ts'
import { anySignal } from '../../concurrency/wait.ts'
import { withSurroundings } from '../../engine/chunking/chunk.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { breakDownScore, readTopScore, type ScorePart, type TopScore } from '../../engine/ranking/break-down-score.ts'
import { type Ranked, type RankingAccount, rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import { scoreTitles, type TitleStock } from '../../engine/ranking/score-titles.ts'
import { applyReranking, shortlist } from '../../engine/ranking/shortlist.ts'
import { ApiError } from '../../errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Reranker } from '../../models/reranker.ts'
import type { Log } from '../../observability/log.ts'
import { getOwnTitle } from '../documents/document-resource.ts'
import { headingOfRow } from '../ingest/indexing/indexed-facts.ts'
import type { Question } from './question.ts'
import { type Candidate, type Match, type Reading, type RetrievalDeps, readMatches } from './retrieve.ts'
import type { FindRequest } from './search.ts'
import type { MemoryOfTitles, TitleStocks, TitleTerms } from './title-terms.ts'

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
export const MAX_READ = 128
/** Read at least at a time, where some do not show: many do not while a large document is being added. */
const MIN_READ = 32

/** What candidates are ranked with. */
type Ranker = {
  titleTerms: TitleTerms
  /** That of the memory; `null` where nothing was compared by meaning. */
  embedder: Pick<Embedder, 'fusionWeight'> | null
  /** False leaves the fused score as it is. */
  rerank: boolean
  /** True: says what each score is made of. */
  explain?: boolean | undefined
}

/** What documents are read and ranked with. */
type RankingDeps = RetrievalDeps &
  Ranker & {
    titleStock: TitleStocks
    /** Called before what holds the event loop for milliseconds (`concurrency/event-loop-yield.ts`). */
    shareLoop: () => Promise<void>
  }

/** What was ranked, best first, and what of the matches could not be read. */
type Ranking = Pick<Reading, 'stale'> & { documents: RankedCandidate[] }

/** Reads and ranks the best of what was found in a memory; see `engine/ranking`. */
export async function rankDocuments(
  parts: RankingDeps,
  question: Question,
  { memory, matches }: { memory: MemoryOfTitles; matches: readonly Match[] },
): Promise<Ranking> {
  const places = shortlist(matches.map(toScores), weightOf(parts, question))
  const { candidates, filtered, stale } = await readBest(parts, memory.id, {
    matches: places.flatMap((place) => matches[place] ?? []),
    // Whether a phrase stands in a text is not known before it is read, and goes before all else.
    most: question.phrases.length > 0 ? matches.length : MAX_READ,
  })
  parts.signal?.throwIfAborted()
  const isWhole = candidates.length + filtered.length + stale.length === matches.length
  const stock = isWhole ? undefined : await parts.titleStock(memory)
  await parts.shareLoop()
  const known = new Set(filtered)
  const among = matches.filter((match) => !known.has(match))
  return { documents: rankRead(parts, question, { candidates, among, stock }), stale }
}

/** Ranks what was read of all that was found, `among`; without a stock titles are weighed among the candidates' own. */
export function rankRead(
  parts: Ranker,
  question: Question,
  read: { candidates: readonly Candidate[]; among: readonly Scored[]; stock: TitleStock | undefined },
): RankedCandidate[] {
  const { candidates, among, stock } = read
  const titles = candidates.map(({ document }) => parts.titleTerms(document))
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
    above: withSurroundings({ ...chunk, text: '' }, headingOfRow(document)),
    windows: chunk.windows,
  }))
  const accounts: RankingAccount[] = []
  const ranked = rankCandidates(given, {
    ...question,
    semanticWeight: semanticWeightOf(parts, question),
    rerank: parts.rerank,
    among: among.map(toScores),
    tell: parts.explain ? (account) => void accounts.push(account) : undefined,
  })
  return ranked.flatMap(({ index, score, scores }) => {
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
}

/** Reads matches in their order until so many show, or all are read. */
async function readBest(
  parts: RetrievalDeps,
  memoryId: string,
  { matches, most }: { matches: readonly Match[]; most: number },
): Promise<Reading> {
  const all: Reading = { candidates: [], filtered: [], stale: [] }
  for (let start = 0; start < matches.length && all.candidates.length < most; ) {
    const end = start + Math.max(MIN_READ, most - all.candidates.length)
    const { candidates, filtered, stale } = await readMatches(parts, memoryId, matches.slice(start, end))
    all.candidates.push(...candidates)
    all.filtered.push(...filtered)
    all.stale.push(...stale)
    start = end
  }
  return all
}

type Scored = Pick<Match, 'lexical' | 'vector'>

function toScores({ lexical, vector }: Scored) {
  return { lexical, semantic: vector }
}

function semanticWeightOf({ embedder }: Pick<Ranker, 'embedder'>, { languages }: Question): number {
  return embedder?.fusionWeight(languages[0] ?? DEFAULT_LANGUAGE) ?? 0
}

/** That of the semantic leg in the mode that runs. */
function weightOf(parts: Pick<Ranker, 'embedder'>, question: Question): number {
  if (question.mode === 'hybrid') return semanticWeightOf(parts, question)
  return question.mode === 'semantic' ? 1 : 0
}

/** Places the model reads: the right passage is nearly always among them, and each costs it time. */
const MAX_RERANKED = 50
/** What a search may wait for the model. Ours: an answer within two seconds still feels like one, and hosted models take some 0.3 s for fifty passages. */
const RERANK_TIMEOUT_MS = 1500

/** What a reranking model is asked with. */
type RerankingDeps = { reranker: Reranker; log: Pick<Log, 'warn'>; budgetMs?: number }

/**
 * The first places in the order of a reranking model. The order that was given stands, with a warning, where the model fails or takes longer
 * than its budget. Rejects with the reason of the signal.
 */
export async function rerankDocuments(
  { reranker, log, budgetMs = RERANK_TIMEOUT_MS }: RerankingDeps,
  { query, signal }: Pick<FindRequest, 'query' | 'signal'>,
  ranked: readonly RankedCandidate[],
): Promise<{ documents: readonly RankedCandidate[]; warnings: Warning[] }> {
  const texts = ranked.slice(0, MAX_RERANKED).map(toText)
  // One passage has no order.
  if (texts.length < 2) return { documents: ranked, warnings: [] }
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(budgetMs)
  const until = anySignal(signal, late)
  try {
    const scores = await reranker.rerank({ query, texts, signal: until })
    return { documents: applyReranking(ranked, scores), warnings: [] }
  } catch (error) {
    signal?.throwIfAborted()
    if (!late.aborted && !(error instanceof ApiError)) throw error
    const why = late.aborted ? `did not answer within ${budgetMs / 1000} s` : 'failed'
    log.warn({ ...(late.aborted ? {} : { err: error }), model: reranker.model }, `the reranking model ${why}`)
    const message = `The reranking model ${reranker.model} ${why}; the order is that without it.`
    return { documents: ranked, warnings: [{ code: 'reranker_unavailable', message, param: null }] }
  }
}

function toText({ candidate: { chunk, document } }: RankedCandidate): string {
  return withSurroundings(chunk, getOwnTitle(document))
}
