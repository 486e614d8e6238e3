import type { LabelWord } from '../labels/label-words.ts'
import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import { createNeighbourhood } from '../reading/neighbourhood.ts'
import type { ReadPassage } from '../reading/read-passage.ts'
import { findValues } from '../values/find-values.ts'
import { createOverlaps } from '../values/overlaps.ts'
import { getUnit, hasUnit } from '../values/units.ts'
import type { FoundValue } from '../values/value.ts'

/** A clause with more is a row of figures, in which words stand near to all of them. */
const MAX_VALUES = 30
/** What is read out of running text is never as sure as what stands behind its label. */
const TRUST = 0.9
/** What the unit behind a number says when the label names it, and when the label asks for things and not for time. */
const FIT = { unit: 1.09, noUnit: 0.6, strayUnit: 0.6, monthOnly: 0.7 } as const
/** What the words before a date say that it is, and how well that fits who asks for another: a contract that begins then is not of that date. */
const KIND_FITS: Readonly<Record<string, number>> = { start: 0.75, next: 0.6, end: 0.6, due: 0.6, birth: 0.6 }
const WORDS_BEFORE = 6
/** Labels of spans of time, in whatever unit. */
const SPANS = ['duration', 'notice', 'period', 'time', 'day_count', 'week', 'month', 'year', 'hour', 'minute', 'birth']

/** The dates, amounts and numbers of running text, by the words around them. */
export function listTypedCandidates(passage: ReadPassage, search: FieldSearch): Candidate[] {
  const { type, asked, conventions } = search
  return passage.clauses.flatMap((clause) => {
    if (clause.isForm) return []
    const text = passage.text.slice(clause.start, clause.end)
    const values = withoutParts(findValues(text, type, conventions), text, search)
    if (values.length > MAX_VALUES) return []
    const places = values.map((value) => ({ value, start: value.start + clause.start, end: value.end + clause.start }))
    const nearness = createNeighbourhood(asked, clause, places)
    return places.map(({ value, ...place }, index): Candidate => {
      const near = nearness(place)
      const from = places[index - 1]?.end ?? 0
      const before = clause.words.filter(({ start, end }) => start >= from && end <= place.start).slice(-WORDS_BEFORE)
      const fit = near === 0 ? 0 : fitOf(value, text.slice(value.end), search) * kindFit(before, search)
      return { ...value, ...place, score: TRUST * near * fit }
    })
  })
}

function kindFit(before: readonly LabelWord[], { type, keys }: FieldSearch): number {
  if (type !== 'date' || Object.keys(KIND_FITS).some((kind) => keys.has(kind))) return 1
  return Math.min(1, ...before.flatMap((word) => word.keys.map((key) => KIND_FITS[key] ?? 1)))
}

function fitOf({ value }: FoundValue, behind: string, { type, unit, keys }: FieldSearch): number {
  // A month in running text is most often one end of a span.
  if (type === 'date') return String(value).length < '2026-01-01'.length ? FIT.monthOnly : 1
  if (type !== 'number' && type !== 'integer') return 1
  const followed = getUnit(behind)
  if (unit !== null) return hasUnit(behind, unit) ? FIT.unit : followed === null ? FIT.noUnit : 0
  return followed === null || SPANS.some((key) => keys.has(key)) ? 1 : FIT.strayUnit
}

/** Numbers that are no part of a date, an amount, an address or a telephone number. */
function withoutParts(values: readonly FoundValue[], text: string, { type, conventions }: FieldSearch): FoundValue[] {
  if (type !== 'number' && type !== 'integer') return [...values]
  const wholes = (['date', 'currency', 'percent', 'email', 'phone', 'url'] as const).flatMap((other) =>
    findValues(text, other, conventions),
  )
  const isPart = createOverlaps(wholes)
  return values.filter((value) => !isPart(value))
}
