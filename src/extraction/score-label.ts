import type { LabelWord } from './label-words.ts'

/** Weight of a word found in the title or section instead of the label. */
const SURROUNDING_SHARE = 0.68
/** Penalty of a label word repeated from the title: `Invoice total` on an invoice. */
const SURROUNDING_EXCESS = 0.4
const MAX_WEAK_WEIGHT = 0.5
/** Words with less weight, such as "number", may be missing from a row. */
const MIN_SPECIFIC_WEIGHT = 0.4
/** Maximum share of the score lost to extra words. */
const EXCESS_SHARE = 0.4
/**
 * Words that change the field: "customer" is not "customer number", "meeting" is not "next
 * meeting".
 */
const QUALIFIERS = [
  'next',
  'number',
  'date',
  'email',
  'phone',
  'fax',
  'address',
  'rate',
  'website',
  'reference',
  'tax',
  'deputy',
]
const QUALIFIER_FACTOR = 0.55
/** Interchangeable words for identifiers. The name of the thing weighs more. */
const IDENTIFIER_KEYS = ['number', 'reference']
const MAX_GENERIC_WEIGHT = 0.6
/**
 * Keys that imply a date: "due date" is a phrase for "due", and `Date d'échéance` has "date" and
 * "due".
 */
const DATE_KEYS = ['due', 'issue', 'birth', 'start', 'end', 'sign', 'publication']

/** A document's label, prepared for scoring. */
type LabelToScore = {
  words: readonly LabelWord[]
  /** Words of the column and enclosing objects. Extra words here cost nothing. */
  contextWords: readonly LabelWord[]
  /** Keys of the titles and sections around. */
  contextKeys: ReadonlySet<string>
}

/**
 * Scores how well a label matches the asked words, 0 to 1; 0 for an opposite meaning or another
 * year.
 */
