import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { breakDownScore, type ScorePart } from '../../engine/ranking/break-down-score.ts'
import { type Ranked, type RankingAccount, rankCandidates } from '../../engine/ranking/rank-candidates.ts'
import { scoreTitles } from '../../engine/ranking/score-titles.ts'
import { shortlist } from '../../engine/ranking/shortlist.ts'
import type { Embedder } from '../../providers/embedder.ts'
import type { LiveDocument } from '../../store/search.ts'
import type { Question } from './question.ts'
import { type Candidate, type Match, type RetrievalParts, readMatches } from './retrieve.ts'

/** A candidate in its place. */
export type RankedCandidate = Pick<Ranked, 'score' | 'scores'> & {
  candidate: Candidate
  /** What the score is made of, before a model reads it again; where that was asked for. */
  parts?: ScorePart[]
}

/**
 * Matches that are read and ranked, of 400: reading costs Lance more than finding. With 128 nDCG@10 stayed within 0.002 on every set tried, with 100 one
 * lost 0.005. A request may ask for 100.
 */
const MOST_READ = 128

/** `embedder` is `null` where nothing was compared by meaning; `rerank` false leaves the fused score as it is. */
export type RankingParts = Pick<RetrievalParts, 'memoryFile'> & {
  titleTerms: TitleTerms
  embedder: Embedder | null
  rerank: boolean
  /** True: says what each score is made of. */
  explain?: boolean | undefined
}

/** Reads and ranks the best of what was found in a memory; see `engine/ranking`. */
export async function rankDocuments(
  parts: RankingParts,
  question: Question,
  { memoryId, matches }: { memoryId: string; matches: readonly Match[] },
): Promise<RankedCandidate[]> {
  const { embedder, rerank, titleTerms } = parts
  const among = judge(matches, question, titleTerms)
  const semanticWeight = embedder?.fusionWeight(question.languages[0] ?? 'en') ?? 0
  // Whether a phrase stands in a text is not known before it is read, and goes before all else.
  const most = question.phrases.length > 0 ? matches.length : MOST_READ
  const places = shortlist(among, { semanticWeight: weightIn(question.mode, semanticWeight), most })
  const best = places.flatMap((place) => among[place] ?? [])
  const candidates = await readMatches(parts, memoryId, best)
  const given = candidates.map((candidate) => ({
    documentId: candidate.document.id,
    chunkIndex: candidate.chunk.chunkIndex,
    documentSeq: candidate.document.seq,
    titleTerms: candidate.titleTerms,
    title: candidate.title,
    semantic: candidate.semantic,
    // Ranked by how near the word is, not by how rare.
    lexical: candidate.isNear ? null : candidate.lexical,
    isNear: candidate.isNear,
    text: candidate.chunk.text,
    windows: candidate.chunk.windows,
  }))
  const accounts: RankingAccount[] = []
  const ranked = rankCandidates(given, {
    ...question,
    semanticWeight,
    rerank,
    among: candidates.length < matches.length ? among : undefined,
    tell: parts.explain ? (account) => void accounts.push(account) : undefined,
  })
  return ranked.flatMap(({ index, score, scores }) => {
    const candidate = candidates[index]
    if (candidate === undefined) return []
    const [account] = accounts
    return [{ candidate, score, scores, ...(account && { parts: breakDownScore(account, index) }) }]
  })
}

/** What is known of the matches before they are read. */
function judge(matches: readonly Match[], { terms }: Question, titleTerms: TitleTerms) {
  const titles = matches.map(({ document }) => titleTerms(document))
  const scores = scoreTitles(titles, terms)
  return matches.map((match, place) => ({
    ...match,
    semantic: match.vector,
    titleTerms: titles[place] ?? [],
    title: scores[place] ?? 0,
  }))
}

function weightIn(mode: Question['mode'], semanticWeight: number): number {
  if (mode === 'hybrid') return semanticWeight
  return mode === 'semantic' ? 1 : 0
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
