import { normalizeForMatch } from '../analysis/fold.ts'
import { HANGUL, UNSPACED } from '../analysis/unspaced-terms.ts'
import { rankingKernels } from './kernels.ts'

/** Position of a chunk in its document. */
type ChunkPosition = {
  documentId: string
  chunkIndex: number
  documentSeq: number
  text: string
  titleTerms: readonly string[]
}

/**
 * Larger chunks except conversation turns have enough context; neighbour scores lowered their
 * relevance (docs/relevance.md).
 */
const SMALL_CHARACTERS = 300
/**
 * Share of each neighbour's score that a small chunk gets: in a conversation, the answer follows
 * the question.
 */
export const NEIGHBOUR_WEIGHT = 0.2

/**
 * Adds a share of the adjacent chunks' scores to small chunks. Neighbours are adjacent in a
 * document, or are consecutive documents that are single conversation turns or share a title.
 */
export function addNeighbours(candidates: readonly ChunkPosition[], scores: readonly number[]): number[] {
  const small = new Map<string, number>()
  candidates.forEach((candidate, index) => {
    if (isSmall(candidate)) {
      small.set(`${candidate.documentId}.${candidate.chunkIndex}`, index)
      if (candidate.chunkIndex === 0) small.set(`${candidate.documentSeq}`, index)
    }
  })
  const scoreBeside = (own: ChunkPosition, step: 1 | -1): number => {
    const within = small.get(`${own.documentId}.${own.chunkIndex + step}`)
    if (within !== undefined) return scores[within] ?? 0
    const across = own.chunkIndex === 0 ? small.get(`${own.documentSeq + step}`) : undefined
    const other = across === undefined ? undefined : candidates[across]
    return across !== undefined && other !== undefined && belongTogether(own, other) ? (scores[across] ?? 0) : 0
  }
  return candidates.map((candidate, index) => {
    const own = scores[index] ?? 0
    if (!isSmall(candidate)) return own
    return own + NEIGHBOUR_WEIGHT * (scoreBeside(candidate, -1) + scoreBeside(candidate, 1))
  })
}

function isSmall({ text }: ChunkPosition): boolean {
  return text.length <= SMALL_CHARACTERS || readSpeaker(text) !== null
}

function belongTogether(one: ChunkPosition, other: ChunkPosition): boolean {
  if (readSpeaker(one.text) !== null && readSpeaker(other.text) !== null) return true
  const title = one.titleTerms.join(' ')
  return title !== '' && title === other.titleTerms.join(' ')
}

/** Start of a conversation turn: "Anna: …". */
const TURN = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .'’_-]{0,39}[:：]/u

/**
 * A turn may be long. A limit of 300, which a twentieth of chat turns exceeds, lost all of the
 * gain. Passages of documents are longer still.
 */
const MAX_CHARACTERS = 1000

/** Returns the speaker of a conversation turn with the colon; `null` for other texts. */
function readSpeaker(text: string): string | null {
  return text.length <= MAX_CHARACTERS ? (TURN.exec(text)?.[0] ?? null) : null
}

/** Words and terms of a query, as in `RankingQuery`. */
type QueryWords = { words: readonly string[]; terms: readonly string[] }

/**
 * 1 for each conversation turn whose speaker the query names, 0 otherwise. Names in scripts without
 * spaces and in Korean match by bigrams, which are terms of the query.
 */
export function scoreSpeakers(texts: readonly string[], query: QueryWords): number[] {
  const words = new Set(query.words)
  const terms = new Set(query.terms)
  return texts.map((text) => {
    const speaker = readSpeaker(text)
    if (speaker === null) return 0
    const names = normalizeForMatch(speaker).split(' ')
    return names.some((name) => name !== '' && (words.has(name) || hasPairs(name, terms))) ? 1 : 0
  })
}

function hasPairs(name: string, terms: ReadonlySet<string>): boolean {
  if (!UNSPACED.test(name) && !HANGUL.test(name)) return false
  const characters = [...name]
  const pairs = characters.slice(1).map((character, place) => `${characters[place]}${character}`)
  return pairs.length > 0 && pairs.every((pair) => terms.has(pair))
}

/** Embeddings of a chunk, by which chunks are compared. */
type EmbeddedChunk = {
  documentId: string
  /** Embeddings of its windows, packed by `packWindows`. */
  windows: Uint8Array
}

/**
 * Number of top chunks compared with each other, in 0.4 ms. Comparing all chunks lost .6 points of
 * nDCG@10 on papers (docs/relevance.md).
 */
const COMPARED = 40
/** Similarity to a single top chunk may be chance. */
const NEAREST = 4

/**
 * Returns, for each top chunk, the similarity-weighted mean score of its nearest chunks of other
 * documents, because answers to a question share a subject. 0 for all other chunks, and without
 * windows of `dimensions` numbers.
 */
export function similaritySmoothing(
  candidates: readonly EmbeddedChunk[],
  scores: readonly number[],
  dimensions: number,
): number[] {
  const order = [...candidates.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const best = order.slice(0, COMPARED)
  const chunks = best.map((index) => candidates[index]?.windows ?? new Uint8Array())
  const cosineOf = rankingKernels.sumWindows(chunks, dimensions)
  const nearest = best.map(() => createNearest())
  best.forEach((one, row) => {
    for (let column = row + 1; column < best.length; column++) {
      const other = best[column] ?? 0
      if (candidates[one]?.documentId === candidates[other]?.documentId) continue
      const likeness = cosineOf(row, column)
      nearest[row]?.offer(likeness, scores[other] ?? 0)
      nearest[column]?.offer(likeness, scores[one] ?? 0)
    }
  })
  const lent = candidates.map(() => 0)
  best.forEach((index, row) => {
    lent[index] = nearest[row]?.mean() ?? 0
  })
  return lent
}

/** The nearest chunks of a chunk, and the mean of their scores, weighted by likeness. */
function createNearest() {
  const likenesses = new Float64Array(NEAREST)
  const scores = new Float64Array(NEAREST)
  return {
    offer(likeness: number, score: number): void {
      if (likeness <= (likenesses[NEAREST - 1] ?? 0)) return
      let place = NEAREST - 1
      for (; place > 0 && likeness > (likenesses[place - 1] ?? 0); place--) {
        likenesses[place] = likenesses[place - 1] ?? 0
        scores[place] = scores[place - 1] ?? 0
      }
      likenesses[place] = likeness
      scores[place] = Math.max(0, score)
    },
    mean(): number {
      const sum = likenesses.reduce((total, likeness) => total + likeness, 0)
      return sum > 0 ? likenesses.reduce((total, likeness, at) => total + likeness * (scores[at] ?? 0), 0) / sum : 0
    },
  }
}
