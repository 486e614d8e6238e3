import type { Passage } from './read-sentences.ts'

/** Behind a closing quotation mark it may be a name: "Who's Afraid of Virginia Woolf?"; in brackets of its own it is a doubt. */
const QUESTION_MARK = /(?<![([])[?？؟]!?[)\]*_]*$/u
/** Of Greek, where other languages have a semicolon. */
const GREEK_MARK = /[;\u037e]$/
const GREEK = /\p{Script=Greek}{2}/u
const SENTENCE_END = /[.!?…。！？]$/u
const HEADING_SIGN = /^#{1,6}\s+/

/** True for a question and a heading: they answer nothing, and what comes next is about the same. */
export function leadsIn(passage: Passage, place: number): boolean {
  const text = sentenceAt(passage, place)
  return text !== '' && (asks(text) || isHeading(text, passage))
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

function isHeading(text: string, { title, section, sentences }: Passage): boolean {
  if (HEADING_SIGN.test(text)) return true
  // A statement that is a document of its own is its own title.
  if (text === title && sentences.length > 1 && !SENTENCE_END.test(text)) return true
  return section !== null && (section === text || section.endsWith(` > ${text}`))
}
