/** Rounds a score in an answer to six decimal places; `null` stays `null`. */
export function roundScore<Figure extends number | null>(figure: Figure): Figure
export function roundScore(figure: number | null): number | null {
  return figure === null ? null : Math.round(figure * 1e6) / 1e6
}

/** Formats a score for a message. */
export function formatScore(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
