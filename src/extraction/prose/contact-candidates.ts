import type { LabelWord } from '../labels/label-words.ts'
import type { Candidate, FieldSearch } from '../reading/field-search.ts'
import { createNeighbourhood } from '../reading/neighbourhood.ts'
import type { ReadPassage } from '../reading/read-passage.ts'
import { findValues } from '../values/find-values.ts'

const TRUST = 0.9
/** Words that the value says itself: an e-mail address needs no "e-mail" beside it. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'website',
  'address',
  'number',
  'contact',
  'kontakt',
  'url',
])
/** Whose address stands on a paper without saying so: that of the one who wrote it. */
const WRITERS: ReadonlySet<string> = new Set(['supplier', 'sender', 'company', 'person', 'general', 'applic', 'candid'])
/** The one address of its kind in all passages is the writer's, or that of whoever is to be asked. */
const ONLY_ONE = 0.68

/** The e-mail addresses, telephone numbers and web addresses of running text. */
export function listContactCandidates(passages: readonly ReadPassage[], search: FieldSearch): Candidate[][] {
  const qualifiers = search.asked.filter(({ keys }) => !keys.some((key) => OWN_WORDS.has(key)))
  const found = passages.map((passage) => listPlaces(passage, search, qualifiers))
  const distinct = new Set(found.flat().map(({ value }) => value))
  const isWriters = qualifiers.every(({ keys }) => keys.some((key) => WRITERS.has(key)))
  const mayStandAlone = distinct.size === 1 && isWriters
  return found.map((candidates) =>
    candidates.map((candidate) => ({
      ...candidate,
      score: mayStandAlone ? Math.max(candidate.score, ONLY_ONE) : candidate.score,
    })),
  )
}

function listPlaces(passage: ReadPassage, search: FieldSearch, qualifiers: readonly LabelWord[]): Candidate[] {
  const { type, conventions, asked } = search
  return passage.clauses.flatMap((clause) => {
    const text = passage.text.slice(clause.start, clause.end)
    const values = findValues(text, type, conventions).map(({ value, start, end }) => {
      return { value, start: start + clause.start, end: end + clause.start }
    })
    const nearness = createNeighbourhood(qualifiers.length > 0 ? qualifiers : asked, clause, values)
    return values.map((value) => {
      const near = nearness(value)
      return { ...value, score: TRUST * (qualifiers.length > 0 ? near : Math.max(near, ONLY_ONE)) }
    })
  })
}