export function scoreLabel(asked: readonly LabelWord[], label: LabelToScore): number {
  const words = collectKeys(label.words)
  const alike = listEquivalentKeys(asked, words)
  const own = new Set([...words, ...alike])
  const all = new Set([...own, ...collectKeys(label.contextWords)])
  const wanted = new Set([...collectKeys(asked), ...alike])
  if (contradicts(wanted, all) || isDifferentYear(wanted, all) || isOtherNumber(wanted, all, label.contextWords))
    return 0
  // A label with an unrelated word is not an abbreviation of the asked label.
  const isOwn = label.words.every((word) => word.weight <= MAX_WEAK_WEIGHT || word.keys.some((key) => wanted.has(key)))
  if (isSibling(asked, label, { wanted, all })) return 0
  let matched = 0
  let covered = 0
  let weight = 0
  for (const [index, word] of asked.entries()) {
    if (isNameOfColumn(asked, index, label)) continue
    weight += word.weight
    if (word.keys.some((key) => all.has(key))) {
      matched += word.weight
      covered += word.weight
    } else if (isOwn && word.keys.some((key) => label.contextKeys.has(key))) covered += SURROUNDING_SHARE * word.weight
  }
  if (matched === 0 || weight === 0) return 0
  const isSurrounding = ({ keys }: LabelWord): boolean => keys.some((key) => label.contextKeys.has(key))
  const isDate = DATE_KEYS.some((key) => wanted.has(key))
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

/** Words from this weight on distinguish siblings: `input` and `output`, `adult` and `child`. */
const MIN_SIBLING_WEIGHT = 0.9

/**
 * True if the label has another word in the place of an asked word: `Input voltage` is no
 * `Output voltage`. The surroundings may say the asked word, or explain the other one.
 */
function isSibling(
  asked: readonly LabelWord[],
  label: LabelToScore,
  { wanted, all }: { wanted: ReadonlySet<string>; all: ReadonlySet<string> },
): boolean {
  const { words, contextKeys } = label
  const isTelling = ({ weight }: LabelWord) => weight >= MIN_SIBLING_WEIGHT
  const isMissing = ({ keys }: LabelWord) => !keys.some((key) => all.has(key) || contextKeys.has(key))
  const isOther = ({ keys }: LabelWord) => !keys.some((key) => wanted.has(key) || contextKeys.has(key))
  const isUnsaid = (word: LabelWord, index: number) =>
    isTelling(word) && isMissing(word) && !isNameOfColumn(asked, index, label)
  return asked.some(isUnsaid) && words.some((word) => isTelling(word) && isOther(word))
}

/**
 * True for the common name of the columns beside the name of a column: the plan of `Team plan`. The
 * table need not repeat it.
 */
function isNameOfColumn(asked: readonly LabelWord[], index: number, { words, contextWords }: LabelToScore): boolean {
  const isSaid = (word: LabelWord | undefined, by: readonly LabelWord[]): boolean =>
    word?.keys.some((key) => by.some(({ keys }) => keys.includes(key))) === true
  if (contextWords.length === 0 || isSaid(asked[index], [...words, ...contextWords])) return false
  if (!contextWords.every((word) => isSaid(word, asked))) return false
  return isSaid(asked[index - 1], contextWords) || isSaid(asked[index + 1], contextWords)
}

/**
 * Returns interchangeable keys: `Quote ref` is the number of the quote, but `Your reference` is
 * not.
 */
function listEquivalentKeys(asked: readonly LabelWord[], own: ReadonlySet<string>): readonly string[] {
  const wanted = collectKeys(asked)
  // The date of an invoice is its issue date.
  if (own.has('issue') && wanted.has('date') && !DATE_KEYS.some((key) => wanted.has(key))) return ['issue', 'date']
  const isOfThing = asked.some(({ keys, weight }) => weight > MAX_GENERIC_WEIGHT && keys.some((key) => own.has(key)))
  const isNumbered = asked.some(({ keys }) => keys.some((key) => IDENTIFIER_KEYS.includes(key)))
  return isOfThing && isNumbered && IDENTIFIER_KEYS.some((key) => own.has(key)) ? IDENTIFIER_KEYS : []
}

/**
 * True if a table cell is asked for: a word matches the row, and a word matches the column unless
 * the row matches all. The shoe's weight is not the shoe's price; order 1002 does not match order
 * 1001.
 */
export function matchesAskedCell(
  asked: readonly LabelWord[],
  { words, contextWords, contextKeys }: LabelToScore,
): boolean {
  const [row, column] = [collectKeys(words), collectKeys(contextWords)]
  const isIn = (keys: ReadonlySet<string>) => (word: LabelWord) => word.keys.some((key) => keys.has(key))
  const all = new Set([...row, ...column])
  const isUnsaid = (word: LabelWord) => word.keys.some(isNumber) && !isIn(all)(word) && !isIn(contextKeys)(word)
  if (asked.some(isUnsaid)) return false
  const telling = asked.filter(({ weight }) => weight >= MIN_SPECIFIC_WEIGHT)
  return column.size === 0 || asked.some(isIn(column)) || telling.every(isIn(row))
}

/** Revenue of 2023 does not match 2024. */
function isDifferentYear(wanted: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...all].some(isYear) && [...wanted].some((key) => isYear(key) && !all.has(key))
}

/** The column `Model 24` does not match `Model 32`. */
function isOtherNumber(
  wanted: ReadonlySet<string>,
  all: ReadonlySet<string>,
  contextWords: readonly LabelWord[],
): boolean {
  return [...collectKeys(contextWords)].some(isNumber) && [...wanted].some((key) => isNumber(key) && !all.has(key))
}

function isYear(key: string): boolean {
  return /^(?:19|20)\d\d$/.test(key)
}

function isNumber(key: string): boolean {
  return /^\d+$/.test(key)
}

/** True if a meaning on either side excludes a meaning on the other, and neither side has both. */
export function contradicts(wanted: ReadonlySet<string>, found: ReadonlySet<string>): boolean {
  for (const asked of wanted) {
    if (found.has(asked)) continue
    for (const other of found) if (!wanted.has(other) && areOpposites(asked, other)) return true
  }
  return false
}

/** All keys of some words. */
export function collectKeys(words: readonly LabelWord[]): Set<string> {
  return new Set(words.flatMap(({ keys }) => keys))
}

/** Mutually exclusive meanings. Labels with opposite meanings never match, however similar. */
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

const OPPOSITE_PAIRS: ReadonlySet<string> = new Set(
  OPPOSITES.flatMap((line) => {
    const words = line.split(' ')
    return words.flatMap((a) => words.filter((b) => a !== b).map((b) => `${a} ${b}`))
  }),
)

/** True for two mutually exclusive meanings. */
export function areOpposites(one: string, other: string): boolean {
  return OPPOSITE_PAIRS.has(`${one} ${other}`)
}
