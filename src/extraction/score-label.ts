import type { LabelWord } from './label-words.ts'

/** Words that a label need not have because the place it stands in says them, as a title or a section does. */
const SURROUNDING_SHARE = 0.68
/** A word of the title says little that was not clear: `Invoice total` on an invoice. */
const SURROUNDING_EXCESS = 0.4
const WEAK = 0.5
/** Less tell words such as "number", which a row need not have. */
const LEAST_TELLING = 0.4
/** Of the score, what a label that says more than was asked can lose. */
const EXCESS_SHARE = 0.4
/** What makes another field of the same words: "customer" is not "customer number", and the next meeting not this one. */
const QUALIFIERS = ['next', 'number', 'date', 'email', 'phone', 'fax', 'address', 'rate', 'website', 'reference', 'tax']
const QUALIFIER_FACTOR = 0.55
/** What a thing is known by, beside its name, which weighs more. */
const ALIKE = ['number', 'reference']
const MOST_ALIKE_WEIGHT = 0.6
/** What is a date already: "due date" is a phrase for "due", and `Date d'échéance` has "date" and "due". */
const DATES = ['due', 'issue', 'birth', 'start', 'end', 'sign', 'publication']

/** What the words of a field are compared with. */
type LabelToScore = {
  words: readonly LabelWord[]
  /** Words of a column, of an object around it: they may cover, and are not too many. */
  besides: readonly LabelWord[]
  /** Keys of the titles and sections around. */
  surroundings: ReadonlySet<string>
}

/** How far a label of a document is the one asked for, 0 to 1; 0 for one that means the opposite, or names another year. */
export function scoreLabel(asked: readonly LabelWord[], label: LabelToScore): number {
  const words = keysOf(label.words)
  const alike = listAlike(asked, words)
  const own = new Set([...words, ...alike])
  const all = new Set([...own, ...keysOf(label.besides)])
  const wanted = new Set([...keysOf(asked), ...alike])
  if (contradicts(wanted, all) || isOfOtherYear(wanted, all)) return 0
  // A label that names something else is no shorter form of the one asked for.
  const isOwn = label.words.every((word) => word.weight <= WEAK || word.keys.some((key) => wanted.has(key)))
  let matched = 0
  let covered = 0
  let weight = 0
  for (const word of asked) {
    weight += word.weight
    if (word.keys.some((key) => all.has(key))) {
      matched += word.weight
      covered += word.weight
    } else if (isOwn && word.keys.some((key) => label.surroundings.has(key))) covered += SURROUNDING_SHARE * word.weight
  }
  if (matched === 0 || weight === 0) return 0
  const isSurrounding = ({ keys }: LabelWord): boolean => keys.some((key) => label.surroundings.has(key))
  const isDate = DATES.some((key) => wanted.has(key))
  const isSaid = ({ keys }: LabelWord): boolean => keys.some((key) => wanted.has(key) || (isDate && key === 'date'))
  const [excess, length] = label.words.reduce(
    ([over, sum], word) => {
      const share = isSaid(word) ? 0 : isSurrounding(word) ? SURROUNDING_EXCESS : 1
      return [over + share * word.weight, sum + word.weight]
    },
    [0, 0],
  )
  const isOther = QUALIFIERS.some((key) => own.has(key) && !wanted.has(key) && !(isDate && key === 'date'))
  const qualified = isOther ? QUALIFIER_FACTOR : 1
  return (covered / weight) * (1 - (EXCESS_SHARE * excess) / Math.max(length, 1e-9)) * qualified
}

/** What is as good as what is asked for: `Quote ref` is the number of the quote, but `Your reference` is not. */
function listAlike(asked: readonly LabelWord[], own: ReadonlySet<string>): readonly string[] {
  const wanted = keysOf(asked)
  // The date of an invoice is the day of its issue.
  if (own.has('issue') && wanted.has('date') && !DATES.some((key) => wanted.has(key))) return ['issue', 'date']
  const isOfThing = asked.some(({ keys, weight }) => weight > MOST_ALIKE_WEIGHT && keys.some((key) => own.has(key)))
  const isNumbered = asked.some(({ keys }) => keys.some((key) => ALIKE.includes(key)))
  return isOfThing && isNumbered && ALIKE.some((key) => own.has(key)) ? ALIKE : []
}

/**
 * True for the cell of a row that is asked for, as one of its words is, where its column is as well, or the row says all: no weight of the shoe is its price.
 * Order 1002 is no row for order 1001.
 */
export function isAskedCell(asked: readonly LabelWord[], { words, besides }: LabelToScore): boolean {
  const [row, column] = [keysOf(words), keysOf(besides)]
  const isIn = (keys: ReadonlySet<string>) => (word: LabelWord) => word.keys.some((key) => keys.has(key))
  const all = new Set([...row, ...column])
  if ([...row].some(isNumber) && asked.some((word) => word.keys.some(isNumber) && !isIn(all)(word))) return false
  const telling = asked.filter(({ weight }) => weight >= LEAST_TELLING)
  return column.size === 0 || asked.some(isIn(column)) || telling.every(isIn(row))
}

/** The turnover of 2023 is not that of 2024. */
function isOfOtherYear(wanted: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...all].some(isYear) && [...wanted].some((key) => isYear(key) && !all.has(key))
}

function isYear(key: string): boolean {
  return /^(?:19|20)\d\d$/.test(key)
}

function isNumber(key: string): boolean {
  return /^\d+$/.test(key)
}

/** True when one side has a meaning that excludes one of the other's, and neither has both. */
export function contradicts(wanted: ReadonlySet<string>, found: ReadonlySet<string>): boolean {
  for (const asked of wanted) {
    if (found.has(asked)) continue
    for (const other of found) if (!wanted.has(other) && areOpposed(asked, other)) return true
  }
  return false
}

/** All keys of some words. */
export function keysOf(words: readonly LabelWord[]): Set<string> {
  return new Set(words.flatMap(({ keys }) => keys))
}

/** Meanings that exclude each other: a label with one is none with the other, however much else they share. */
const OPPOSITES = [
  'start end',
  'check_in check_out',
  'due issue birth publication',
  'total subtotal net balance prepayment',
  'total tax',
  'subtotal tax',
  'net tax',
  'customer supplier',
  'sender recipient',
  'landlord tenant',
  'employee employer',
  'maximum minimum',
  'surname firstname',
  'phone fax',
  'email phone',
  'birth start',
  'birth end',
  'due start',
  'sign birth',
  'sign due',
  'previous current',
  'first last',
  'deposit rent',
] as const

const OPPOSED: ReadonlySet<string> = new Set(
  OPPOSITES.flatMap((line) => {
    const words = line.split(' ')
    return words.flatMap((a) => words.filter((b) => a !== b).map((b) => `${a} ${b}`))
  }),
)

/** True for two meanings that exclude each other. */
export function areOpposed(one: string, other: string): boolean {
  return OPPOSED.has(`${one} ${other}`)
}
