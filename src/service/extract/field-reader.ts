import type { Field, Finding, Passage } from '../../engine/extraction/field.ts'
import type { Warning } from '../resources.ts'

/** A field with the passages that may hold its value, best first, and its name in the request, such as `sections[0].fields[2]`. */
export type FieldToRead = { field: Field; passages: readonly Passage[]; param: string }

/** What reads the values of fields out of passages: rules, or a language model. */
export type FieldReader = {
  /** As answers name it. */
  readonly model: string
  /**
   * What was found, in the order of the fields; `null` for what was not. Every finding is a place in one of its field's passages. Rejects
   * with `model_failed`, and with the signal's reason.
   */
  read(
    fields: readonly FieldToRead[],
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<{ findings: (Finding | null)[]; warnings: Warning[] }>
}
