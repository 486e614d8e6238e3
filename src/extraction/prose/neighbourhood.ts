import type { LabelWord } from '../label-words.ts'
import { areOpposed } from '../score-label.ts'
import type { Clause } from './clauses.ts'

/** Where a word or a value stands in a passage. */
type Place = { start: number; end: number }

/** Words up to here stand beside the value; then they count less, down to this share in the rest of the clause. */
const NEAR_WORDS = 6
const FAR_SHARE = 0.55
/** A word beyond another value of the same kind most likely speaks of that one. */
const BEYOND_SHARE = 0.45
/** What stands behind a value says less often what it is. */
const BEHIND_SHARE = 0.93
const NEXT_SHARE = 0.75
const TOPIC_SHARE = 0.75

type NeighbourhoodOptions = {
  asked: readonly LabelWord[]
  clause: Pick<Clause, 'words' | 'topic'>
  values: readonly Place[]
  /** The values are numbers, and a word right behind one names what is counted. */
  areCounts?: boolean
}

/**
 * Makes what tells how far the words around one of the values of a clause say that it is what was asked, 0 to 1. A word that means the opposite, nearer
 * to the value than what agrees, makes it 0. `values` are all of their kind in the clause: each claims the words that are nearer to it. A clause may be
 * nothing but values and words that are asked for, so none is compared with all others for each of the values. `areCounts`: the values are numbers, and a word right
 * behind one is what it counts.
 */
export function createNeighbourhood({
  asked,
  clause: { words, topic },
  values,
  areCounts = false,
}: NeighbourhoodOptions): (value: Place) => number {
  const wanted = new Set(asked.flatMap(({ keys }) => keys))
  const agreeing = words.filter(({ keys }) => keys.some((key) => wanted.has(key)))
  const opposed = words.filter(({ keys }) => !keys.some((key) => wanted.has(key)) && isOpposed(keys, wanted))
  const sought = asked.map((word) => ({
    weight: word.weight,
    standing: [...agreeing.keys()].filter((index) => sharesKey(agreeing[index], word)),
    above: topic.some((own) => sharesKey(own, word)) ? TOPIC_SHARE : 0,
  }))
  const weight = sought.reduce((sum, word) => sum + word.weight, 0)
  const nearness = areCounts ? withCounted(createNearness(words, values), values) : createNearness(words, values)

  return (value) => {
    if (weight === 0 || agreeing.length === 0) return 0
    const near = agreeing.map((word) => nearness(word, value))
    const worst = opposed.reduce((most, word) => Math.max(most, nearness(word, value)), 0)
    if (worst > 0 && worst >= Math.max(...near)) return 0
    const covered = sought.reduce((sum, { weight, standing, above }) => {
      return sum + weight * standing.reduce((most, index) => Math.max(most, near[index] ?? 0), above)
    }, 0)
    return covered / weight
  }
}

type Nearness = (word: Place, value: Place) => number

/** `3 rooms and 78 m²`: the rooms are three, and no words for the 78. */
function withCounted(nearness: Nearness, values: readonly Place[]): Nearness {
  const ends = new Set(values.map(({ end }) => end))
  return (word, value) => {
    if (!ends.has(word.start - 1)) return nearness(word, value)
    return value.end === word.start - 1 ? 1 : BEYOND_SHARE * nearness(word, value)
  }
}

/** How near a word of a clause stands to one of its values, from 0 to 1. */
function createNearness(words: readonly Place[], values: readonly Place[]): Nearness {
  const starts = words.map(({ start }) => start).sort((a, b) => a - b)
  const ends = words.map(({ end }) => end).sort((a, b) => a - b)
  const rising = values.toSorted((a, b) => a.start - b.start)
  const valueStarts = rising.map(({ start }) => start)
  /** Where the first ends of those that begin here or later. */
  const firstEnds = rising.map(({ end }) => end)
  for (let index = firstEnds.length - 2; index >= 0; index--)
    firstEnds[index] = Math.min(firstEnds[index] ?? 0, firstEnds[index + 1] ?? 0)
  const lastStart = valueStarts.at(-1) ?? Number.NEGATIVE_INFINITY

  return (word, value) => {
    const isBefore = word.end <= value.start
    const [from, to] = isBefore ? [word.end, value.start] : [value.end, word.start]
    const between = from > to ? 0 : Math.max(0, countUpTo(ends, to) - countUpTo(starts, from - 1))
    const isBeyond = (firstEnds[countUpTo(valueStarts, from - 1)] ?? Number.POSITIVE_INFINITY) <= to
    // Between two values a word stands before the second rather than behind the first.
    const isNext = !isBefore && lastStart >= word.end
    const far = Math.max(0, between - NEAR_WORDS)
    const share = Math.max(FAR_SHARE, 1 - 0.03 * between - 0.04 * far)
    return share * (isBeyond ? BEYOND_SHARE : 1) * (isBefore ? 1 : BEHIND_SHARE) * (isNext ? NEXT_SHARE : 1)
  }
}

/** How many of some rising numbers are no greater than another. */
function countUpTo(rising: readonly number[], most: number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

function isOpposed(keys: readonly string[], wanted: ReadonlySet<string>): boolean {
  return keys.some((key) => [...wanted].some((want) => areOpposed(want, key)))
}

function sharesKey(one: LabelWord | undefined, other: LabelWord): boolean {
  return one?.keys.some((key) => other.keys.includes(key)) === true
}
