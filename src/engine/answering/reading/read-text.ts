/** Where a unit of the question stands in a sentence. */
export type Match = { unit: number; term: string; start: number; end: number }

/** Some words, with what of the question stands in them. */
export type ReadText = { matches: readonly Match[]; units: ReadonlySet<number> }

/** Some words in which these matches stand. */
export function toReadText(matches: readonly Match[]): ReadText {
  return { matches, units: new Set(matches.map(({ unit }) => unit)) }
}
