import type { Warning } from '../api/values.ts'

/** Maximum warnings of one response; ten thousand texts mostly cause the same warnings. */
const MAX_WARNINGS = 50

/** Returns the first warnings, and a last one with the number of the others. */
export function limitWarnings(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings]
  const message = `${warnings.length - MAX_WARNINGS} more warnings are not shown.`
  return [...warnings.slice(0, MAX_WARNINGS), { code: 'warnings_left_out', message, param: null }]
}
