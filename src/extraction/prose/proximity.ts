import type { LabelWord } from '../label-words.ts'
import type { ReadPassage } from '../read-passage.ts'
import { areOpposites } from '../score-label.ts'
import type { Clause } from './clauses.ts'

/** Range of a word or value in a passage. */
type Place = { start: number; end: number }

/** Number of words that count as adjacent. Farther words lose weight, down to this share. */
const NEAR_WORDS = 6
const MIN_DISTANCE_FACTOR = 0.55
/** A word beyond another value of the same kind most likely describes the other value. */
const BEYOND_FACTOR = 0.45
/** Words after a value describe the value less often than words before. */
const AFTER_FACTOR = 0.93
const NEXT_VALUE_FACTOR = 0.75
const TOPIC_FACTOR = 0.75

/** Words from this weight on distinguish siblings: the children's ticket and the adults'. */
const MIN_CLAIMED_WEIGHT = 0.6

type ProximityOptions = {
  asked: readonly LabelWord[]
  clause: Pick<Clause, 'words' | 'topic'>
  values: readonly Place[]
  /** Values are counts, and a word directly after a count names the counted thing. */
  areCounts?: boolean
  /** Places of commas and of words for "and", in order, which separate the values of a list. */
  borders?: readonly number[]
}

/**
 * Creates a function that scores, 0 to 1, how well the words around a value match the asked words.
 * The score is 0 if an opposite word is nearer than all matching words.
 *
 * `values` are all values of the kind in the clause; each claims the words nearest to it. A clause
 * may be nothing but values and asked words, so pairwise comparison is avoided.
 */
export function createProximityScorer({
  asked,
  clause: { words, topic },
  values,
  areCounts = false,
  borders = [],
}: ProximityOptions): (value: Place) => number {
  const wanted = new Set(asked.flatMap(({ keys }) => keys))
  const agreeing = words.filter(({ keys }) => keys.some((key) => wanted.has(key)))
  const opposed = words.filter(({ keys }) => !keys.some((key) => wanted.has(key)) && isOpposed(keys, wanted))
  const askedWords = asked.map((word) => ({
    weight: word.weight,
    standing: [...agreeing.keys()].filter((index) => sharesKey(agreeing[index], word)),
    above: topic.some((own) => sharesKey(own, word)) ? TOPIC_FACTOR : 0,
  }))
  const weight = askedWords.reduce((sum, word) => sum + word.weight, 0)
  const listed = withBorders(createProximity(words, values), values, borders)
  const nearness = areCounts ? withCountedNouns(listed, values) : listed

  // "£4.8 million in 2025 after £4.1 million in 2024": each year belongs to the nearest value.
  const years = [...agreeing.keys()].filter((index) => isYear(agreeing[index]))
  const hasOtherYear = years.length > 0 && words.some((word) => isYear(word) && !agreeing.includes(word))
  const nearest = (hasOtherYear ? years : []).map((index) => {
    const word = agreeing[index]
    return {
      index,
      most: word === undefined ? 0 : values.reduce((most, one) => Math.max(most, nearness(word, one)), 0),
    }
  })
  const isOfOtherYear = (near: readonly number[]) =>
    nearest.length > 0 && nearest.every(({ index, most }) => (near[index] ?? 0) < most)

  return (value) => {
    if (weight === 0 || agreeing.length === 0) return 0
    const near = agreeing.map((word) => nearness(word, value))
    const isClaimed = ({ weight: own, standing }: (typeof askedWords)[number]) =>
      own >= MIN_CLAIMED_WEIGHT && standing.length > 0 && standing.every((index) => near[index] === 0)
    if (askedWords.some(isClaimed) || isOfOtherYear(near)) return 0
    const worst = opposed.reduce((most, word) => Math.max(most, nearness(word, value)), 0)
    if (worst > 0 && worst >= Math.max(...near)) return 0
    const covered = askedWords.reduce((sum, { weight, standing, above }) => {
      return sum + weight * standing.reduce((most, index) => Math.max(most, near[index] ?? 0), above)
    }, 0)
    return covered / weight
  }
}

type Proximity = (word: Place, value: Place) => number

/** Proximity of a word before the first value of a list to the others: `Entry: adults £5, …`. */
const HEAD_SHARE = 0.8

/**
 * Lists: in `tickets for adults 5 €, for children 3 €` the children are after the border, and in
 * `5 € for adults and 3 € for children` the adults before. Their nearness to the other value is 0.
 */
function withBorders(nearness: Proximity, values: readonly Place[], borders: readonly number[]): Proximity {
  const rising = values.toSorted((a, b) => a.start - b.start)
  const gaps = rising.slice(1).map((next, index) => {
    const from = rising[index]?.end ?? 0
    return { from, to: next.start, at: borders.findLast((at) => at >= from && at < next.start) ?? null }
  })
  if (gaps.every(({ at }) => at === null)) return nearness
  const first = rising[0]?.start ?? 0
  return (word, value) => {
    const gap = gaps.find(({ from, to }) => word.start >= from && word.end <= to)
    const near = nearness(word, value)
    if (gap === undefined || gap.at === null) {
      const isHead = word.end <= first && value.start > first && gaps.every(({ at }) => at !== null)
      return isHead ? near * (HEAD_SHARE / BEYOND_FACTOR) : near
    }
    const isOwn = word.start < gap.at ? value.end <= gap.from : value.start >= gap.to
    return isOwn ? near : 0
  }
}

