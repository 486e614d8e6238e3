import type { LabelWord } from './label-words.ts'
import type { Conventions, FoundValue, Value, ValueType } from './values/value.ts'

/**
 * Input and output of extraction without a model.
 *
 * A field of an extraction schema, with its context.
 */
export type Field = {
  label: string
  key: string
  /** The schema's type hint; `null` for none. */
  dataType: string | null
  sectionName: string
  /** Free text about the material; `null` for none. */
  context: string | null
}

/** A search hit that may contain the value. */
export type Passage = {
  text: string
  section: string | null
  header: string | null
  title: string | null
  /** True for the first passage of a document. */
  isFirst: boolean
  /** True for a correction. Corrections take precedence over documents. */
  isCorrection: boolean
  /** Identifies the document, and the time at which it was added; absent if unknown. */
  document?: string
  createdAt?: string
}

/**
 * The value found for a field. Offsets are UTF-16 code units of the passage text; `rawValue` is
 * exactly that slice.
 */
export type Finding = {
  value: Value
  rawValue: string
  /** 0 to 1; comparable among fields found without a model. */
  confidence: number
  /** True if another passage or line gives a different value with equal confidence. */
  isContested: boolean
  /** Index into the list of passages. */
  passage: number
  start: number
  end: number
}

/** A field, prepared for search. */
export type FieldSearch = {
  type: ValueType
  /** The label, as normalized by `normalizeForMatch`. */
  name: string
  /** Words of the label. */
  asked: readonly LabelWord[]
  /** All keys of the label's words. */
  keys: ReadonlySet<string>
  /**
   * Keys of the material's description. The section name is left out: the caller chose it, so it is
   * no evidence.
   */
  contextKeys: ReadonlySet<string>
  /** The unit that the label names, such as `day`; `null` for none. */
  unit: string | null
  conventions: Conventions
}

/** A possible value in a passage; `score` is 0 to 1, `labels` are those of its row and column. */
export type Candidate = FoundValue & { score: number; labels?: string }
