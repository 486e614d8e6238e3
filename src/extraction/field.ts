import type { LabelWord } from './label-words.ts'
import type { Conventions, FoundValue, Value, ValueType } from './values/value.ts'

/** What extraction without a model is asked, and what it answers. */
/** A field of an extraction schema with what is known around it. */
export type Field = {
  label: string
  key: string
  /** The hint of the schema; `null` for none. */
  dataType: string | null
  sectionName: string
  /** The free text about the material; `null` for none. */
  context: string | null
}

/** A passage that may hold the value, as search gives it. */
export type Passage = {
  text: string
  section: string | null
  header: string | null
  title: string | null
  /** True where the passage begins its document. */
  isFirst: boolean
  /** True for a statement that was made to put documents right: what it says goes before what they say. */
  isCorrection: boolean
}

/** What was found for a field. Offsets count UTF-16 code units in the passage's text: `rawValue` is exactly that slice. */
export type Finding = {
  value: Value
  rawValue: string
  /** 0 to 1; comparable among fields found without a model. */
  confidence: number
  /** True where another passage or line says something else as clearly. */
  isContested: boolean
  /** Index of the passage in the list that was given. */
  passage: number
  start: number
  end: number
}

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

/** A value that may be the one asked for, in a passage; `score` is 0 to 1. */
export type Candidate = FoundValue & { score: number }
