import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeWordForMatch } from '../analysis/fold.ts'
import { type AnswerKind, type Language, listWords } from '../languages/language.ts'
import { languagesWith, wordsOfAll } from '../languages/languages.ts'
import { SYNONYMS } from '../meanings.ts'
import { STRONG } from './answer-kinds.ts'
import type { QuestionUnit } from './question-units.ts'

/** German words of two, of which the second says what is asked for: "Rechnungsnummer". */
const COMPOUND =
  /^(\p{L}{4,}?)(?:s|n|en|es)?(nummer|datum|betrag|adresse|frist|dauer|kosten|miete|preis|beginn|zahlung|gebühr)$/u

/**
 * Among the words for a number and a year in other languages, and in English or German words that
 * say nothing.
 */
const SAYING_NOTHING: ReadonlySet<string> = new Set(['no', 'n', 'an'])

/**
 * A question for a meeting is also answered by its minutes, which do not name it: `Minutes of the
 * board`, "Held on 3 May".
 */
const MEETINGS: ReadonlySet<string> = new Set(wordsOfAll(({ meetings }) => meetings).map(normalizeWordForMatch))
const MINUTES_KINDS: ReadonlySet<AnswerKind> = new Set(['date', 'hour', 'place', 'person'])
const MINUTES_WORDS = wordsOfAll(({ meetingRecords }) => meetingRecords)

/** The parties of a contract follow these words. */
const BETWEEN = wordsOfAll(({ answers }) => answers?.between).filter((word) => !word.includes('_'))

/**
 * The words of the same group, by word: of measures, of measures and the labels of forms, of
 * people, of calls.
 */
const ALIKE_OF_MEASURES = readAlike(readGroups(({ measureWords }) => measureWords))
const ALIKE = readAlike([...readGroups(({ measureWords }) => measureWords), ...listLabels()])
const ALIKE_OF_PEOPLE = readAlike(readGroups(({ peopleWords }) => peopleWords))
const ALIKE_OF_NUMBERS = readAlike([wordsOfAll(({ callingWords }) => callingWords)])

/** The groups `name: words, name: words` of all languages; the name is a word of its group. */
function readGroups(select: (language: Language) => string | undefined): string[][] {
  const groups = new Map<string, string[]>()
  for (const language of languagesWith(select)) {
    for (const group of (select(language) ?? '').split(',')) {
      const [name = '', words] = group.split(':')
      const known = groups.get(name.trim()) ?? [name.trim()]
      groups.set(name.trim(), [...known, ...listWords(words)])
    }
  }
  return [...groups.values()]
}

function listLabels(): string[][] {
  const labels = new Map<string, string[]>()
  for (const [phrase, meaning] of SYNONYMS)
    if (!phrase.includes(' ')) labels.set(meaning, [...(labels.get(meaning) ?? []), phrase])
  return [...labels.values()]
}

function readAlike(lines: readonly string[][]): ReadonlyMap<string, readonly string[]> {
  const alike = new Map<string, string[]>()
  for (const line of lines)
    for (const form of line.map(normalizeWordForMatch)) alike.set(form, [...(alike.get(form) ?? []), ...line])
  return alike
}

/**
 * The words of a question that asks for an amount, a time or a measure, or for somebody, with other
 * words for the same, which a text may have in their place: `Packed weight` for "heavy", `Present`
 * for "attended". Names have none; in other questions "the head" and "the mark" are not what they
 * are in a form. A German word of two is also looked for by its parts: "Rechnungsnummer" in
 * `Rechnung Nr. 12`.
 */
export function addSynonyms(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { languages, kind }: { languages: readonly string[]; kind: AnswerKind },
): QuestionUnit[] {
  const parts = units.flatMap((unit) => (languages.includes('de') ? partsOf(analyzer, unit) : [{ unit, whole: null }]))
  return parts.map(({ unit, whole }) => {
    const words = unit.isName
      ? []
      : [unit.word, whole ?? unit.word].flatMap((word) => othersOf(normalizeWordForMatch(word), kind, whole !== null))
    const terms = new Set(languages.flatMap((language) => words.flatMap((word) => analyzer.terms(word, language))))
    const others = [...terms].filter((term) => !unit.terms.includes(term) && !SAYING_NOTHING.has(term))
    return { ...unit, terms: [...unit.terms, ...others], others }
  })
}

/**
 * What measures by the words of a question, as the terms of a language: of "Wie lang ist das
 * Kabel?" those of "Länge" and its likes.
 */
function measuresAsked(analyzer: Analyzer, question: string, language: string): string[] {
  const forms = new Set(question.split(/[^\p{L}]+/u).map(normalizeWordForMatch))
  const words = new Set([...forms].flatMap((form) => ALIKE_OF_MEASURES.get(form) ?? []))
  return [...new Set([...words].flatMap((word) => analyzer.terms(word, language)))]
}

function othersOf(word: string, kind: AnswerKind, isPart: boolean): readonly string[] {
  if (kind === 'parties') return BETWEEN
  const alike = (STRONG.has(kind) || isPart ? ALIKE.get(word) : undefined) ?? []
  if (kind === 'identifier') return [...alike, ...(ALIKE_OF_NUMBERS.get(word) ?? [])]
  if (!MINUTES_KINDS.has(kind)) return alike
  const people = (kind === 'person' ? ALIKE_OF_PEOPLE.get(word) : undefined) ?? []
  return [...alike, ...people, ...(MEETINGS.has(word) ? MINUTES_WORDS : [])]
}

