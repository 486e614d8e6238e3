import type { Analyzer } from '../analysis/analyzer.ts'
import type { QuestionWords } from '../languages/language.ts'
import { LANGUAGES } from '../languages/languages.ts'
import { listPhrases, markedToPattern, phrasesOfAll, WRITTEN } from '../phrases.ts'

/**
 * Words that ask for a meaning, an amount or a consequence. No answer repeats such words: "RTO:
 * recovery time objective" answers "What does `RTO stand for`?". The context matters, because "the
 * mean" is an ordinary word.
 */
const FILLERS = markedWords(({ fillers }) => fillers)

/**
 * Words that relate a person or a place to a matter. Texts often omit the relation: `| Payroll |
 * Maria Sousa |`, "There are coins at the kiosk.".
 */
const RELATION_WORDS = markedWords(({ relations }) => relations)

/** Words of permission, by language. A heading such as `Forbidden` answers without such words. */
const PERMISSION = Object.values(LANGUAGES)
  .filter(({ questions }) => questions?.permission !== undefined)
  .map(({ code, questions }) => ({ language: code, words: wholeWords(listPhrases(questions?.permission)) }))

function markedWords(select: (questions: QuestionWords) => string | undefined): RegExp {
  return wholeWords(phrasesOfAll(({ questions }) => questions && select(questions)))
}

function wholeWords(phrases: readonly string[]): RegExp {
  const forms = phrases.map((phrase) => `(?<!\\p{L})(?:${markedToPattern(phrase, WRITTEN)})(?!\\p{L})`)
  return new RegExp(forms.join('|'), 'giu')
}

/**
 * Removes relation words that no text contains. Removes words of permission if a text contains the
 * rest of the question.
 */
export function stripRelationWords(
  analyzer: Analyzer,
  question: string,
  { languages, texts }: { languages: readonly string[]; texts: readonly string[] },
): string {
  // "of" is a stop word in English, but a content word in a memory of German texts.
  const spoken = analyzer.queryTerms(question, languages).languages.slice(0, 1)
  const isTold = (rest: string, language: string) => {
    const { terms } = analyzer.queryTerms(rest, [language])
    return texts.some((text) => analyzer.findTerms(text, terms, languages).length > 0)
  }
  const rests = PERMISSION.map(({ language, words }) => ({ language, rest: blank(question, words) }))
  const told = rests.find(({ language, rest }) => rest !== question && isTold(rest, language))
  const isSaid = (words: string) => {
    const { terms } = analyzer.queryTerms(words, spoken)
    return texts.some((text) => {
      const found = new Set(analyzer.findTerms(text, terms, languages).map(({ term }) => term))
      return terms.every((term) => found.has(term))
    })
  }
  // Cached, because a question may repeat "who handles" many times.
  const said = new Map<string, boolean>()
  return (told?.rest ?? question).replace(RELATION_WORDS, (words) => {
    const tie = words.toLowerCase()
    const isThere = said.get(tie) ?? isSaid(tie)
    said.set(tie, isThere)
    return isThere ? words : ' '.repeat(words.length)
  })
}

/**
 * Removes filler words and keeps the offsets of all other words. Returns the question unchanged if
 * no other words remain: "What does it mean?"
 */
export function stripDefinitionPhrases(analyzer: Analyzer, question: string, languages: readonly string[]): string {
  const rest = blank(question, FILLERS)
  if (rest === question) return question
  const asked = new Set(analyzer.queryTerms(question, languages).terms)
  return analyzer.queryTerms(rest, languages).terms.every((term) => asked.has(term)) ? rest : question
}

function blank(question: string, form: RegExp): string {
  return question.replace(form, (words) => ' '.repeat(words.length))
}

/** Phrases of common words, with an equivalent content word. */
const REWRITES = Object.values(LANGUAGES).flatMap(({ questions }) =>
  Object.entries(questions?.rewrites ?? {}).map(([word, phrases]) => ({
    word,
    phrase: wholeWords(listPhrases(phrases)),
  })),
)

/**
 * Replaces phrases by words of texts: "Who was at the meeting?" becomes a question for attendees,
 * and `Present: Ann Lee` answers it.
 */
export function replacePhrases(question: string): string {
  return REWRITES.reduce((said, { phrase, word }) => said.replace(phrase, word), question)
}
