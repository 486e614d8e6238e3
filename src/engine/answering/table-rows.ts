import { normalizeForMatch } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import type { AnswerKind } from '../languages/language.ts'
import { QUOTED_CELL } from '../markup.ts'
import { findEvidence } from './evidence.ts'
import { UNSPACED } from './evidence-patterns.ts'
import { listMeasures } from './expand-question.ts'
import { type Match, type Passage, sentenceAt } from './passage.ts'

/**
 * Pattern of the start of a table row: of Markdown, or of another file, whose readers join cells:
 * `Smyrna | 18204`.
 */
export const ROW_START = String.raw`\s*\||[^\n|]{0,200}\S \| `
/** A table row between bars. */
export const ROW = new RegExp(`^(?:${ROW_START})`, 'u')

/** Separator below the header of a Markdown table. */
const TABLE_RULE = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$/
const FIGURE = /\d/
/** A line of JSON, which names its values. */
export const JSON_RECORD = /^\s*[{[]"/
const MIN_CELLS = 3
/** A comma within a number. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g
/** Same in a sentence: "up to 88,4 million (81,0 million the year before)." */
const DECIMALS = /(?<=\d),(?=\d)/g
const SENTENCE_END = /[.!?]$/
/** A longer cell is no name of a column. */
const MAX_NAME_CHARACTERS = 40

/** Shorter words of a label may be articles: `Musée de la mer`. */
const LONG_WORD = /[\p{L}\p{N}]{4,}/gu

/** True for a row between bars, and for a line of values with separators. */
export function isTableRow(text: string): boolean {
  return ROW.test(text) || splitValues(text) !== null
}

/**
 * Returns the place of the sentence above the table of a row. `null` for other sentences, and for a
 * table below another or at the start.
 */
export function findPlaceAboveTable(passage: Passage, row: number): number | null {
  const isPart = (text: string) => isTableRow(text) || TABLE_RULE.test(text)
  if (!isPart(sentenceAt(passage, row))) return null
  let above = row - 1
  while (isPart(sentenceAt(passage, above)) && isLineAbove(passage, above)) above -= 1
  return above < 0 || isPart(sentenceAt(passage, above)) ? null : above
}

/** A figure that hardly is in a table by chance. */
const LONG_FIGURE = /(?<![\p{L}\p{N}.,:])\d[\d.,:’' \u00a0\u202f]{2,20}\d(?![\p{L}\p{N}])/gu
const MIN_FIGURES = 4
/** A year, or a text. */
const NO_FIGURE = /\p{L}|^(?:19|20)\d\d$/u

/**
 * Returns the first sentence that has a figure of the table of a row. It names what the table
 * measures: "Total sales rose to 812,400". `null` if there is none.
 */
export function findTotal(passage: Passage, row: number): string | null {
  const isPart = (place: number) =>
    isTableRow(sentenceAt(passage, place)) || TABLE_RULE.test(sentenceAt(passage, place))
  let first = row
  while (isPart(first - 1) && isLineAbove(passage, first - 1)) first -= 1
  const cells = new Set<string>()
  for (let place = first; isPart(place) && (place === first || isLineAbove(passage, place - 1)); place += 1)
    for (const cell of splitRow(sentenceAt(passage, place)).slice(1)) cells.add(digitsOf(cell))
  const names = (text: string) =>
    [...text.matchAll(LONG_FIGURE)].some(([figure]) => digitsOf(figure) !== '' && cells.has(digitsOf(figure)))
  const total = passage.sentences.findIndex((_, place) => !isPart(place) && names(sentenceAt(passage, place)))
  return total < 0 ? null : sentenceAt(passage, total)
}

type MatchedRow = { place: number; start: number; matches: readonly Match[]; units: ReadonlySet<number> }

/**
 * True for the total of a table that has a row asked for. "Total sales rose to 812,400" is no
 * answer about bulbs.
 */
export function isTotalOfAskedRow(
  passage: Passage | undefined,
  sentences: readonly MatchedRow[] = [],
  sentence: MatchedRow,
): boolean {
  if (passage === undefined) return false
  const text = sentenceAt(passage, sentence.place)
  if (isTableRow(text) || text.match(LONG_FIGURE) === null) return false
  return sentences.some((row) => {
    const label = sentenceAt(passage, row.place)
    return (
      isLabelAsked(label, row) &&
      findTotal(passage, row.place) === text &&
      row.matches.some(
        ({ unit, start }) => start - row.start < (findRowLabel(label)?.end ?? 0) && !sentence.units.has(unit),
      )
    )
  })
}

/** Digits of a long figure; empty for other text. */
function digitsOf(cell: string): string {
  const digits = cell.replace(/[^\p{N}]/gu, '')
  return digits.length < MIN_FIGURES || NO_FIGURE.test(cell.trim()) ? '' : digits
}

/** Returns the first cell of a table row that has several; `null` for other text. */
export function findRowLabel(text: string): Span | null {
  if (!ROW.test(text)) {
    const [first = ''] = splitValues(text)?.cells ?? []
    return first === '' ? null : { start: 0, end: first.length }
  }
  const cell = /^\s*(?:\|\s*)?([^|\n]*[^|\s])\s*\|[^\n]*\S/u.exec(text)
  const start = cell?.[0].indexOf(cell[1] ?? '') ?? 0
  return cell === null ? null : { start, end: start + (cell[1]?.length ?? 0) }
}

/**
 * True for a row whose first cell has only words of the question, in any form, and short ones.
 * `matches` are those of the question, `start` is the offset of the row.
 */
export function isLabelAsked(text: string, { matches, start }: { matches: readonly Match[]; start: number }): boolean {
  const label = findRowLabel(text)
  if (label === null) return false
  const own = matches.filter((match) => match.start - start >= label.start && match.end - start <= label.end)
  const isAsked = (at: number) => own.some((match) => match.start - start <= at && at < match.end - start)
  const words = [...text.slice(label.start, label.end).matchAll(LONG_WORD)]
  return own.length > 0 && words.every(({ index }) => isAsked(label.start + index))
}

/**
 * Splits a line of CSV: three or more cells between semicolons, tabs, or commas without white
 * space. Returns `null` for other text. In a script without spaces, commas separate clauses.
 */
function splitValues(text: string): { separator: string; cells: string[] } | null {
  if (text.includes('\n') || !/\p{L}/u.test(text) || JSON_RECORD.test(text)) return null
  const unquoted = text.replace(QUOTED_CELL, (cell) => '"'.repeat(cell.length))
  for (const separator of UNSPACED.test(text) ? [';', '\t'] : [';', '\t', ',']) {
    const cells = unquoted.split(separator)
    if (
      cells.length < MIN_CELLS ||
      (separator === ',' &&
        unquoted.replace(SENTENCE_END.test(text) ? DECIMALS : THOUSANDS, '').split(',').length < MIN_CELLS)
    )
      continue
    return cells.some((cell, index) => index > 0 && cell.startsWith(' ')) ? null : { separator, cells }
  }
  return null
}

/**
 * True for the header row of a table: above a rule, or words above a row with figures. The names
 * of columns may be a line of CSV, or words below a caption that spans the table.
 */
export function isTableHead(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  if (!text.includes('|')) return isHeadOfValues(passage, place)
  const next = sentenceAt(passage, place + 1)
  if (TABLE_RULE.test(next)) return true
  if (isBelowCaption(passage, place)) return true
  const isFirst = !ROW.test(sentenceAt(passage, place - 1)) || !isLineAbove(passage, place - 1)
  const isAbove = isFirst && isLineAbove(passage, place) && haveSameCells(text, next)
  if (!isAbove || !ROW.test(next)) return false
  return isRowOfWords(text) ? !isRowOfWords(next) : isHeadOfFigures(passage, place)
}

/** A value that a column below a name has: `2.60 €`, `$4`, `-3`. */
const VALUE = /^[\p{Sc}+−–-]?\s*\d/u

/** Figures of a name: a range of ages, a year, a quarter. */
const FIGURES_OF_NAME = /(?<![\d.,:])(?:\d{1,3}\s?[–-]\s?\d{1,3}|(?:19|20)\d\d)(?![\d.,:])|(?<=\p{L})\d/gu
const VALUE_SIGN = /[\d\p{Sc}%]/u

/** `Ticket | Adults | Children 6–14`: names above rows of which one column has only values. */
function isHeadOfFigures(passage: Passage, place: number): boolean {
  const names = cellsOf(sentenceAt(passage, place))
  const isName = (cell: string) =>
    /^\p{L}/u.test(cell) && cell.length <= MAX_NAME_CHARACTERS && !VALUE_SIGN.test(cell.replace(FIGURES_OF_NAME, ''))
  if (!names.every(isName)) return false
  const rows: string[][] = []
  for (let below = place + 1; ROW.test(sentenceAt(passage, below)) && isLineAbove(passage, below - 1); below += 1)
    rows.push(cellsOf(sentenceAt(passage, below)))
  return names.some((_, column) => column > 0 && rows.every((cells) => VALUE.test(cells[column] ?? '')))
}

/** `| Evening courses | | |` above the rule, `| Course | Day | Fee |` below. */
function isBelowCaption(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  const caption = sentenceAt(passage, place - 2)
  const isBelowRule = TABLE_RULE.test(sentenceAt(passage, place - 1)) && ROW.test(caption)
  if (!isBelowRule || FIGURE.test(text) || !ROW.test(sentenceAt(passage, place + 1))) return false
  const filled = (row: string) => cellsOf(row).filter((cell) => cell !== '').length
  return filled(caption) === 1 && cellsOf(text).length >= MIN_CELLS && filled(text) === cellsOf(text).length
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\s*\||\|\s*$/gu, '')
    .split('|')
    .map((cell) => cell.trim())
}

/** Names of columns above as many values, of which one is no name: `name;price`, `Quince;2`. */
function isHeadOfValues(passage: Passage, place: number): boolean {
  const own = splitValues(sentenceAt(passage, place))
  const next = splitValues(sentenceAt(passage, place + 1))
  if (own === null || next === null || own.separator !== next.separator || !isLineAbove(passage, place)) return false
  const isName = (cell: string) => /\p{L}/u.test(cell) && !/[\d@]/.test(cell) && cell.length <= MAX_NAME_CHARACTERS
  if (own.cells.length !== next.cells.length || !own.cells.every(isName) || next.cells.every(isName)) return false
  return splitValues(sentenceAt(passage, place - 1))?.cells.every(isName) !== true
}

/** Rows without outer bars may be other text: `Home | Shop | Help`. */
function haveSameCells(row: string, other: string): boolean {
  return row.startsWith('|') || row.split(' | ').length === other.split(' | ').length
}

function isRowOfWords(text: string): boolean {
  return ROW.test(text) && !FIGURE.test(text)
}

/** True if the next sentence is on the next line. */
function isLineAbove({ text, sentences }: Passage, place: number): boolean {
  return /^[ \t]*\n[ \t]*$/.test(text.slice(sentences[place]?.end, sentences[place + 1]?.start))
}

/** A sentence by its index; `places` are the indexes of the lines above it. */
type Row = { place: number; parent: { places: readonly number[] } | null }

/** The header of a table row, from the passage or the text before; `null` for other text. */
export function findHeader(passage: Passage, { place, parent }: Row): string | null {
  if (!isTableRow(sentenceAt(passage, place))) return null
  const head = parent?.places.findLast((above) => isTableHead(passage, above))
  if (head !== undefined) return sentenceAt(passage, head)
  return (passage.section ?? '').split('\n').findLast((line) => isTableRow(line)) ?? null
}

/**
 * True for a row with another value below a name that the question has with its value: "from
 * Ilvik", "zone 2". Only values of the column count. `asked` is a text of `normalizeForMatch`.
 */
export function hasOtherValue(passage: Passage, row: Row, asked: string): boolean {
  const cells = splitRow(sentenceAt(passage, row.place))
  return splitRow(findHeader(passage, row) ?? '').some((text, column) => {
    const name = normalizeForMatch(text)
    const at = name.trim() === '' ? -1 : asked.indexOf(name)
    const [value = ''] = at < 0 ? [] : asked.slice(at + name.length).split(' ', 1)
    const has = (row: readonly string[]) => normalizeForMatch(row[column] ?? '').includes(` ${value} `)
    return (
      value !== '' && !has(cells) && passage.sentences.some((_, place) => has(splitRow(sentenceAt(passage, place))))
    )
  })
}

/**
 * True for a row below a column with another measure of a thing asked for: `Ardveg arr.` for "leave
 * Ardveg". Another column has the measure asked for. `asked` is a text of `normalizeForMatch`.
 */
export function hasOtherMeasureColumn(passage: Passage, row: Row, asked: string): boolean {
  const measures = listMeasures(asked)
  if (measures.size === 0) return false
  const columns = splitRow(findHeader(passage, row) ?? '').map((name) => ({ name, own: [...listMeasures(name)] }))
  const isAsked = ({ own }: { own: readonly string[] }) => own.some((measure) => measures.has(measure))
  const isOfThing = ({ name }: { name: string }) =>
    normalizeForMatch(name)
      .trim()
      .split(' ')
      .some((word) => listMeasures(word).size === 0 && asked.includes(` ${word} `))
  if (!columns.some(isAsked) || columns.some((column) => isAsked(column) && isOfThing(column))) return false
  return columns.some((column) => column.own.length > 0 && !isAsked(column) && isOfThing(column))
}

/** A value of a record that is a sentence, and the name of a value. */
const REMARK = /:\s*"[^"\n]* [^"\n]*[.!。]"/u
const RECORD_KEY = /"[^"\n]*"(?=\s*:)/gu

/**
 * True for a record of JSON that has a sentence, and the words of the question in its values. The
 * sentence gives the reason of a state. `units` counts the words.
 */
export function hasRemark(
  text: string,
  { matches, start }: { matches: readonly Match[]; start: number },
  units: number,
): boolean {
  if (!JSON_RECORD.test(text) || !REMARK.test(text)) return false
  const keys = [...text.matchAll(RECORD_KEY)].map(({ 0: key, index }) => ({ start: index, end: index + key.length }))
  const isInKey = (at: number) => keys.some((key) => key.start <= at && at < key.end)
  return new Set(matches.flatMap((match) => (isInKey(match.start - start) ? [] : [match.unit]))).size === units
}

/**
 * True for a row that has prices in several columns and lacks a word of the question. The question
 * names none of the columns: "a day ticket for seniors".
 *
 * True for the total of a table as well, if it lacks a name, or a noun that no passage has.
 */
export function leavesPriceOpen(
  passages: readonly Passage[],
  { sentence, subject }: { sentence: Row & { passage: number }; subject: Lacking },
  { kind, words }: { kind: AnswerKind; words: string },
): boolean {
  const passage = passages[sentence.passage]
  if (passage === undefined || subject.missing.size === 0) return false
  if (subject.nounsNowhere + subject.missingNames.size > 0 && isTotal(passage, sentence.place)) return true
  if (!ASK_FOR_PRICES.has(kind)) return false
  const cells = splitRow(sentenceAt(passage, sentence.place))
  const hasPrice = (column: number) => (findEvidence(cells[column] ?? '', 'money', words) ?? []).length > 0
  const names = splitRow(findHeader(passage, sentence) ?? '').filter((_, column) => hasPrice(column))
  const said = names.flatMap((name) => normalizeForMatch(name).trim().split(' '))
  return names.length > 1 && !said.some((word) => isSaid(word, words))
}

/** Asked words and names that a sentence lacks, and the number of nouns that no passage has. */
type Lacking = { missing: ReadonlySet<number>; missingNames: ReadonlySet<number>; nounsNowhere: number }

function isTotal(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  if (isTableRow(text) || text.match(LONG_FIGURE) === null) return false
  return passage.sentences.some((_, row) => isTableRow(sentenceAt(passage, row)) && findTotal(passage, row) === text)
}

/** "How much" asks for a price as well. */
const ASK_FOR_PRICES: ReadonlySet<AnswerKind> = new Set(['money', 'number'])

/** Inflection changes the last letters: "action", "actions". */
const ENDING_LETTERS = 2
const MIN_STEM_LETTERS = 3

/** True for a word of the question, in any form. */
export function isSaid(word: string, question: string): boolean {
  return question.includes(` ${word.slice(0, Math.max(MIN_STEM_LETTERS, word.length - ENDING_LETTERS))}`)
}

function splitRow(text: string): readonly string[] {
  return ROW.test(text) ? cellsOf(text) : (splitValues(text)?.cells ?? [])
}
