const NAMES =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )
const LETTERS = [...'αβγδεζηθικλμνξοπρστυφχψω']
const NAME_OF: ReadonlyMap<string, string> = new Map(LETTERS.map((letter, place) => [letter, NAMES[place] ?? letter]))
const LETTER_OF: ReadonlyMap<string, string> = new Map(LETTERS.map((letter, place) => [NAMES[place] ?? letter, letter]))
/** `TNFα`, `IL1β`, `αSMA`, `NFκB`: Greek letters in a name of Latin ones. */
const MIXED = /^(?=.*\p{Script=Greek})(?=.*\p{Script=Latin})[\p{Script=Greek}\p{Script=Latin}\p{Nd}-]+$/u
const NUMBERED = /(?<=\p{Script=Latin})(?=\p{Nd})/u
const RUNS = /\p{Script=Greek}|[\p{Script=Latin}\p{Nd}]+/gu

/**
 * A Greek letter by its name, a name by its letter, and a name that has one in its parts (`TNFα`: `TNF`, `α`, `alpha`; `IL1β`: `IL-1β` and `IL-1`, too);
 * lower case, none for most words.
 */
export function greekForms(word: string): string[] {
  const lower = word.toLowerCase()
  const other = NAME_OF.get(lower) ?? LETTER_OF.get(lower)
  if (other !== undefined) return [other]
  if (!MIXED.test(word)) return []
  const parts = lower.match(RUNS) ?? []
  // A letter beside a number says too little alone: every beta came up for IL1β.
  if (NUMBERED.test(lower))
    return [lower, ...parts].flatMap((part) => (NAME_OF.has(part) ? [] : [part, part.replace(NUMBERED, '-')]))
  return parts.flatMap((part) => [part, NAME_OF.get(part) ?? part])
}
