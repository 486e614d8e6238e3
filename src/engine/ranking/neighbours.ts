import { normalizeForMatch } from '../analysis/fold.ts'
import { HANGUL, UNSPACED } from '../analysis/scripts.ts'

/** What tells whether two chunks stand beside each other. */
type Placed = {
  documentId: string
  chunkIndex: number
  documentSeq: number
  text: string
  titleTerms: readonly string[]
}

/**
 * Larger chunks but turns carry their own context; with them the neighbours' scores did harm
 * (docs/relevance.md).
 */
const SMALL_CHARACTERS = 300
/**
 * A small chunk takes this much of each neighbour's score: the answer of a talk stands beside the
 * question.
 */
export const NEIGHBOUR_WEIGHT = 0.2

/**
 * The scores, each with a share of the scores of the chunks before and behind where all are small:
 * neighbours within a document, and documents that arrived one after the other when both are single
 * turns of a conversation or have one title.
 */
export function addNeighbours(candidates: readonly Placed[], scores: readonly number[]): number[] {
  const small = new Map<string, number>()
  candidates.forEach((candidate, index) => {
    if (isSmall(candidate)) {
      small.set(`${candidate.documentId}.${candidate.chunkIndex}`, index)
      if (candidate.chunkIndex === 0) small.set(`${candidate.documentSeq}`, index)
    }
  })
  const scoreBeside = (own: Placed, step: 1 | -1): number => {
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

function isSmall({ text }: Placed): boolean {
  return text.length <= SMALL_CHARACTERS || readSpeaker(text) !== null
}

function belongTogether(one: Placed, other: Placed): boolean {
  if (readSpeaker(one.text) !== null && readSpeaker(other.text) !== null) return true
  const title = one.titleTerms.join(' ')
  return title !== '' && title === other.titleTerms.join(' ')
}

/** How a turn of a conversation begins: "Anna: …". */
const TURN = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .'’_-]{0,39}[:：]/u

/**
 * A turn may be long: with a limit of 300, which a twentieth of the turns of a chat exceeds, all of
 * the gain was gone. Passages of a document are longer still.
 */
const MOST_CHARACTERS = 1000

/**
 * Who speaks in a text that is a turn of a conversation, with the mark behind the name; `null` in
 * every other.
 */
function readSpeaker(text: string): string | null {
  return text.length <= MOST_CHARACTERS ? (TURN.exec(text)?.[0] ?? null) : null
}

/** What a query asks for, as `RankingQuery` has it. */
type Asked = { words: readonly string[]; terms: readonly string[] }

/**
 * 1 for each text that is the turn of someone whom the query names, 0 for every other. Names of
 * scripts without spaces, and Korean ones, are looked for by their pairs of characters, which are
 * the terms of the query.
 */
export function scoreSpeakers(texts: readonly string[], query: Asked): number[] {
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
