import { readSpeaker } from './speaker.ts'

/** What tells whether two chunks stand beside each other. */
export type Placed = {
  documentId: string
  chunkIndex: number
  documentSeq: number
  text: string
  titleTerms: readonly string[]
}

/** Larger chunks but turns carry their own context; with them the neighbours' scores did harm (docs/relevance.md). */
const SMALL_CHARACTERS = 300
/** A small chunk takes this much of each neighbour's score: the answer of a talk stands beside the question. */
export const NEIGHBOUR_WEIGHT = 0.2

/**
 * The scores, each with a share of the scores of the chunks before and behind where all are small: neighbours within a
 * document, and documents that arrived one after the other when both are single turns of a conversation or have one title.
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
