import type { LabelWord } from '../label-words.ts'
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

type ProximityOptions = {
  asked: readonly LabelWord[]
  clause: Pick<Clause, 'words' | 'topic'>
  values: readonly Place[]
  /** Values are counts, and a word directly after a count names the counted thing. */
  areCounts?: boolean
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
  const nearness = areCounts ? withCountedNouns(createProximity(words, values), values) : createProximity(words, values)

  return (value) => {
    if (weight === 0 || agreeing.length === 0) return 0
    const near = agreeing.map((word) => nearness(word, value))
    const worst = opposed.reduce((most, word) => Math.max(most, nearness(word, value)), 0)
    if (worst > 0 && worst >= Math.max(...near)) return 0
    const covered = askedWords.reduce((sum, { weight, standing, above }) => {
      return sum + weight * standing.reduce((most, index) => Math.max(most, near[index] ?? 0), above)
    }, 0)
    return covered / weight
  }
}

type Proximity = (word: Place, value: Place) => number

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
