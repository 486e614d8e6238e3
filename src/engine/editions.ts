import { findDates } from './analysis/find-dates.ts'
import { normalizeForMatch } from './analysis/fold.ts'
import { listParentLines } from './answering/parent-lines.ts'
import { type Passage, sentenceAt, toMatchedText } from './answering/passage.ts'
import { ROW } from './answering/table-rows.ts'
import type { Span } from './chunking/split-text.ts'
import { NORMALIZED, unspacedPattern, WRITTEN, wordPattern } from './phrases.ts'
import { areEditions, countCommonWords, listKeys } from './statement-differences.ts'

/** A passage with its document, and the time at which the document was added; `null` if unknown. */
export type DatedPassage = Passage & { document: string; createdAt: string | null }

/** A sentence of a passage, by index. */
export type EditionQuote = Span & {
  passage: number
  text: string
  /** Headings above, outermost first. */
  headings: readonly string[]
}

/** The newest edition of a statement, and a differing older edition. */
export type Editions = { newer: EditionQuote; older: EditionQuote }

/** A text with evidence of the edition. */
type EditionText = Pick<DatedPassage, 'title' | 'document' | 'createdAt'> & {
  text: string
  headings: readonly string[]
  /** The text with surroundings, to find the date of the edition. */
  around: string
}
type Statement = EditionQuote & EditionText

/**
 * Finds other editions of a quote, in other documents or in other sections of its document. Returns
 * `null` for none, and for a quote of several sentences. In doubt the quote counts as newer.
 */
export function findEditions(
  quote: Span & { passage: number },
  passages: readonly DatedPassage[],
  question: string,
): Editions | null {
  const statements = passages.flatMap(listStatements)
  const read = createMarkReader()
  const quoted = statements.filter(
    ({ passage, start, end }) => passage === quote.passage && start >= quote.start && end <= quote.end,
  )
  const [own] = quoted
  if (own === undefined || quoted.length > 1) return null
  const groups = new Map<string, { statement: Statement; isSameWork: boolean; common: number }>()
  for (const statement of statements) {
    const isSameWork = areOneWork(own, statement, read)
    if (isSameWork === null) continue
    const key = [statement.document, ...statement.headings.map((heading) => read(heading).latest)].join('\n')
    const common = countCommonWords(own.text, statement.text)
    if (common > (groups.get(key)?.common ?? 0)) groups.set(key, { statement, isSameWork, common })
  }
  const others = [...groups.values()].flatMap(({ statement, isSameWork }) =>
    areEditions(own.text, statement.text, { question, isSameWork }) ? [statement] : [],
  )
  const [newer, older] = [own, ...others].toSorted((a, b) => compareAge(b, a, read))
  // "What was paid under version 3?", "in February": the question is about the older edition.
  if (newer === undefined || older === undefined || (newer !== own && namesEdition(question, own, newer))) return null
  return { newer, older: newer === own ? older : own }
}

function listStatements(passage: DatedPassage, index: number): Statement[] {
  const { title, document, createdAt, text, section, sentences } = passage
  const own = sentences.map(() => toMatchedText([]))
  const parents = listParentLines(passage, { own, find: () => [] })
  const above = (section ?? '').split(/ > |\n/).filter((line) => line !== '' && line !== title)
  return sentences.map(({ start, end }, place) => {
    const lines = (parents[place]?.text ?? '').split('\n').filter((line) => line !== '')
    const headings = dropRepeated([...above, ...lines])
    const around = `${sentenceAt(passage, place)}\n${text}`
    return { passage: index, start, end, text: text.slice(start, end), headings, title, document, createdAt, around }
  })
}

/** Headings without their marks, table headers and repetitions of the section. */
function dropRepeated(lines: readonly string[]): string[] {
  return [...new Set(lines.filter((line) => !ROW.test(line)).map((line) => line.replace(HEADING_MARK, '').trim()))]
}

