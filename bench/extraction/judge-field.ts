import type { Value } from '../../src/extraction/values/value.ts'
import type { LabelledField } from './labelled-set.ts'

/** A value that is missing where one is right is `not found`, and not wrong. */
export type FieldOutcome = 'right' | 'wrong' | 'not found'

/** For a field missing in the document, no value is correct. */
export function judgeField({ value, also }: LabelledField, found: Value | null): FieldOutcome {
  if (found === null) return value === null ? 'right' : 'not found'
  if (value === null) return 'wrong'
  return [value, ...also].some((right) => normal(right) === normal(found)) ? 'right' : 'wrong'
}

function normal(value: Value): string {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').replace(/[.,]$/, '') : JSON.stringify(value)
}
