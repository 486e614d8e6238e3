import type { Warning } from '../../api/values.ts'
import type { Field, Finding, Passage } from '../../extraction/field.ts'

/** A field with the passages that may hold its value, best first, and its name in the request, such as `sections[0].fields[2]`. */
export type FieldToRead = { field: Field; passages: readonly Passage[]; param: string }

/** What reads the values of fields out of passages: rules, or a language model. */
export type FieldReader = {
  /** Every finding is a place in one of its field's passages. Rejects with the signal's reason. */
  read(fields: readonly FieldToRead[], languages: readonly string[], signal: AbortSignal): Promise<FieldReadings>
}

/** What was read of fields. */
export type FieldReadings = {
  /** What read them, as answers name it: the model where it read any. */
  model: string
  /** In the order of the fields; `null` for what was not found. */
  findings: (Finding | null)[]
  warnings: Warning[]
}
