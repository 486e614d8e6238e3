import type { Span } from '../chunking/split-text.ts'
import { isIncompleteQuestion } from '../conversation/incomplete-question.ts'
import { rewriteFollowUp } from '../conversation/rewrite-follow-up.ts'
import type { AnswerKind } from '../languages/language.ts'
import { ITEM_MARK } from '../markup.ts'
import { WRITTEN, wordPattern } from '../phrases.ts'
import { questionPattern, readAnswerKind } from './answer-kinds.ts'
import {
  createReplyReader,
  isQuestion,
  isSpeakerLine,
  isUnmarkedQuestion,
  readSpokenQuestion,
} from './dialogue-lines.ts'
import { CLAUSES } from './evidence-patterns.ts'
import { areFiguresAboveLabels, isLabelLine } from './label-lines.ts'
import { areRowsNegated, hasNegation } from './negation.ts'
import { type Match, type MatchedText, type Passage, sentenceAt, toMatchedText } from './passage.ts'
import { isTableHead, isTableRow } from './table-rows.ts'
import { isProse, PAIR } from './wrapped-lines.ts'

const SENTENCE_END = /[.!?…。！？]$/u
const MAX_TITLE_CHARACTERS = 80
/** More words in capitals are a notice with content: `NO SMOKING IN THE LOBBY`. */
const MAX_TITLE_WORDS = 4
/** No passage contains the white space at the top of a document. */
const MAX_INDENT_CHARACTERS = 100
const BEGINS_PAIR = new RegExp(`^${PAIR}`, 'u')
/** Enough characters to recognize the lines below. */
const MAX_BELOW_CHARACTERS = 300
const ITEM = new RegExp(String.raw`^\s*${ITEM_MARK}\s`, 'u')
/** An item that continues its introduction: `- if you are allergic`. */
export const CONTINUING_ITEM = new RegExp(String.raw`^${ITEM_MARK}\s+["'“„«(]?\p{Ll}`, 'u')
const BLANK_LINE = /\n[ \t]*\n/
const HEADING_SIGN = /^(#{1,6})\s+/
/**
 * `Quiet hours`, `2. Treppenhaus und Flure`, `3.1 Scope`, `§ 4 Kaution`, in a text without heading
 * marks.
 */
const SECTION_NUMBER = [
  String.raw`\d{1,2}[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?`,
  String.raw`(?:${CLAUSES}) ?\d{1,3}[a-z]?[.:]?`,
].join('|')
const PLAIN_HEADING = new RegExp(
  String.raw`^((?:${SECTION_NUMBER}) )?\p{Lu}[^\s.,;:：!?|]*(?:[ ][^\s.,;:：!?|]+){0,9}$`,
  'u',
)

const BOLD_HEADING = /^(\*\*|__)(?=[^\s*_])[^*_|.,;:：!?。！？]{1,80}\1$/u

/** "Gewählt wurden Ann Lee und Ben Lund." */
const SHORT_STATEMENT = /^\p{Lu}[^\n|:：]* \p{Ll}[^\n|:：]*[.!]$/u

/** True for a question or a heading, which answers nothing and introduces the next lines. */
export function introducesList(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  return (
    text !== '' &&
    (isAsked(passage, place) ||
      isHeading(text, passage) ||
      isPlainHeading(passage, place) ||
      isLabelLine(passage, place) ||
      isBoldHeading(passage, place))
  )
}

/** True for a question, also for one without a mark below the name of its speaker. */
function isAsked(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  return isQuestion(text) || (isUnmarkedQuestion(text) && isSpeakerLine(passage, place - 1))
}

/** Level of a Markdown heading, 1 to 6; `null` otherwise. */
function headingLevel(text: string): number | null {
  return HEADING_SIGN.exec(text)?.[1]?.length ?? null
}

/**
 * Returns the title line of a document without a title: a few words in capitals, above an empty
 * line or above labels with values. Returns `null` otherwise, because the first of several similar
 * lines is no title: `Anna likes tea`, `Ben likes milk`.
 */
export function findTitleLine({ title, text, startOffset, sentences }: Passage): string | null {
  const [first, second, third] = sentences
  if (title !== null || startOffset > MAX_INDENT_CHARACTERS || first === undefined || second === undefined) return null
  const line = text.slice(first.start, first.end)
  if (line.length > MAX_TITLE_CHARACTERS || SENTENCE_END.test(line) || /[|,;:：]/.test(line)) return null
  if (!text.slice(first.end, second.start).includes('\n')) return null
  const isInCapitals = /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line) && line.split(/\s+/).length <= MAX_TITLE_WORDS
  const isPair = (span: Span | undefined) => span !== undefined && BEGINS_PAIR.test(text.slice(span.start, span.end))
  const isApart = PLAIN_HEADING.test(line) && BLANK_LINE.test(text.slice(first.end, second.start))
  return isInCapitals || isApart || (isPair(second) && isPair(third)) ? line : null
}

