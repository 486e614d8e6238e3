import type { CooperativeTask } from '../../concurrency/event-loop-yield.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import { type AnswerKind, type Language, listWords } from '../languages/language.ts'
import { languagesWith, wordsOfAll } from '../languages/languages.ts'
import { SYNONYMS } from '../synonyms.ts'
import { STRONG_KINDS } from './answer-kinds.ts'
import type { QuestionUnit } from './question-units.ts'

/** German compounds whose second part is the property asked for: "Rechnungsnummer". */
const COMPOUND =
  /^(\p{L}{4,}?)(?:s|n|en|es)?(nummer|datum|betrag|adresse|frist|dauer|kosten|miete|preis|beginn|zahlung|gebühr)$/u

/** Words for number and year in other languages that are function words in English or German. */
const IGNORED_TERMS: ReadonlySet<string> = new Set(['no', 'n', 'an'])

/**
 * A question about a meeting may be answered by its minutes, which do not name the meeting:
 * `Minutes of the board`, "Held on 3 May".
 */
const MEETINGS: ReadonlySet<string> = new Set(wordsOfAll(({ meetings }) => meetings).map(normalizeWordForMatch))
const MINUTES_KINDS: ReadonlySet<AnswerKind> = new Set(['date', 'hour', 'place', 'person'])
const MINUTES_WORDS = wordsOfAll(({ meetingRecords }) => meetingRecords)

/** Prepositions before the parties of a contract. */
const BETWEEN = wordsOfAll(({ answers }) => answers?.between).filter((word) => !word.includes('_'))

/** Words of the same group, by word: measures, measures with form labels, people, calls. */
const MEASURES = readGroups(({ measureWords }) => measureWords)
const MEASURE_SYNONYMS = indexByWord(MEASURES)
const MEASURE_NAMES = indexByWord(MEASURES, (group) => group.slice(0, 1))
const LABEL_SYNONYMS = indexByWord([...readGroups(({ measureWords }) => measureWords), ...listLabels()])
const PEOPLE_SYNONYMS = indexByWord(readGroups(({ peopleWords }) => peopleWords))
const CALLING_SYNONYMS = indexByWord([wordsOfAll(({ callingWords }) => callingWords)])

/** Names of the measures that a text has words of: "long" for `Total length`. */
export function listMeasures(text: string): ReadonlySet<string> {
  const words = normalizeForMatch(text).trim().split(' ')
  return new Set(words.flatMap((word) => MEASURE_NAMES.get(word) ?? []))
}

/**
 * Groups of the form `name: words, name: words`, merged over all languages. The name belongs to its
 * group.
 */
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

function indexByWord(
  lines: readonly string[][],
  select = (line: readonly string[]) => line,
): ReadonlyMap<string, readonly string[]> {
  const alike = new Map<string, string[]>()
  for (const line of lines)
    for (const form of line.map(normalizeWordForMatch)) alike.set(form, [...(alike.get(form) ?? []), ...select(line)])
  return alike
}

/**
 * Adds synonyms to a question for an amount, a time, a measure or a person: `Packed weight` for
 * "heavy", `Present` for "attended". Names get none. Other questions get none, because form labels
 * such as "head" and "mark" have other meanings in prose. A German compound is also split:
 * "Rechnungsnummer" finds `Rechnung Nr. 12`.
 */
export function addSynonyms(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { languages, kind }: { languages: readonly string[]; kind: AnswerKind },
): QuestionUnit[] {
  const parts = units.flatMap((unit) =>
    languages.includes('de') ? splitListedCompound(analyzer, unit) : [{ unit, whole: null }],
  )
  return parts.map(({ unit, whole }) => {
    const words = unit.isName
      ? []
      : [unit.word, whole ?? unit.word].flatMap((word) => synonymsOf(normalizeWordForMatch(word), kind, whole !== null))
    const terms = new Set(languages.flatMap((language) => words.flatMap((word) => analyzer.terms(word, language))))
    const others = [...terms].filter((term) => !unit.terms.includes(term) && !IGNORED_TERMS.has(term))
    return { ...unit, terms: [...unit.terms, ...others], synonyms: others }
  })
}

/**
 * Terms of the measure that a question asks for: "Länge" and its synonyms for "Wie lang ist das
 * Kabel?".
 */
function listMeasureTerms(analyzer: Analyzer, question: string, language: string): string[] {
  const forms = new Set(question.split(/[^\p{L}]+/u).map(normalizeWordForMatch))
  const words = new Set([...forms].flatMap((form) => MEASURE_SYNONYMS.get(form) ?? []))
  return [...new Set([...words].flatMap((word) => analyzer.terms(word, language)))]
}

function synonymsOf(word: string, kind: AnswerKind, isPart: boolean): readonly string[] {
  if (kind === 'parties') return BETWEEN
  const alike = (STRONG_KINDS.has(kind) || isPart ? LABEL_SYNONYMS.get(word) : undefined) ?? []
  if (kind === 'identifier') return [...alike, ...(CALLING_SYNONYMS.get(word) ?? [])]
  if (!MINUTES_KINDS.has(kind)) return alike
  const people = (kind === 'person' ? PEOPLE_SYNONYMS.get(word) : undefined) ?? []
  return [...alike, ...people, ...(MEETINGS.has(word) ? MINUTES_WORDS : [])]
}

