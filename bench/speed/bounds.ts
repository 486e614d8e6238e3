import { table } from '../report.ts'

/** A figure that was asked for, beside what was seen. */
export type Bound = { what: string; asked: string; seen: string; isKept: boolean }

/** What a measurement gives: its part of the report, and the bounds that it has seen. */
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

/** True when none was missed. */
export function areKept(bounds: readonly Bound[]): boolean {
  return bounds.every(({ isKept }) => isKept)
}

/** All of them as a table. */
export function reportBounds(bounds: readonly Bound[]): string {
  const rows = bounds.map(({ what, asked, seen, isKept }) => [what, asked, seen, isKept ? 'yes' : '**no**'])
  return table('What is asked of it', ['', 'asked', 'seen', 'kept'], rows)
}

function round(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(0)
}