function isHeading(text: string, passage: Passage): boolean {
  const { title, section, sentences } = passage
  if (HEADING_SIGN.test(text)) return true
  // A document of a single statement has that statement as its title.
  if (text === title && sentences.length > 1 && !SENTENCE_END.test(text)) return true
  if (text === findTitleLine(passage) && !/\d/.test(text)) return true
  return section !== null && (section === text || section.endsWith(` > ${text}`))
}

/**
 * True for a few words alone on a line above a paragraph, labels with values or a list, with an
 * empty line above. Figures above their labels count as labels. An empty line may follow above a
 * list or figures, or after a section number without an item above. A step is no heading, nor is a
 * line that its items continue: `Do not take it` above `- if you are allergic`.
 */
function isPlainHeading({ text, sentences }: Passage, place: number): boolean {
  const span = sentences[place]
  const heading = span === undefined ? null : PLAIN_HEADING.exec(text.slice(span.start, span.end))
  if (span === undefined || heading === null) return false
  const above = text.slice(Math.max(0, span.start - MAX_INDENT_CHARACTERS), span.start)
  const [rest, ...lines] = text.slice(span.end, span.end + MAX_BELOW_CHARACTERS).split('\n', 4)
  if (rest?.trim() !== '' || !/(?:^|\n[ \t]*\n)[ \t]*$/.test(above)) return false
  const isNumbered = heading[1] !== undefined
  const isApart = lines[0]?.trim() === ''
  const [first = '', second = ''] = isApart ? lines.slice(1) : lines
  if (areFiguresAboveLabels([first, second])) return true
  if (ITEM.test(first) || readStepNumber(first) !== null) return !isNumbered && !CONTINUING_ITEM.test(first)
  if (isApart && (!isNumbered || ITEM.test(above.trimEnd().split('\n').at(-1) ?? ''))) return false
  const isShort = heading[0].split(/\s+/).length <= MAX_TITLE_WORDS
  return (
    isProse(first) || (isShort && SHORT_STATEMENT.test(first)) || (BEGINS_PAIR.test(first) && BEGINS_PAIR.test(second))
  )
}

/**
 * True for `**Topping**` alone on a line above a paragraph or a list. Elsewhere bold text may be a
 * statement: `**Smoking is forbidden**`.
 */
function isBoldHeading({ text, sentences }: Passage, place: number): boolean {
  const span = sentences[place]
  if (span === undefined || !BOLD_HEADING.test(text.slice(span.start, span.end))) return false
  const [rest, first = '', second = ''] = text.slice(span.end, span.end + MAX_BELOW_CHARACTERS).split('\n', 3)
  return rest?.trim() === '' && (first.trim() !== '' || ITEM.test(second))
}

/** Headings above a sentence, or the question before its line. */
export type ParentLine = MatchedText & {
  /** Outermost heading first, one per line. */
  text: string
  /** Index of the nearest heading in the passage; `null` for the title. */
  place: number | null
  /** Indexes of all headings and of the table header, outermost first. */
  places: readonly number[]
  /** Negation of the lines below by the headings; `null` for some of the lines only. */
  isNegated: boolean | null
  /** True for the label of a form, which has its value on the next line. */
  isLabel?: boolean
  /** True for a question, also for one without a mark. */
  isAsked?: boolean
}

/** A heading with its outer headings and its level. */
type Heading = { level: number; parent: ParentLine }
type Reader = {
  own: readonly MatchedText[]
  find: (text: string) => readonly Match[]
  /** The kind of answer asked for, and the languages of the memory (ISO 639-1). */
  asked?: AskedKind
}
type AskedKind = { kind: AnswerKind; languages: readonly string[] }