/** Parts of a compound, each with the terms of the whole; the word itself if it is no compound. */
function splitListedCompound(analyzer: Analyzer, unit: QuestionUnit): { unit: QuestionUnit; whole: string | null }[] {
  const [, head, tail] = COMPOUND.exec(unit.word.toLowerCase()) ?? []
  if (head === undefined || tail === undefined) return [{ unit, whole: null }]
  return [head, tail].map((word) => ({
    unit: { ...unit, word, terms: [...unit.terms, ...analyzer.terms(word, 'de')] },
    whole: unit.word,
  }))
}

/** Shorter parts match too many words by chance: "Rat" ends "Apparat". */
const MIN_HEAD_LETTERS = 5
const MIN_MODIFIER_LETTERS = 4
/** Minimum length of the rest of a compound: "Jahr" in "Jahresbeitrag", "See" in "Seehafen". */
const MIN_MORE_LETTERS = 3
const LINK = /(?:en|es|s|n|e)$/u
const NOUN = /^\p{Lu}/u
/** Feminine suffix of stems: a "Vermieter" (`vermiet`) may be a `Vermieterin`. */
const FEMININE_SUFFIX = /(?:er)?inn?$/u

/** Separable prefixes: "abgeben", "abzugeben". */
const PREFIX = /^(?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|zurück|zuruck|zusammen|zu)(?=\p{L}{4})/u

/**
 * Adds German compounds and infinitives of the texts to the question. A "Jahresbeitrag" is a
 * "Beitrag", and "Kabellänge" states how long the "Kabel" is. If no text has "Vermieter",
 * `Vermieterin` matches. A compound that no text contains is split: "Filtergröße" matches "ein
 * Filter der Größe 4". One text or word per step, because comparing 200 words with 100 texts takes
 * a second.
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
  const measures = listMeasureTerms(analyzer, question, 'de')
  const found: QuestionUnit[] = []
  for (const unit of units) {
    found.push(
      ...(NOUN.test(unit.word) ? addCompoundTerms(unit, { known, measures, stem }) : [withInfinitive(unit, known)]),
    )
    yield
  }
  return found
}

type Known = {
  /** Terms of the texts. */
  known: ReadonlySet<string>
  /** Terms of the measure that the question asks for. */
  measures: readonly string[]
  stem: (word: string) => string
}

function addCompoundTerms(unit: QuestionUnit, { known, measures, stem }: Known): QuestionUnit[] {
  const isKnown = unit.terms.some((term) => known.has(term))
  const parts = isKnown ? null : splitCompound(unit.terms[0] ?? '', { known, stem })
  if (parts !== null) return parts.map((term) => ({ ...unit, terms: [...unit.terms, term] }))
  const heads = unit.terms.filter((term) => term.length >= MIN_HEAD_LETTERS)
  const compounds = [...known].filter(
    (term) =>
      (!isKnown && unit.terms.some((own) => differsInGender(own, term))) ||
      heads.some((head) => term.length >= head.length + MIN_MORE_LETTERS && term.endsWith(head)) ||
      measures.some(
        (measure) => term.endsWith(measure) && isModifier(term.slice(0, -measure.length), unit.terms, stem),
      ),
  )
  return [{ ...unit, terms: [...unit.terms, ...compounds] }]
}

/** "Was muss ich mitbringen?" is answered by "Mitzubringen ist …". */
function withInfinitive(unit: QuestionUnit, known: ReadonlySet<string>): QuestionUnit {
  const forms = unit.terms.map((term) => term.replace(PREFIX, (prefix) => `${prefix}zu`))
  return { ...unit, terms: [...new Set([...unit.terms, ...forms.filter((form) => known.has(form))])] }
}

function differsInGender(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const isOne = short.length >= MIN_MODIFIER_LETTERS && long.startsWith(short) && FEMININE_SUFFIX.test(long)
  return isOne && (long.slice(short.length) === 'in' || long.replace(FEMININE_SUFFIX, '') === short)
}

/** True for the first part of a compound that is one of the terms: "kabel", "vertrags". */
function isModifier(modifier: string, terms: readonly string[], stem: (word: string) => string): boolean {
  return modifier.length >= MIN_MORE_LETTERS && formsOf(modifier, stem).some((form) => terms.includes(form))
}

function formsOf(modifier: string, stem: (word: string) => string): string[] {
  const unlinked = modifier.replace(LINK, '')
  return [modifier, unlinked, stem(modifier), stem(unlinked)]
}

/** Splits a compound into two stems that occur in the texts; `null` if there are none. */
function splitCompound(compound: string, { known, stem }: Pick<Known, 'known' | 'stem'>): [string, string] | null {
  for (let at = MIN_MODIFIER_LETTERS; at <= compound.length - MIN_HEAD_LETTERS; at++) {
    const head = compound.slice(at)
    if (!known.has(head)) continue
    const found = formsOf(compound.slice(0, at), stem).find((form) => known.has(form))
    if (found !== undefined && found.length >= MIN_MODIFIER_LETTERS) return [found, head]
  }
  return null
}
