import type { LabelWord, WordReader } from '../label-words.ts'
import { CELL_GAP, SENTENCE_END, TIGHT_COLON } from '../layout/split-cells.ts'

/** A sentence, a clause between semicolons, or a list line. */
export type Clause = {
  start: number
  end: number
  words: readonly LabelWord[]
  /** Words of the heading or catchword above: `4. DEPOSIT. On signing …`. */
  topic: readonly LabelWord[]
  /** True for a line of a form or table, whose values are labelled by layout. */
  isForm: boolean
}

/** Sentence borders. Excludes common abbreviations and dates such as `23. April 2026`. */
const SENTENCE_BORDER = new RegExp(
  String.raw`(?<!(?<![\p{L}\p{N}])(?:no|nr|approx|ca|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|tel|art|vs|z\.b|e\.g|` +
    String.raw`i\.e|bzw|str|\d|[A-Z]))[.!?](?!\s+(?:Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|` +
    String.raw`Dez)\p{L}{0,6}\.?\s)["”)]?\s+(?=["“(]?[\p{Lu}\d])|[;]\s|\n\s*\n|\n(?=\s*(?:[-*•]|\(?\d{1,2}[.)]|` +
    String.raw`\(?[a-z]\))\s)`,
  'giu',
)
const MAX_TOPIC_CHARACTERS = 50

/**
 * A line of a form or table: a label with a colon, or cells with gaps. Includes leading white
 * space.
 */
const FORM_LINE = new RegExp(
  String.raw`^(?:[^\S\n]*(?:(?!${SENTENCE_END})[^\n:：]){1,60}(?:${TIGHT_COLON}|:(?=\s|$))[^\n]*|` +
    String.raw`[^\n]*(?:${CELL_GAP.source})[^\n]*)(?:\n|$)`,
  'gmu',
)

/** From the label to the first sentence end. Another label may not follow; `11:00` is none. */
const NO_LABEL = String.raw`(?:[^:：]|:(?=\d))`
const FIRST_SENTENCE = new RegExp(
  `^[^:：]{1,60}[:：](?:(?!${SENTENCE_END})${NO_LABEL})*${SENTENCE_END}(?!${NO_LABEL}*(?:：|:(?!\\d)))`,
  'u',
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

  /**
   * In `Advice: rest. To be seen again in six weeks.` only the first sentence belongs to the form.
   */
  function addForm(start: number, line: string): void {
    const end = start + line.length
    const first = CELL_GAP.test(line) ? null : FIRST_SENTENCE.exec(line)
    const border = start + (first?.[0].length ?? line.length)
    add(start, border, true)
    if (border < end) addProse(border, end)
  }

  function addProse(from: number, until: number): void {
    let start = from
    for (const border of [...text.slice(from, until).matchAll(SENTENCE_BORDER), null]) {
      const end = border === null ? until : from + border.index + border[0].length
      add(start, end, false)
      start = end
    }
  }

  let from = 0
  for (const form of [...text.matchAll(FORM_LINE), null]) {
    const until = form?.index ?? text.length
    addProse(from, until)
    if (form !== null) addForm(until, form[0])
    from = until + (form?.[0].length ?? 0)
  }
  return clauses
}

function isTopic(line: string): boolean {
  return (
    line.length <= MAX_TOPIC_CHARACTERS &&
    /^[^\p{L}\p{N}]*(?:\d+(?:\.\d+)*[.)]?\s+|Art\p{L}*\s+\d+[^\p{L}\p{N}]+)?\p{Lu}[^.,:;\d]*\.?$/u.test(line)
  )
}
