/** A figure as answers have it: six places, more say nothing; `null` stays. */
export function roundFigure<Figure extends number | null>(figure: Figure): Figure
export function roundFigure(figure: number | null): number | null {
  return figure === null ? null : Math.round(figure * 1e6) / 1e6
}

/** A figure as sentences have it. */
export function showFigure(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