/**
 * Lists the parent lines of each sentence. A heading with its outer headings covers all lines that
 * follow, a table header its rows, and a question its reply. A question about "it" has the subject
 * of the question before as a line. A title that is a question covers the first line of the
 * document. `own` has the matches of each sentence.
 */
export function listParentLines(passage: Passage, { own, find, asked = NOT_ASKED }: Reader): (ParentLine | null)[] {
  const { title, startOffset, sentences } = passage
  const hasQuestionTitle = title !== null && startOffset === 0 && isQuestion(title)
  let parent: ParentLine | null = hasQuestionTitle
    ? { ...toMatchedText(find(title)), text: title, place: null, places: [], isNegated: false, isAsked: true }
    : null
  let headings: Heading[] = []
  const topHeading = () => headings.at(-1)?.parent ?? null
  const replies = createReplyReader(passage, hasQuestionTitle)
  const withSubject = createSubjectReader(find, asked)
  const parents = sentences.map((_, place) => {
    const role = replies.read(place)
    if (role === 'after' || isLabelLine(passage, place - 2)) parent = topHeading()
    if (!introducesList(passage, place)) return role === 'aside' ? topHeading() : parent
    const above = parent
    const line = toParentLine(passage, place, own[place])
    const level = headingLevel(line.text)
    headings = headings.filter((heading) => level === null || heading.level < level)
    const isBack = line.isAsked ? replies.ask(place) && level === null : replies.close()
    parent = mergeParents(withSubject(isBack ? above : topHeading(), line), line)
    // The first heading of a document is its title, which describes no section.
    if (level !== null && !isTitle(level, place, passage)) headings.push({ level, parent })
    // A heading starts a new subject.
    return line.isAsked ? above : null
  })
  return withTableHeads(parents, passage, own)
}

function toParentLine(passage: Passage, place: number, own = toMatchedText([])): ParentLine {
  const text = sentenceAt(passage, place)
  const isQuestioned = isAsked(passage, place)
  const isNegated = !isQuestioned && hasNegation(text, passage.language)
  const isLabel = isLabelLine(passage, place)
  return { ...own, text, place, places: [place], isNegated, isLabel, isAsked: isQuestioned }
}

const NOT_ASKED: AskedKind = { kind: 'other', languages: [] }
/** Fewer words repeat the whole question before: "Why?" */
const MIN_FOLLOW_UP_WORDS = 3

/**
 * Creates a function that adds a line with the subject of the question before: "the lift" above
 * "Who pays for it?". The subject alone is no evidence. The question has to ask for the same kind
 * of answer as the user's.
 */
function createSubjectReader(find: Reader['find'], { kind, languages }: AskedKind) {
  let former: string | null = null
  return (outer: ParentLine | null, { text, isAsked }: ParentLine): ParentLine | null => {
    const question = readSpokenQuestion(text)
    const language = isAsked ? languages.find((code) => isIncompleteQuestion(question, code)) : undefined
    if (language === undefined) former = isAsked ? question : null
    if (language === undefined || former === null || question.split(/\s+/).length < MIN_FOLLOW_UP_WORDS) return outer
    if (kind === 'other' || readAnswerKind(question).kind !== kind) return outer
    const [complete = ''] = rewriteFollowUp(question, former, language)
    const subject = complete.startsWith(question) ? complete.slice(question.length).replace(/^ \(|\)$/g, '') : ''
    if (subject === '') return outer
    const line = { ...toMatchedText(find(subject)), text: subject, place: null, places: [], isNegated: false }
    return mergeParents(outer, line)
  }
}

function isTitle(level: number, place: number, { startOffset }: Passage): boolean {
  return level === 1 && place === 0 && startOffset === 0
}

function withTableHeads(
  parents: readonly (ParentLine | null)[],
  passage: Passage,
  own: Reader['own'],
): (ParentLine | null)[] {
  let head: ParentLine | null = null
  return parents.map((above, place) => {
    const text = sentenceAt(passage, place)
    if (!isTableHead(passage, place)) {
      if (!isTableRow(text)) head = null
      return head ?? above
    }
    const isNegated = areRowsNegated(text, passage.language)
    const found = own[place] ?? toMatchedText([])
    // A caption that spans the table is above the names of its columns.
    const outer = isTableHead(passage, place - 2) ? (head ?? above) : above
    head = {
      ...mergeParents(outer, { ...found, text, place, places: [place], isNegated }),
      place: above?.place ?? place,
    }
    return above
  })
}

