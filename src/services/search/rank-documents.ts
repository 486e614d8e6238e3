import type { Warning } from '../../api/values.ts'
import { anySignal } from '../../concurrency/wait.ts'
import { withHeadings } from '../../engine/chunking/chunk.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { breakDownScore, readTopScore, type ScorePart, type TopScore } from '../../engine/ranking/break-down-score.ts'
import { type Ranked, type RankingAccount, rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import { scoreTitles, type TitleStock } from '../../engine/ranking/score-titles.ts'
import { applyReranking, createCopyKeys, shortlist } from '../../engine/ranking/shortlist.ts'
import { ApiError } from '../../errors.ts'
import { HITS } from '../../limits.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Reranker } from '../../models/reranker.ts'
import type { Log } from '../../observability/log.ts'
import { getOwnTitle } from '../documents/document-resource.ts'
import { headingOfRow } from '../ingest/indexing/indexed-facts.ts'
import type { Question } from './question.ts'
import { type Candidate, type Match, type ReadMatches, type RetrievalDeps, readMatches } from './retrieve.ts'
import type { FindRequest } from './search.ts'
import type { TitleStatsCache, TitleStatsKey, TitleTerms } from './title-terms.ts'

/** A candidate with the key of its copies, and the number of copies that are not ranked. */
export type ReadCandidate = Candidate & { copyKey: string; unrankedCopies: number }

/** A candidate with its score. */
export type RankedCandidate = Pick<Ranked, 'score' | 'scores'> & {
  candidate: ReadCandidate
  /** Parts of the score before reranking; present if requested. */
  parts?: ScorePart[]
  /** Top score of the search, the scale of all scores; present if requested. */
  top?: TopScore
}

/**
 * Matches read and ranked, of up to 400: reading costs Lance as much as searching. With 128,
 * nDCG@10 stays within 0.002 on every tested set; with 100, one set lost 0.005. A request may ask
 * for 100.
 */
export const MAX_READ = 128
/** Minimum batch when some matches are hidden; many are while a large document is being added. */
const MIN_READ_BATCH = 32

/** Dependencies and options of the ranking. */
type RankerDeps = {
  titleTerms: TitleTerms
  /** The memory's embedder; `null` when vectors were not compared. */
  embedder: Pick<Embedder, 'fusionWeight' | 'crossLanguageWeight'> | null
  /** False keeps the fused score. */
  rerank: boolean
  /** True: keeps the parts of each score. */
  explain?: boolean | undefined
}

/** Dependencies for reading and ranking documents. */
type RankingDeps = RetrievalDeps &
  RankerDeps & {
    titleStats: TitleStatsCache
    /**
     * Yields to the event loop before a step of several milliseconds
     * (`concurrency/event-loop-yield.ts`).
     */
    yieldToEventLoop: () => Promise<void>
  }

/** Ranked documents, best first, stale matches, and the copies among the read matches. */
type RankedDocuments = Pick<ReadTopMatches, 'stale' | 'copies'> & {
  documents: RankedCandidate[]
  /** True if all matches were read. */
  isWhole: boolean
}

/** The best matches after reading. */
type ReadTopMatches = Omit<ReadMatches, 'candidates'> & {
  candidates: ReadCandidate[]
  /** Number of matches of each retriever that are copies of earlier ones. */
  copies: { lexical: number; vector: number }
}

/** Matches of a memory. `depth`: number of passages needed; more than the best are read then. */
type MatchesToRank = { memory: TitleStatsKey; matches: readonly Match[]; depth?: number }

/**
 * Reads and ranks the best matches of a memory; see `engine/ranking`. For a greater depth, the next
 * matches are ranked apart and follow, so that the order of the first ones stays.
 */
export async function rankDocuments(
  deps: RankingDeps,
  question: Question,
  { memory, matches, depth = 0 }: MatchesToRank,
): Promise<RankedDocuments> {
  const places = shortlist(matches.map(toScores), effectiveSemanticWeight(deps, question))
  let rest = places.flatMap((place) => matches[place] ?? [])
  const all: RankedDocuments = { documents: [], stale: [], copies: { lexical: 0, vector: 0 }, isWhole: true }
  do {
    const block = await rankBlock(deps, question, { memory, matches, rest })
    const lowest = all.documents.at(-1)?.score ?? 1
    for (const one of block.documents) all.documents.push(one.score > lowest ? { ...one, score: lowest } : one)
    all.stale.push(...block.stale)
    all.copies = {
      lexical: all.copies.lexical + block.copies.lexical,
      vector: all.copies.vector + block.copies.vector,
    }
    rest = rest.slice(block.read)
  } while (rest.length > 0 && all.documents.length < depth)
  return { ...all, isWhole: rest.length === 0 }
}

/** Reads and ranks the first of the matches that are left. `read`: number of matches read. */
async function rankBlock(
  deps: RankingDeps,
  question: Question,
  { memory, matches, rest }: MatchesToRank & { rest: readonly Match[] },
): Promise<Omit<RankedDocuments, 'isWhole'> & { read: number }> {
  const { candidates, filtered, stale, copies } = await readTopMatches(deps, {
    matches: rest,
    // A phrase match is only known after reading and outranks everything, so read all matches.
    most: question.phrases.length > 0 ? rest.length : MAX_READ,
  })
  deps.signal?.throwIfAborted()
  const unranked = candidates.reduce((sum, { unrankedCopies }) => sum + unrankedCopies, 0)
  const read = candidates.length + unranked + filtered.length + stale.length
  const stock = read === matches.length ? undefined : await deps.titleStats(memory)
  await deps.yieldToEventLoop()
  const known = new Set(filtered)
  const among = matches.filter((match) => !known.has(match))
  return { documents: rankCandidatesRead(deps, question, { candidates, among, stock }), stale, copies, read }
}

/**
 * Ranks candidates in the score range of all matches (`among`). Without `stock`, title terms are
 * weighted by the candidates' own titles.
 */
export function rankCandidatesRead(
  deps: RankerDeps,
  question: Question,
  read: { candidates: readonly ReadCandidate[]; among: readonly RetrieverScores[]; stock: TitleStock | undefined },
): RankedCandidate[] {
  const { candidates, among, stock } = read
  const titles = candidates.map(({ document }) => deps.titleTerms(document))
  const titleScores = scoreTitles(titles, question.terms, stock)
  const given = candidates.map(({ chunk, document, vector, lexical, isNear }, place) => ({
    semantic: vector,
    documentId: document.id,
    chunkIndex: chunk.chunkIndex,
    documentSeq: document.seq,
    titleTerms: titles[place] ?? [],
    title: titleScores[place] ?? 0,
    // A fuzzy match is ranked by its edit distance, not by term rarity.
    lexical: isNear ? null : lexical,
    isNear,
    text: chunk.text,
    above: withHeadings({ ...chunk, text: '' }, headingOfRow(document)),
    windows: chunk.windows,
  }))
  const accounts: RankingAccount[] = []
  const ranked = rankCandidates(given, {
    ...question,
    semanticWeight: semanticWeightOf(deps, question),
    rerank: deps.rerank,
    among: among.map(toScores),
    tell: deps.explain ? (account) => void accounts.push(account) : undefined,
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

/** So many copies are ranked beside their originals: a request may ask for each copy. */
const MAX_RANKED_COPIES = HITS.max

/**
 * Reads matches in order until `most` different texts are visible. Keeps the first copies and
 * counts the others.
 */
async function readTopMatches(
  deps: RetrievalDeps,
  { matches, most }: { matches: readonly Match[]; most: number },
): Promise<ReadTopMatches> {
  const all: ReadTopMatches = { candidates: [], filtered: [], stale: [], copies: { lexical: 0, vector: 0 } }
  const firsts = new Map<string, ReadCandidate>()
  const copyKeyOf = createCopyKeys()
  const keep = ({ lexical, vector, isNear, chunk, document }: Candidate) => {
    const copyKey = copyKeyOf(chunk)
    const read = { lexical, vector, isNear, chunk, document, copyKey, unrankedCopies: 0 }
    const first = firsts.get(copyKey)
    if (first === undefined) firsts.set(copyKey, read)
    else {
      if (read.lexical !== null) all.copies.lexical += 1
      if (read.vector !== null) all.copies.vector += 1
    }
    const isRanked = first === undefined || all.candidates.length - firsts.size < MAX_RANKED_COPIES
    if (isRanked) all.candidates.push(read)
    else first.unrankedCopies += 1
  }
  for (let start = 0; start < matches.length && firsts.size < most; ) {
    const missing = most - firsts.size
    // Doubles what is read as long as nearly all are copies.
    const end = start + Math.max(MIN_READ_BATCH, 2 * missing > most ? start + missing : missing)
    const { candidates, filtered, stale } = await readMatches(deps, matches.slice(start, end))
    candidates.forEach(keep)
    all.filtered.push(...filtered)
    all.stale.push(...stale)
    start = end
  }
  return all
}

type RetrieverScores = Pick<Match, 'lexical' | 'vector'>

function toScores({ lexical, vector }: RetrieverScores) {
  return { lexical, semantic: vector }
}

function semanticWeightOf(
  { embedder }: Pick<RankerDeps, 'embedder'>,
  { languages, isForeign }: Pick<Question, 'languages' | 'isForeign'>,
): number {
  const weight = embedder?.fusionWeight(languages[0] ?? DEFAULT_LANGUAGE) ?? 0
  return isForeign ? (embedder?.crossLanguageWeight ?? weight) : weight
}

/** Weight of the semantic retriever in the current mode. */
function effectiveSemanticWeight(deps: Pick<RankerDeps, 'embedder'>, question: Question): number {
  if (question.mode === 'hybrid') return semanticWeightOf(deps, question)
  return question.mode === 'semantic' ? 1 : 0
}

/** Passages sent to the model: the right one is nearly always among them, and each adds latency. */
const MAX_RERANKED = 50
/**
 * Maximum wait for the model. Our choice: answers within two seconds feel immediate, and hosted
 * models take about 0.3 s for fifty passages.
 */
const RERANK_TIMEOUT_MS = 1500

/** Dependencies of {@link rerankDocuments}. */
type RerankDeps = { reranker: Reranker; log: Pick<Log, 'warn'>; timeoutMs?: number }

/**
 * Reorders the first documents by a reranking model. Keeps the given order and adds a warning when
 * the model fails or times out. Rejects with the reason of the signal.
 */
export async function rerankDocuments(
  { reranker, log, timeoutMs = RERANK_TIMEOUT_MS }: RerankDeps,
  { query, signal }: Pick<FindRequest, 'query' | 'signal'>,
  ranked: readonly RankedCandidate[],
): Promise<{ documents: readonly RankedCandidate[]; warnings: Warning[] }> {
  const texts = ranked.slice(0, MAX_RERANKED).map(toRerankText)
  // A single passage needs no reranking.
  if (texts.length < 2) return { documents: ranked, warnings: [] }
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(timeoutMs)
  const until = anySignal(signal, late)
  try {
    const scores = await reranker.rerank({ query, texts, signal: until })
    return { documents: applyReranking(ranked, scores), warnings: [] }
  } catch (error) {
    signal?.throwIfAborted()
    if (!late.aborted && !(error instanceof ApiError)) throw error
    const why = late.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'failed'
    log.warn({ ...(late.aborted ? {} : { err: error }), model: reranker.model }, `the reranking model ${why}`)
    const message = `The reranking model ${reranker.model} ${why}; the results are not reranked.`
    return { documents: ranked, warnings: [{ code: 'reranker_unavailable', message, param: null }] }
  }
}

function toRerankText({ candidate: { chunk, document } }: RankedCandidate): string {
  return withHeadings(chunk, getOwnTitle(document))
}