const VERSIONS = wordPattern(({ answers }) => answers?.versions, WRITTEN)
const UNSPACED_VERSIONS = unspacedPattern(({ answers }) => answers?.versions)
const VERSION_WORD = new RegExp(
  `(?<!\\p{L})(?:${wordPattern(({ answers }) => answers?.versions, NORMALIZED)})(?!\\p{L})|${UNSPACED_VERSIONS}`,
  'gu',
)
const VERSION = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${VERSIONS}) ?(?:(?:no|nr|n[°º])\\.? ?)?|v\\.?)(\\d+(?:\\.\\d+)*)` +
    `|(?<![\\p{N}.,])(\\d+)(?:st|nd|rd|th|\\.|e|ª|º|-е|-я)? ?(?:(?:${VERSIONS})(?!\\p{L})|${UNSPACED_VERSIONS})` +
    '|(?<![\\p{L}\\p{N}.,/])(\\d+(?:\\.\\d+){1,3})(?![\\p{N}.,/]| ?[€$£%])',
  'giu',
)
const YEAR = /(?<![\p{N}.,])(?:19|20)\d{2}(?![\p{N}])/gu
const MONTH_AND_YEAR = /\p{L}\s(?:19|20)\d{2}/u
const NUMBERS = /\p{N}+/gu
const HEADING_MARK = /^(?:#{1,6}\s+|\*\*|__)|(?:\*\*|__)$/gu

/** Dates of a text in order, the latest one, and the version. */
type Marks = { dates: readonly string[]; latest: string; version: readonly number[]; rest: string }

/** Reads the date and the version of a title or text. `rest` is the text without them. */
function readMarks(text: string): Marks {
  const found = findDates(text, { dateOrder: 'dmy' })
  const undated = found.reduce((rest, { start, end }) => rest.replace(text.slice(start, end), ' '), text)
  const years = MONTH_AND_YEAR.test(text) || found.length === 0 ? [...text.matchAll(YEAR)].map(([year]) => year) : []
  const dates = [...found.map(({ value }) => value), ...years]
  const plain = undated.replace(YEAR, ' ')
  const [match] = plain.matchAll(VERSION)
  const number = match?.slice(1).find((part) => part !== undefined) ?? ''
  const rest = normalizeForMatch(plain.replace(VERSION, ' ')).replace(VERSION_WORD, ' ').replace(/ +/g, ' ')
  const version = number === '' ? [] : number.split('.').map(Number)
  return { dates, latest: dates.toSorted().at(-1) ?? '', version, rest }
}

type MarkReader = (text: string) => Marks

/** Memoizes by text: all passages of a document have its title. */
function createMarkReader(): MarkReader {
  const known = new Map<string, Marks>()
  return (text) => {
    const found = known.get(text) ?? readMarks(text)
    known.set(text, found)
    return found
  }
}

/** Compares marks of two texts. An undated edition is older: the newer one says since when. */
function compareMarks(mine: Marks, theirs: Marks): number {
  if (mine.latest !== theirs.latest) return mine.latest > theirs.latest ? 1 : -1
  const length = Math.min(mine.version.length, theirs.version.length)
  const place = mine.version.slice(0, length).findIndex((part, index) => part !== theirs.version[index])
  if (place >= 0) return (mine.version[place] ?? 0) - (theirs.version[place] ?? 0)
  return length === 0 ? 0 : mine.version.length - theirs.version.length
}

/** Compares the first dates of two texts. A text with the other's dates and more replaces it. */
function compareDates({ dates: mine }: Marks, { dates: theirs }: Marks): number {
  const [hasTheirs, hasMine] = [
    theirs.every((date) => mine.includes(date)),
    mine.every((date) => theirs.includes(date)),
  ]
  if (hasTheirs || hasMine) return Number(hasTheirs) - Number(hasMine)
  return (mine[0] ?? '') > (theirs[0] ?? '') ? 1 : mine[0] === theirs[0] ? 0 : -1
}

/**
 * Compares the age of two statements: by title, headings, own date, text around, and the time at
 * which their documents were added. Positive if `one` is newer, 0 if unknown.
 */
function compareAge(one: EditionText, other: EditionText, read: MarkReader): number {
  const added = (one.createdAt ?? '') > (other.createdAt ?? '') ? 1 : one.createdAt === other.createdAt ? 0 : -1
  return (
    compareMarks(read(one.title ?? ''), read(other.title ?? '')) ||
    compareMarks(read(one.headings.join('\n')), read(other.headings.join('\n'))) ||
    compareDates(read(one.text), read(other.text)) ||
    compareDates(read(one.around), read(other.around)) ||
    added
  )
}

/**
 * Creates a function that compares the age of two documents by their passages. Returns `null`
 * unless their titles show editions of one work, 0 if the age is unknown. Positive if `one` is
 * newer. Each text is read once.
 */
export function createEditionComparer(): (one: EditionText, other: EditionText) => number | null {
  const read = createMarkReader()
  return (one, other) =>
    one.document !== other.document && areOneWork(one, other, read) === true ? compareAge(one, other, read) : null
}

/** True if the question has a word of the title or headings of one that the other lacks. */
function namesEdition(question: string, one: EditionText, other: EditionText): boolean {
  const [asked, others] = [new Set(listKeys(question)), new Set(listKeys(nameOf(other)))]
  return listKeys(nameOf(one)).some((word) => asked.has(word) && !others.has(word))
}

function nameOf({ title, headings }: EditionText): string {
  return [title ?? '', ...headings].join('\n')
}

/**
 * True for statements of two editions of one work, by their titles and headings; `null` for those
 * of two works. False if the titles show neither, and the statements have different dates.
 */
function areOneWork(one: EditionText, other: EditionText, read: MarkReader): boolean | null {
  if (one.document === other.document)
    return areSectionEditions(one.headings.map(read), other.headings.map(read)) ? true : null
  const [heading, otherHeading] = [one.headings.at(-1) ?? '', other.headings.at(-1) ?? '']
  if (areSiblings(heading, otherHeading, read)) return null
  const [title, otherTitle] = [one.title ?? one.headings[0] ?? '', other.title ?? other.headings[0] ?? '']
  const [mine, theirs] = [read(title), read(otherTitle)]
  const isTitled = mine.rest.trim() !== ''
  const isNumberedAnew = mine.latest !== theirs.latest && withoutNumbers(mine.rest) === withoutNumbers(theirs.rest)
  if (isTitled && (mine.rest === theirs.rest || isNumberedAnew)) return true
  if (areSiblings(title, otherTitle, read)) return null
  return read(one.text).latest !== read(other.text).latest ? false : null
}

function withoutNumbers(text: string): string {
  return text.replace(NUMBERS, '')
}

/** True for headings that differ in dates only: "Rules of 2023", "Rules of 2025". */
function areSectionEditions(mine: readonly Marks[], theirs: readonly Marks[]): boolean {
  const markOf = ({ latest, version }: Marks) => [latest, ...version].join(' ').trim()
  const differing = mine.filter((marks, index) => {
    const same = theirs[index]
    return same === undefined || markOf(marks) !== markOf(same)
  })
  return (
    mine.length === theirs.length &&
    mine.every(({ rest }, index) => rest === theirs[index]?.rest) &&
    differing.length > 0 &&
    mine.every((marks, index) => (markOf(marks) === '') === (markOf(theirs[index] ?? marks) === ''))
  )
}

const SECTION_NUMBER = /^(?:§+ ?)?\d+(?:\.\d+)*[.)]?\s+/u
const MIN_NAME_CHARACTERS = 2

/** True for headings with words in common, each with a name that is not in the second. */
function areSiblings(one: string, other: string, read: MarkReader): boolean {
  if (one === '' || other === '') return false
  const [mine, theirs] = [one, other].map((line) => listKeys(read(line.replace(SECTION_NUMBER, '')).rest))
  const isTelling = (word: string) => word.length >= MIN_NAME_CHARACTERS || /\P{ASCII}/u.test(word)
  const ownOf = (words: readonly string[] = [], others: readonly string[] = []) =>
    words.filter((word) => isTelling(word) && !others.includes(word))
  return ownOf(mine, theirs).length > 0 && ownOf(theirs, mine).length > 0
}
