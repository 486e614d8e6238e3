import type { Warning } from '../api/values.ts'

/** Warnings of one answer; those of ten thousand texts mostly say the same. */
const MAX_WARNINGS = 50

/** The first warnings, and how many more there are. */
export function limitWarnings(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings]
  const message = `Further warnings of this request that are not shown: ${warnings.length - MAX_WARNINGS}.`
  return [...warnings.slice(0, MAX_WARNINGS), { code: 'warnings_left_out', message, param: null }]
}
