import type { LabelWord, WordReader } from '../labels/label-words.ts'
import { SENTENCE_END, TIGHT_COLON } from '../layout/split-cells.ts'

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
  /(?<!(?<![\p{L}\p{N}])(?:no|nr|approx|ca|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|tel|art|vs|z\.b|e\.g|i\.e|bzw|str|\d|[A-Z]))[.!?]["”)]?\s+(?=["“(]?[\p{Lu}\d])|[;]\s|\n\s*\n|\n(?=\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-z]\))\s)/giu
const MAX_TOPIC_CHARACTERS = 50

/** A line of a form or a table stands for itself: a label with a colon, or cells with gaps between them. White space before it is part of either. */
const FORM_LINE = new RegExp(
  String.raw`^(?:[^\S\n]*(?:(?!${SENTENCE_END})[^\n:：]){1,60}(?:${TIGHT_COLON}|:(?=\s|$))[^\n]*|[^\n]*(?:\S(?: {3,}|\t+)\S|\|)[^\n]*)(?:\n|$)`,
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
