import type { LabelWord, WordReader } from '../labels/label-words.ts'
import { areOpposed } from '../labels/synonyms.ts'
import { TIGHT_COLON } from '../layout/split-cells.ts'

/** A part of a text that speaks of one thing: a sentence, a clause between semicolons, a line of a list. */
export type Clause = {
  start: number
  end: number
  words: readonly LabelWord[]
  /** The heading or the catchword above it: `4. DEPOSIT. On signing …`. */
  topic: readonly LabelWord[]
  /** True for a line of a form or a table, whose values its layout names. */
  isForm: boolean
}

/** Not behind the abbreviations that stand in the middle of sentences. */
const BORDER =
  /(?<!\b(?:no|nr|approx|ca|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|tel|art|vs|z\.b|e\.g|i\.e|bzw|str|\d|[A-Z]))[.!?]["”)]?\s+(?=["“(]?[\p{Lu}\d])|[;]\s|\n\s*\n|\n(?=\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-z]\))\s)/giu
const MAX_TOPIC_CHARACTERS = 50

/** A line of a form or a table stands for itself: a label with a colon, or cells with gaps between them. */
const FORM_LINE = new RegExp(
  String.raw`^[^\S\n]*(?:[^\n:：]{1,60}(?:${TIGHT_COLON}|:(?=\s|$))[^\n]*|[^\n]*(?:\S(?: {3,}|\t+)\S|\|)[^\n]*)(?:\n|$)`,
  'gmu',
)

/** The clauses of a text in order. */
export function splitClauses(text: string, words: WordReader): Clause[] {
  const clauses: Clause[] = []
  let topic: readonly LabelWord[] = []

  function add(start: number, end: number, isForm: boolean): void {
    const first = text.slice(start, end).trim().split('\n')[0] ?? ''
    if (first === '') return
    const found = words.read(text.slice(start, end))
    if (isTopic(first)) topic = words.read(first)
    const placed = found.map((word) => ({ ...word, start: word.start + start, end: word.end + start }))
    clauses.push({ start, end, words: placed, topic, isForm })
  }

  let from = 0
  for (const form of [...text.matchAll(FORM_LINE), null]) {
    const until = form?.index ?? text.length
    let start = from
    for (const border of [...text.slice(from, until).matchAll(BORDER), null]) {
      const end = border === null ? until : from + border.index + border[0].length
      add(start, end, false)
      start = end
    }
    if (form !== null) add(until, until + form[0].length, true)
    from = until + (form?.[0].length ?? 0)
  }
  return clauses
}

function isTopic(line: string): boolean {
  return (
    line.length <= MAX_TOPIC_CHARACTERS &&
    /^\W*(?:\d+(?:\.\d+)*[.)]?\s+|#+\s+|§\s*\d+\s+|Art\p{L}*\s+\d+\W+)?\p{Lu}[^.,:;\d]*\.?$/u.test(line)
  )
}

/** A value in a clause, and the values of its kind beside it, which claim the words nearer to them. */
export type ValuePlace = { start: number; end: number; others: readonly { start: number; end: number }[] }

/** Words up to here stand beside the value; then they count less, down to this share in the rest of the clause. */
const NEAR_WORDS = 6
const FAR_SHARE = 0.55
/** A word beyond another value of the same kind most likely speaks of that one. */
const BEYOND_SHARE = 0.45
/** What stands behind a value says less often what it is. */
const BEHIND_SHARE = 0.93
const NEXT_SHARE = 0.75
const TOPIC_SHARE = 0.75

/**
 * How far the words around a value say that it is what was asked, 0 to 1. A word that means the opposite, nearer to the value than
 * what agrees, makes it 0.
 */
export function scoreNeighbourhood(asked: readonly LabelWord[], clause: Clause, place: ValuePlace): number {
  let covered = 0
  let weight = 0
  let isNamed = false
  for (const word of asked) {
    const inClause = Math.max(
      0,
      ...clause.words.map((own) => (sharesKey(own, word) ? nearness(own, clause, place) : 0)),
    )
    const above = clause.topic.some((own) => sharesKey(own, word)) ? TOPIC_SHARE : 0
    isNamed ||= inClause > 0
    weight += word.weight
    covered += word.weight * Math.max(inClause, above)
  }
  if (weight === 0 || !isNamed || isContradicted(asked, clause, place)) return 0
  return covered / weight
}

function nearness(word: LabelWord, clause: Clause, place: ValuePlace): number {
  const isBefore = word.end <= place.start
  const [from, to] = isBefore ? [word.end, place.start] : [place.end, word.start]
  const between = clause.words.filter((other) => other.start >= from && other.end <= to).length
  const isBeyond = place.others.some((other) => other.start >= from && other.end <= to)
  // Between two values a word stands before the second rather than behind the first.
  const isNext = !isBefore && place.others.some((other) => other.start >= word.end)
  const far = Math.max(0, between - NEAR_WORDS)
  const share = Math.max(FAR_SHARE, 1 - 0.03 * between - 0.04 * far)
  return share * (isBeyond ? BEYOND_SHARE : 1) * (isBefore ? 1 : BEHIND_SHARE) * (isNext ? NEXT_SHARE : 1)
}

function isContradicted(asked: readonly LabelWord[], clause: Clause, place: ValuePlace): boolean {
  const wanted = asked.flatMap(({ keys }) => keys)
  let best = 0
  let worst = 0
  for (const word of clause.words) {
    const near = nearness(word, clause, place)
    if (word.keys.some((key) => wanted.includes(key))) best = Math.max(best, near)
    else if (word.keys.some((key) => wanted.some((want) => areOpposed(want, key)))) worst = Math.max(worst, near)
  }
  return worst >= best && worst > 0
}

function sharesKey(one: LabelWord, other: LabelWord): boolean {
  return one.keys.some((key) => other.keys.includes(key))
}
