/** A piece of a document, by offsets. */
export type Passage = { document: string; start: number; end: number }

/** The value of a ranking for a question with one answer position. */
export type PassageJudgement = {
  /** The answer is whole in the first hits, by how many. */
  withinHits: Readonly<Record<number, boolean>>
  /**
   * True where the first characters of all hits together contain the whole answer, by number of
   * characters.
   */
  withinCharacters: Readonly<Record<number, boolean>>
}

/** Numbers of hits and of characters: two screens, and the context of a small model. */
export const HITS = [1, 3, 5] as const
export const CHARACTERS = [2400, 5000] as const

/** Judges a ranking; an answer split over two hits counts when both are present. */
export function judgePassages(ranking: readonly Passage[], answer: Passage): PassageJudgement {
  const within = (passages: readonly Passage[]) => covers(passages, answer)
  return {
    withinHits: Object.fromEntries(HITS.map((count) => [count, within(ranking.slice(0, count))])),
    withinCharacters: Object.fromEntries(CHARACTERS.map((count) => [count, within(firstCharacters(ranking, count))])),
  }
}

function firstCharacters(ranking: readonly Passage[], characters: number): Passage[] {
  let left = characters
  return ranking.flatMap((passage) => {
    const taken = Math.min(left, passage.end - passage.start)
    left -= taken
    return taken > 0 ? [{ ...passage, end: passage.start + taken }] : []
  })
}

function covers(passages: readonly Passage[], answer: Passage): boolean {
  const own = passages.filter(({ document }) => document === answer.document).sort((a, b) => a.start - b.start)
  let covered = answer.start
  // A gap of white space between neighbours is no gap.
  for (const { start, end } of own) if (start <= covered + 2) covered = Math.max(covered, end)
  return covered >= answer.end
}