/** `3 rooms and 78 m²`: the rooms are three, and no words for the 78. */
function withCountedNouns(nearness: Proximity, values: readonly Place[]): Proximity {
  const ends = new Set(values.map(({ end }) => end))
  return (word, value) => {
    if (!ends.has(word.start - 1)) return nearness(word, value)
    return value.end === word.start - 1 ? 1 : BEYOND_FACTOR * nearness(word, value)
  }
}

/** Proximity of a word to a value, 0 to 1. */
function createProximity(words: readonly Place[], values: readonly Place[]): Proximity {
  const starts = words.map(({ start }) => start).sort((a, b) => a - b)
  const ends = words.map(({ end }) => end).sort((a, b) => a - b)
  const rising = values.toSorted((a, b) => a.start - b.start)
  const valueStarts = rising.map(({ start }) => start)
  /** Suffix minimum of the ends. */
  const firstEnds = rising.map(({ end }) => end)
  for (let index = firstEnds.length - 2; index >= 0; index--)
    firstEnds[index] = Math.min(firstEnds[index] ?? 0, firstEnds[index + 1] ?? 0)
  const lastStart = valueStarts.at(-1) ?? Number.NEGATIVE_INFINITY

  return (word, value) => {
    const isBefore = word.end <= value.start
    const [from, to] = isBefore ? [word.end, value.start] : [value.end, word.start]
    const between = from > to ? 0 : Math.max(0, countAtMost(ends, to) - countAtMost(starts, from - 1))
    const isBeyond = (firstEnds[countAtMost(valueStarts, from - 1)] ?? Number.POSITIVE_INFINITY) <= to
    // A word between two values belongs to the second rather than the first.
    const isNext = !isBefore && lastStart >= word.end
    const far = Math.max(0, between - NEAR_WORDS)
    const share = Math.max(MIN_DISTANCE_FACTOR, 1 - 0.03 * between - 0.04 * far)
    return share * (isBeyond ? BEYOND_FACTOR : 1) * (isBefore ? 1 : AFTER_FACTOR) * (isNext ? NEXT_VALUE_FACTOR : 1)
  }
}

/** Number of elements of a sorted list that are at most `most`. */
function countAtMost(rising: readonly number[], most: number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function isOpposed(keys: readonly string[], wanted: ReadonlySet<string>): boolean {
  return keys.some((key) => [...wanted].some((want) => areOpposites(want, key)))
}

function sharesKey(one: LabelWord | undefined, other: LabelWord): boolean {
  return one?.keys.some((key) => other.keys.includes(key)) === true
}

function isYear(word: LabelWord | undefined): boolean {
  return word?.keys.some((key) => /^(?:19|20)\d\d$/.test(key)) === true
}

/** Words from this weight on distinguish siblings: the morning shift and the late shift. */
const MIN_SIBLING_WEIGHT = 0.9
/** Number of different words in a place. A single word may be a synonym. */
const MIN_SIBLINGS = 2

/** The place of a word of the label next to a neighbour. */
type Slot = { word: LabelWord; neighbour: LabelWord; side: -1 | 1 }

/**
 * Returns the passages without the clauses about siblings of the asked thing. `Late shift
 * supervisor` has siblings if the passages name a morning shift and a night shift: then the clause
 * or a heading must say `late`.
 */
export function withoutSiblingClauses(passages: readonly ReadPassage[], asked: readonly LabelWord[]): ReadPassage[] {
  const slots = listSlots(asked)
  const known = new Set(asked.flatMap(({ keys }) => keys))
  const named = slots.map(
    (slot) => new Set(passages.flatMap(({ clauses }) => clauses.flatMap((one) => listNames(one, slot, known)))),
  )
  const open = slots.filter((_, index) => (named[index]?.size ?? 0) >= MIN_SIBLINGS)
  if (open.length === 0) return [...passages]
  return passages.map((passage) => {
    const clauses = passage.clauses.filter((clause) => {
      const isSaid = ({ keys }: LabelWord) =>
        [...clause.words, ...clause.topic].some((word) => word.keys.some((key) => keys.includes(key))) ||
        keys.some((key) => passage.contextKeys.has(key))
      return !open.some((slot) => !isSaid(slot.word) && listNames(clause, slot, known).length > 0)
    })
    return { ...passage, clauses }
  })
}

/** The places of the words that distinguish siblings. */
function listSlots(asked: readonly LabelWord[]): Slot[] {
  return asked.flatMap((word, index): Slot[] => {
    if (word.weight < MIN_SIBLING_WEIGHT) return []
    const [before, after] = [asked[index - 1], asked[index + 1]]
    return [
      ...(before === undefined ? [] : [{ word, neighbour: before, side: 1 as const }]),
      ...(after === undefined ? [] : [{ word, neighbour: after, side: -1 as const }]),
    ]
  })
}

/** Returns the words of a clause in a slot, without the asked word. */
function listNames({ words }: Clause, { neighbour, side }: Slot, known: ReadonlySet<string>): string[] {
  return words.flatMap(({ keys }, index) => {
    const other = words[index + side]
    if (other === undefined || !keys.some((key) => neighbour.keys.includes(key))) return []
    const isTelling = other.weight >= MIN_SIBLING_WEIGHT && !other.keys.some((key) => known.has(key))
    return isTelling ? other.keys.slice(0, 1) : []
  })
}
