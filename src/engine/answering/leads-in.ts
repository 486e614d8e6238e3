import type { Span } from '../chunking/split-text.ts'
import type { Passage } from './read-sentences.ts'

/** Behind a closing quotation mark it may be a name: "Who's Afraid of Virginia Woolf?"; in brackets of its own it is a doubt. */
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
/** `Status: open` */
const PAIR = /^[\p{L}][^\n:：]{0,30}(?:：|:\s)\s*\S/u
const HEADING_SIGN = /^#{1,6}\s+/
/** What a letter is about, in the line that says so above it. */
const SUBJECT =
  /^(?:Subject|Re|Betreff|Betrifft|Objet|Asunto|Oggetto|Assunto|Onderwerp|Тема|Temat|主题|主旨|件名)(?:：| ?:\s)/iu
/** `4. School meals`, `§ 3 Pay`: a few words behind a number, in a text whose headings have no signs. */
const NUMBERED = /^(?:(?:§ ?)?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?|[IVX]{1,5}[.)]) \p{L}[^.!?:：;|]{1,60}$/u
/** A line that has nothing above it but white space, or a gap. */
const GAP = /\n[^\S\n]*\n\s*$/u

/** True for a question, a heading and the subject of a letter: they answer nothing, and what comes next is about the same. */
export function leadsIn(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  return text !== '' && (asks(text) || SUBJECT.test(text) || isHeading(text, passage) || isNumbered(passage, place))
}

/** True for what ends as a question does. */
export function asks(text: string): boolean {
  return QUESTION_MARK.test(text) || (GREEK_MARK.test(text) && GREEK.test(text))
}

/** Empty where there is none. */
export function sentenceAt({ text, sentences }: Passage, place: number): string {
  const span = sentences[place]
  return span === undefined ? '' : text.slice(span.start, span.end)
}

/**
 * What stands at the top of a document that has no title, in a few words in capitals or above lines of labels and values: it says what the rest is about. `null` where there
 * is none; of other lines the first says no more than the second: `Anna likes tea`, `Ben likes milk`.
 */
export function firstLineOf({ title, text, startOffset, sentences }: Passage): string | null {
  const [first, second, third] = sentences
  if (title !== null || startOffset > MOST_INDENT_CHARACTERS || first === undefined || second === undefined) return null
  const line = text.slice(first.start, first.end)
  if (line.length > MOST_TITLE_CHARACTERS || SENTENCE_END.test(line) || /[|,;:：]/.test(line)) return null
  if (!text.slice(first.end, second.start).includes('\n')) return null
  const isInCapitals = /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line) && line.split(/\s+/).length <= MOST_TITLE_WORDS
  const isPair = (span: Span | undefined) => span !== undefined && PAIR.test(text.slice(span.start, span.end))
  return isInCapitals || (isPair(second) && isPair(third)) ? line : null
}

/** True for a line below a gap and above one that says something: the items of a list, which stand close together, are none. */
function isNumbered(passage: Passage, place: number): boolean {
  const { text, sentences } = passage
  const [before, own, after] = [sentences[place - 1], sentences[place], sentences[place + 1]]
  if (own === undefined || after === undefined || !NUMBERED.test(sentenceAt(passage, place))) return false
  const above = text.slice(before?.end ?? 0, own.start)
  return (
    (before === undefined || GAP.test(above)) &&
    /^[^\S\n]*\n/.test(text.slice(own.end, after.start)) &&
    !NUMBERED.test(sentenceAt(passage, place + 1))
  )
}

function isHeading(text: string, passage: Passage): boolean {
  const { title, section, sentences } = passage
  if (HEADING_SIGN.test(text)) return true
  // A statement that is a document of its own is its own title.
  if (text === title && sentences.length > 1 && !SENTENCE_END.test(text)) return true
  if (text === firstLineOf(passage) && !/\d/.test(text)) return true
  return section !== null && (section === text || section.endsWith(` > ${text}`))
}
