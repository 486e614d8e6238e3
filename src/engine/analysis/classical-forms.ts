/** Ends of Greek and Latin words in English, of one and of several. */
const ENDINGS: readonly (readonly [one: string, several: string])[] = [
  ['sis', 'ses'],
  ['um', 'a'],
  ['us', 'i'],
  ['ex', 'ices'],
  ['ix', 'ices'],
  ['ma', 'mata'],
  ['men', 'mina'],
  ['erion', 'eria'],
  ['omenon', 'omena'],
  ['chondrion', 'chondria'],
  ['ganglion', 'ganglia'],
  ['hedron', 'hedra'],
  ['taxon', 'taxa'],
]
/** Shorter words end so by chance. */
const LEAST_LETTERS = 4
const EITHER_WAY = ENDINGS.flatMap(([one, several]) => [
  { from: one, to: several },
  { from: several, to: one },
])

/**
 * A Greek or Latin word of English in its other number, which no stemmer knows: `criteria` of `criterion`, `diagnoses` of `diagnosis`. A form that is no word is
 * in no text, and costs a look into the index.
 */
export function classicalForms(word: string): string[] {
  const lower = word.toLowerCase()
  if (lower.length < LEAST_LETTERS) return []
  return EITHER_WAY.filter(({ from }) => lower.endsWith(from)).map(({ from, to }) => lower.slice(0, -from.length) + to)
}
