import { InvalidArgumentError } from 'commander'

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * The end of a key's life as ISO 8601 UTC: from a span (`12h`, `90d`, `6w`), a date (its first moment in UTC) or a time
 * with its zone. Throws what commander shows as wrong usage for anything else, and for a time that has passed.
 */
export function parseExpiry(text: string, now: Date): string {
  const at = spanEnd(text, now) ?? (DATE.test(text) ? new Date(text) : null)
  if (at === null || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Give a span (12h, 90d, 6w), a date (2027-01-31) or a time (2027-01-31T12:00:00Z).')
  if (at <= now) throw new InvalidArgumentError('That time has passed already.')
  return at.toISOString()
}

function spanEnd(text: string, now: Date): Date | null {
  const match = /^([1-9]\d{0,5})([hdw])$/.exec(text)
  const unitMs = UNIT_MS[match?.[2] ?? '']
  return match === null || unitMs === undefined ? null : new Date(now.getTime() + Number(match[1]) * unitMs)
}
