import type { LabelWord } from '../labels/label-words.ts'
import type { Conventions, FoundValue, ValueType } from '../values/value.ts'

/** A field as it is looked for. */
export type FieldSearch = {
  type: ValueType
  /** Its label, as `matchable` makes it. */
  name: string
  /** The words of its label. */
  asked: readonly LabelWord[]
  /** All their meanings. */
  keys: ReadonlySet<string>
  /** Meanings of what was said of the material. The section's name is the caller's own word and proves nothing. */
  surroundings: ReadonlySet<string>
  /** What the number counts, such as `day`, where the label says so; `null` where it does not. */
  unit: string | null
  conventions: Conventions
}

/** A value read, with how well it fits, 0 to 1. */
export type ReadValue = FoundValue & { fit: number }

/** A value that may be the one asked for, in a passage; `score` is 0 to 1. */
export type Candidate = FoundValue & { score: number }