/**
 * The parts of a word of two, of which each is also found by the whole; the word itself where it is
 * none.
 */
function partsOf(analyzer: Analyzer, unit: QuestionUnit): { unit: QuestionUnit; whole: string | null }[] {
  const [, head, tail] = COMPOUND.exec(unit.word.toLowerCase()) ?? []
  if (head === undefined || tail === undefined) return [{ unit, whole: null }]
  return [head, tail].map((word) => ({
    unit: { ...unit, word, terms: [...unit.terms, ...analyzer.terms(word, 'de')] },
    whole: unit.word,
  }))
}

/** Fewer letters end and begin too many words by chance: "Rat" ends "Apparat". */
const LEAST_HEAD_LETTERS = 5
const LEAST_MODIFIER_LETTERS = 4
/** Of a longer compound: "Jahr" in "Jahresbeitrag", "See" in "Seehafen". */
const LEAST_MORE_LETTERS = 3
const LINK = /(?:en|es|s|n|e)$/u
const NOUN = /^\p{Lu}/u
/** As terms: who is a "Vermieter" (`vermiet`) may be a `Vermieterin`. */
const WOMAN = /(?:er)?inn?$/u

/** What parts from a verb: "abgeben", "abzugeben". */
const PREFIX = /^(?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|zurück|zuruck|zusammen|zu)(?=\p{L}{4})/u

/**
 * The words of a question with the compounds of them in the texts: a German "Jahresbeitrag" is a
 * "Beitrag", and "Kabellänge" says how long the "Kabel" is, and its verbs with "zu" in them; and
 * where no text has a "Vermieter" a `Vermieterin` is one. A compound that no text has is looked for
 * by its parts, where they stand there: "Filtergröße" in "ein Filter der Größe 4". A text and a
 * word of the question a step: two hundred words compared with those of a hundred texts take a
 * second.
 */
export function* addCompounds(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { question, languages, texts }: { question: string; languages: readonly string[]; texts: readonly string[] },
): CooperativeTask<readonly QuestionUnit[]> {
  if (!languages.includes('de') || !units.some(({ word }) => NOUN.test(word) || PREFIX.test(word))) return units
  const known = new Set<string>()
  for (const text of texts) {
    for (const term of analyzer.terms(text, 'de')) known.add(term)
    yield
  }
  const stem = (word: string) => analyzer.terms(word, 'de')[0] ?? word
  const measures = measuresAsked(analyzer, question, 'de')
  const found: QuestionUnit[] = []
  for (const unit of units) {
    found.push(...(NOUN.test(unit.word) ? joinOrSplit(unit, { known, measures, stem }) : [withInfinitive(unit, known)]))
    yield
  }
  return found
}

type Known = {
  /** Terms of the texts. */
  known: ReadonlySet<string>
  /** Terms of what measures, by the words of the question. */
  measures: readonly string[]
  stem: (word: string) => string
}

function joinOrSplit(unit: QuestionUnit, { known, measures, stem }: Known): QuestionUnit[] {
  const isKnown = unit.terms.some((term) => known.has(term))
  const parts = isKnown ? null : splitCompound(unit.terms[0] ?? '', { known, stem })
  if (parts !== null) return parts.map((term) => ({ ...unit, terms: [...unit.terms, term] }))
  const heads = unit.terms.filter((term) => term.length >= LEAST_HEAD_LETTERS)
  const compounds = [...known].filter(
    (term) =>
      (!isKnown && unit.terms.some((own) => isSamePerson(own, term))) ||
      heads.some((head) => term.length >= head.length + LEAST_MORE_LETTERS && term.endsWith(head)) ||
      measures.some((measure) => term.endsWith(measure) && begins(term.slice(0, -measure.length), unit.terms, stem)),
  )
  return [{ ...unit, terms: [...unit.terms, ...compounds] }]
}

/** "Was muss ich mitbringen?" is answered by "Mitzubringen ist …". */
function withInfinitive(unit: QuestionUnit, known: ReadonlySet<string>): QuestionUnit {
  const forms = unit.terms.map((term) => term.replace(PREFIX, (prefix) => `${prefix}zu`))
  return { ...unit, terms: [...new Set([...unit.terms, ...forms.filter((form) => known.has(form))])] }
}

function isSamePerson(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const isOne = short.length >= LEAST_MODIFIER_LETTERS && long.startsWith(short) && WOMAN.test(long)
  return isOne && (long.slice(short.length) === 'in' || long.replace(WOMAN, '') === short)
}

/** True for what a compound begins with where it is one of some terms: "kabel", "vertrags". */
function begins(modifier: string, terms: readonly string[], stem: (word: string) => string): boolean {
  return modifier.length >= LEAST_MORE_LETTERS && formsOf(modifier, stem).some((form) => terms.includes(form))
}

function formsOf(modifier: string, stem: (word: string) => string): string[] {
  const unlinked = modifier.replace(LINK, '')
  return [modifier, unlinked, stem(modifier), stem(unlinked)]
}

/** The stems of the two parts; `null` where a text has no such two. */
function splitCompound(compound: string, { known, stem }: Pick<Known, 'known' | 'stem'>): [string, string] | null {
  for (let at = LEAST_MODIFIER_LETTERS; at <= compound.length - LEAST_HEAD_LETTERS; at++) {
    const head = compound.slice(at)
    if (!known.has(head)) continue
    const found = formsOf(compound.slice(0, at), stem).find((form) => known.has(form))
    if (found !== undefined && found.length >= LEAST_MODIFIER_LETTERS) return [found, head]
  }
  return null
}
