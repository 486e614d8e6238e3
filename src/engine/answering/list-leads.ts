import type { Span } from '../chunking/split-text.ts'
import { ITEM_MARK } from '../markup.ts'
import { WRITTEN, wordPattern } from '../phrases.ts'
import { questionPattern } from './answer-kinds.ts'
import { negates, rowsAreDenied } from './negation.ts'
import { type Match, type Passage, type ReadText, sentenceAt, toReadText } from './passage.ts'
import { isProse, PAIR } from './wrapped-lines.ts'

/**
 * Behind a closing quotation mark it may be a name: "Who's Afraid of Virginia Woolf?"; in brackets
 * of its own it is a doubt.
 */
const QUESTION_MARK = /(?<![([])[?？؟]!?[)\]*_]*$/u
/** Of Greek, where other languages have a semicolon. */
const GREEK_MARK = /[;\u037e]$/
const GREEK = /\p{Script=Greek}{2}/u
const SENTENCE_END = /[.!?…。！？]$/u
const MOST_TITLE_CHARACTERS = 80
/** More in capitals are a notice that says something: `NO SMOKING IN THE LOBBY`. */
const MOST_TITLE_WORDS = 4
/** White space at the top of a document is in no passage. */
const MOST_INDENT_CHARACTERS = 100
const BEGINS_PAIR = new RegExp(`^${PAIR}`, 'u')
/** Enough to tell what stands below. */
const MOST_BELOW_CHARACTERS = 300
const ITEM = new RegExp(String.raw`^\s*${ITEM_MARK}\s`, 'u')
/** An item that goes on with what leads it in: `- if you are allergic`. */
export const CONTINUING_ITEM = new RegExp(String.raw`^${ITEM_MARK}\s+["'“„«(]?\p{Ll}`, 'u')
const BLANK_LINE = /\n[ \t]*\n/
const HEADING_SIGN = /^(#{1,6})\s+/
/**
 * `Quiet hours`, `2. Treppenhaus und Flure`, `3.1 Scope`, `§ 4 Kaution`, in a text without signs
 * for headings.
 */
const PLAIN_HEADING =
  /^((?:\d{1,2}[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?|(?:§{1,2}|Art(?:\.|icles?|ikel|ículo|icolo)?|Section|Clause|Ziffer|Abschnitt) ?\d{1,3}[a-z]?[.:]?) )?\p{Lu}[^\s.,;:：!?|]*(?:[ ][^\s.,;:：!?|]+){0,9}$/u

const BOLD_HEADING = /^(\*\*|__)(?=[^\s*_])[^*_|.,;:：!?。！？]{1,80}\1$/u

/** "Gewählt wurden Ann Lee und Ben Lund." */
const SHORT_STATEMENT = /^\p{Lu}[^\n|:：]* \p{Ll}[^\n|:：]*[.!]$/u

/**
 * True for a question and a heading: they answer nothing, and what comes next is about the same.
 */
export function introducesList(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  return (
    text !== '' &&
    (asks(text) || isHeading(text, passage) || isPlainHeading(passage, place) || isBoldHeading(passage, place))
  )
}

/** True for what ends as a question does. */
export function asks(text: string): boolean {
  return QUESTION_MARK.test(text) || (GREEK_MARK.test(text) && GREEK.test(text))
}

/** How deep a heading of Markdown is, 1 to 6; `null` for what is none. */
function levelOf(text: string): number | null {
  return HEADING_SIGN.exec(text)?.[1]?.length ?? null
}

/**
 * What stands at the top of a document that has no title, in a few words in capitals, above an
 * empty line or above lines of labels and values: it says what the rest is about. `null` where
 * there is none; of other lines the first says no more than the second: `Anna likes tea`, `Ben
 * likes milk`.
 */
export function firstLineOf({ title, text, startOffset, sentences }: Passage): string | null {
  const [first, second, third] = sentences
  if (title !== null || startOffset > MOST_INDENT_CHARACTERS || first === undefined || second === undefined) return null
  const line = text.slice(first.start, first.end)
  if (line.length > MOST_TITLE_CHARACTERS || SENTENCE_END.test(line) || /[|,;:：]/.test(line)) return null
  if (!text.slice(first.end, second.start).includes('\n')) return null
  const isInCapitals = /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line) && line.split(/\s+/).length <= MOST_TITLE_WORDS
  const isPair = (span: Span | undefined) => span !== undefined && BEGINS_PAIR.test(text.slice(span.start, span.end))
  const isApart = PLAIN_HEADING.test(line) && BLANK_LINE.test(text.slice(first.end, second.start))
  return isInCapitals || isApart || (isPair(second) && isPair(third)) ? line : null
}

function isHeading(text: string, passage: Passage): boolean {
  const { title, section, sentences } = passage
  if (HEADING_SIGN.test(text)) return true
  // A statement that is a document of its own is its own title.
  if (text === title && sentences.length > 1 && !SENTENCE_END.test(text)) return true
  if (text === firstLineOf(passage) && !/\d/.test(text)) return true
  return section !== null && (section === text || section.endsWith(` > ${text}`))
}

/**
 * A few words alone in a line above a paragraph, labels with values or a list, with nothing right
 * above them. Above a list, and with the number of their section and no item above, also where a
 * line is empty below them. The step of a list leads in nothing, nor does what the items go on
 * with: `Do not take it` above `- if you are allergic`.
 */
function isPlainHeading({ text, sentences }: Passage, place: number): boolean {
  const span = sentences[place]
  const heading = span === undefined ? null : PLAIN_HEADING.exec(text.slice(span.start, span.end))
  if (span === undefined || heading === null) return false
  const above = text.slice(Math.max(0, span.start - MOST_INDENT_CHARACTERS), span.start)
  const [rest, ...lines] = text.slice(span.end, span.end + MOST_BELOW_CHARACTERS).split('\n', 4)
  if (rest?.trim() !== '' || !/(?:^|\n[ \t]*\n)[ \t]*$/.test(above)) return false
  const isNumbered = heading[1] !== undefined
  const isApart = lines[0]?.trim() === ''
  const [first = '', second = ''] = isApart ? lines.slice(1) : lines
  if (ITEM.test(first) || numberOfStep(first) !== null) return !isNumbered && !CONTINUING_ITEM.test(first)
  if (isApart && (!isNumbered || ITEM.test(above.trimEnd().split('\n').at(-1) ?? ''))) return false
  const isShort = heading[0].split(/\s+/).length <= MOST_TITLE_WORDS
  return (
    isProse(first) || (isShort && SHORT_STATEMENT.test(first)) || (BEGINS_PAIR.test(first) && BEGINS_PAIR.test(second))
  )
}

/**
 * `**Topping**` alone in a line right above a paragraph, or above a list: anywhere else it may say
 * something: `**Smoking is forbidden**`.
 */
function isBoldHeading({ text, sentences }: Passage, place: number): boolean {
  const span = sentences[place]
  if (span === undefined || !BOLD_HEADING.test(text.slice(span.start, span.end))) return false
  const [rest, first = '', second = ''] = text.slice(span.end, span.end + MOST_BELOW_CHARACTERS).split('\n', 3)
  return rest?.trim() === '' && (first.trim() !== '' || ITEM.test(second))
}

/**
 * The heading above a sentence with those above that one, or the question before its line, which is
 * about the same.
 */
export type ParentLine = ReadText & {
  /** The outermost heading first, one a line. */
  text: string
  /** That of the nearest in the passage; `null`: it is the title. */
  place: number | null
  /** Those of all of them, and of the head of a table, the outermost first. */
  places: readonly number[]
  /** Whether it says of what it leads in that it is not so; `null`: of some of that. */
  denies: boolean | null
}

/** A heading with those above it, and how deep it is. */
type Heading = { level: number; lead: ParentLine }
type Reader = { own: readonly ReadText[]; find: (text: string) => readonly Match[] }

/**
 * What leads in each sentence: a heading all that follows it, those above it included, the head of
 * a table its rows, a question the line behind it. A title that asks leads in the first line of its
 * document. `own` is what stands in each sentence.
 */
export function listParentLines(passage: Passage, { own, find }: Reader): (ParentLine | null)[] {
  const { title, startOffset, sentences, language } = passage
  const isAsked = title !== null && startOffset === 0 && asks(title)
  let lead: ParentLine | null = isAsked
    ? { ...toReadText(find(title)), text: title, place: null, places: [], denies: false }
    : null
  let headings: Heading[] = []
  const leads = sentences.map((_, place) => {
    if (isAnswered(lead, passage, place)) lead = headings.at(-1)?.lead ?? null
    if (!introducesList(passage, place)) return lead
    const above = lead
    const sentence = { ...(own[place] ?? toReadText([])), text: sentenceAt(passage, place), place, places: [place] }
    const isQuestion = asks(sentence.text)
    const level = levelOf(sentence.text)
    headings = headings.filter((heading) => level === null || heading.level < level)
    lead = joinLeads(headings.at(-1)?.lead ?? null, {
      ...sentence,
      denies: !isQuestion && negates(sentence.text, language),
    })
    // The first heading on top of a document is its title, which says nothing of a part of it.
    if (level !== null && (level > 1 || place > 0 || startOffset > 0)) headings.push({ level, lead })
    // A heading begins something else.
    return isQuestion ? above : null
  })
  return withTableHeads(leads, passage, own)
}

/** True behind the line that follows a question. */
function isAnswered(lead: ParentLine | null, { text, sentences }: Passage, place: number): boolean {
  const [before, sentence] = [sentences[place - 1], sentences[place]]
  if (lead === null || lead.place === place - 1 || !asks(lead.text)) return false
  return before !== undefined && sentence !== undefined && text.slice(before.end, sentence.start).includes('\n')
}

function withTableHeads(
  leads: readonly (ParentLine | null)[],
  passage: Passage,
  own: Reader['own'],
): (ParentLine | null)[] {
  let head: ParentLine | null = null
  return leads.map((above, place) => {
    const text = sentenceAt(passage, place)
    if (!isTableHead(passage, place)) {
      if (!ROW.test(text)) head = null
      return head ?? above
    }
    const denies = rowsAreDenied(text, passage.language)
    const found = own[place] ?? toReadText([])
    head = { ...joinLeads(above, { ...found, text, place, places: [place], denies }), place: above?.place ?? place }
    return above
  })
}

/**
 * A heading and what leads in further below it, the head of a table or another heading, lead in
 * together.
 */
function joinLeads(outer: ParentLine | null, inner: ParentLine): ParentLine {
  if (outer === null) return inner
  const matches = [...outer.matches, ...inner.matches]
  const denies = outer.denies === true ? true : inner.denies
  const text = `${outer.text}\n${inner.text}`
  return { ...toReadText(matches), text, place: inner.place, places: [...outer.places, ...inner.places], denies }
}

/**
 * "How do I …?", "how to …", "Wie kann ich …?", "¿Cómo se …?", over texts of `normalizeForMatch`.
 */
const ASKS_HOW = new RegExp(`^ (?:${questionPattern(({ how }) => how)}) `, 'u')
/** Headings of how the thing of the title is made. */
const PROCEDURES = wordPattern(({ answers }) => answers?.procedures, WRITTEN)
const PROCEDURE = new RegExp(
  String.raw`^(?:#{1,6}\s+|\*\*|__)?(?:\d{1,2}[.)] )?(?:${PROCEDURES}|How to\b.{0,60})[^\p{L}\p{N}]*$`,
  'imu',
)
/** `Step 2: …` */
export const NAMED_STEP = String.raw`(?:${wordPattern(({ answers }) => answers?.steps, WRITTEN)}) (?<named>\d{1,3})(?=[\s.:)–—-])`
const STEP = new RegExp(String.raw`^[\s*_>]{0,12}(?:(?<number>\d{1,3})[.)]\s|${NAMED_STEP})`, 'u')

/** True for a question after how something is done. `asked` as `matchable` makes it. */
export function asksHow(asked: string): boolean {
  return ASKS_HOW.test(asked)
}

/**
 * True for a heading below which stands how the thing of the title is done: `Method`,
 * `Zubereitung`.
 */
export function namesProcedure(heading: string): boolean {
  return PROCEDURE.test(heading)
}

/**
 * The number of its own that a sentence has, as the steps of what is done have; `null` where it has
 * none.
 */
export function numberOfStep(sentence: string): number | null {
  const groups = STEP.exec(sentence)?.groups
  return groups === undefined ? null : Number(groups['number'] ?? groups['named'])
}

/** A row of a Markdown table. */
export const ROW = /^\s*\|/
/** The line of dashes below the head of a Markdown table. */
export const TABLE_RULE = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$/

/** True for the row that names the columns of a Markdown table. */
export function isTableHead(passage: Passage, place: number): boolean {
  return sentenceAt(passage, place).includes('|') && TABLE_RULE.test(sentenceAt(passage, place + 1))
}
