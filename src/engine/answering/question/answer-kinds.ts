/** What would answer a question. `other` where its words do not say. */
export type AnswerKind =
  | 'percentage'
  | 'money'
  | 'duration'
  | 'date'
  | 'number'
  | 'hour'
  | 'measure'
  | 'amount'
  | 'identifier'
  | 'version'
  | 'parties'
  | 'person'
  | 'permission'
  | 'place'
  | 'organization'
  | 'reason'
  | 'other'

/** Kinds whose looks tell. */
export const STRONG: ReadonlySet<AnswerKind> = new Set([
  'date',
  'hour',
  'number',
  'measure',
  'amount',
  'percentage',
  'money',
  'duration',
  'parties',
  'identifier',
  'version',
])
/** Kinds whose answers have a sign or a unit: the 5 of `Manual of the Aroma 5` is none. */
export const SIGNED: ReadonlySet<AnswerKind> = new Set(['money', 'percentage', 'measure'])
/** Kinds of which a capital or a word is a sign. */
export const SOFT: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'organization', 'permission'])