/** Combines outer headings with a heading or table header below them. */
function mergeParents(outer: ParentLine | null, inner: ParentLine): ParentLine {
  if (outer === null) return inner
  const matches = [...outer.matches, ...inner.matches]
  const isNegated = outer.isNegated === true ? true : inner.isNegated
  const text = `${outer.text}\n${inner.text}`
  return {
    ...toMatchedText(matches),
    text,
    place: inner.place,
    places: [...outer.places, ...inner.places],
    isNegated,
    isLabel: inner.isLabel === true,
    isAsked: inner.isAsked === true,
  }
}

const NAMED_KINDS: ReadonlySet<AnswerKind> = new Set(['person', 'place', 'organization'])
/** A reply about one of these has no name. "Who has the key?" may be answered with a place. */
const OTHER_KINDS: ReadonlySet<AnswerKind> = new Set(['date', 'hour', 'duration', 'money', 'reason'])
const MAX_QUESTION_WORDS = 12
/** "Bettina, gate 4", "Frau Ott." */
const BEGINS_WITH_NAME = /^["“„«]?\p{Lu}\p{Ll}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*){0,2}(?=[,.(]|$)/u

/**
 * True below a question for the same kind of name, whose reply begins with the name: "Bettina, gate
 * 4". `text` is the reply.
 */
export function isNamedReply(text: string, parent: ParentLine | null, kind: AnswerKind): boolean {
  if (parent?.isAsked !== true || !NAMED_KINDS.has(kind)) return false
  return BEGINS_WITH_NAME.test(readSpokenQuestion(text)) && asksForKind(parent, kind)
}

/**
 * True below a question for something else, if a name is asked for: "When does it open?" for "Where
 * is it?"
 */
export function repliesToOtherKind(parent: ParentLine | null, kind: AnswerKind): boolean {
  if (parent?.isAsked !== true || !NAMED_KINDS.has(kind) || asksForKind(parent, kind)) return false
  return OTHER_KINDS.has(readAnswerKind(readSpokenQuestion(parent.text)).kind)
}

/** True for a question with an interrogative of the kind: "When and where is it?" */
function asksForKind({ text }: ParentLine, kind: AnswerKind): boolean {
  const words = readSpokenQuestion(text).split(/\s+/, MAX_QUESTION_WORDS)
  return words.some((_, at) => readAnswerKind(words.slice(at).join(' ')).kind === kind)
}

/**
 * "How do I …?", "how to …", "Wie kann ich …?", "¿Cómo se …?", over texts of `normalizeForMatch`.
 */
const ASKS_HOW = new RegExp(`^ (?:${questionPattern(({ how }) => how)}) `, 'u')
/** Headings of procedures. */
const PROCEDURES = wordPattern(({ answers }) => answers?.procedures, WRITTEN)
const PROCEDURE = new RegExp(
  String.raw`^(?:#{1,6}\s+|\*\*|__)?(?:\d{1,2}[.)] )?(?:${PROCEDURES}|How to\b.{0,60})[^\p{L}\p{N}]*$`,
  'imu',
)
const STEP_WORDS = wordPattern(({ answers }) => answers?.steps, WRITTEN)
/** `Step 2: …` */
export const NAMED_STEP = String.raw`(?:${STEP_WORDS}) (?<named>\d{1,3})(?=[\s.:)–—-])`
const STEP = new RegExp(String.raw`^[\s*_>]{0,12}(?:(?<number>\d{1,3})[.)]\s|${NAMED_STEP})`, 'u')

/** True for a question about a procedure. `asked` is in the form of `normalizeForMatch`. */
export function asksForProcedure(asked: string): boolean {
  return ASKS_HOW.test(asked)
}

/** True for the heading of a procedure: `Method`, `Zubereitung`. */
export function isProcedureHeading(heading: string): boolean {
  return PROCEDURE.test(heading)
}

/** Returns the number of a step; `null` if the sentence has none. */
export function readStepNumber(sentence: string): number | null {
  const groups = STEP.exec(sentence)?.groups
  return groups === undefined ? null : Number(groups['number'] ?? groups['named'])
}
