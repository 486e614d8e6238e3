import { table } from '../report.ts'

/** A required figure beside the measured one. */
export type Bound = { what: string; asked: string; seen: string; isKept: boolean }

/** The result of a measurement: its part of the report, and its figures with requirements. */
export type Measured = { report: string; bounds: readonly Bound[] }

type Figure = { seen: number; limit: number; unit: string }

/** A figure that must not exceed its limit. */
export function atMost(what: string, { seen, limit, unit }: Figure): Bound {
  return { what, asked: `≤ ${limit}${unit}`, seen: `${round(seen)}${unit}`, isKept: seen <= limit }
}

/** A figure that must reach its limit. */
export function atLeast(what: string, { seen, limit, unit }: Figure): Bound {
  return { what, asked: `≥ ${limit}${unit}`, seen: `${round(seen)}${unit}`, isKept: seen >= limit }
}

/** True when every requirement is met. */
export function areKept(bounds: readonly Bound[]): boolean {
  return bounds.every(({ isKept }) => isKept)
}

/** All requirements as a table. */
export function reportBounds(bounds: readonly Bound[]): string {
  const rows = bounds.map(({ what, asked, seen, isKept }) => [what, asked, seen, isKept ? 'yes' : '**no**'])
  return table('What is asked of it', ['', 'asked', 'seen', 'kept'], rows)
}

function round(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}
