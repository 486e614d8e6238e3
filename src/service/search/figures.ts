/** A figure as answers have it: six places, more say nothing. */
export function roundFigure(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/** A figure as sentences have it. */
export function showFigure(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
