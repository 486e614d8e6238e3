import type { Steps } from '../../../concurrency/in-turns.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { measuresAsked } from './other-words.ts'
import type { QuestionUnit } from './question-units.ts'

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
 * The words of a question with the compounds of them in the texts: a German "Jahresbeitrag" is a "Beitrag", and "Kabellänge" says how long
 * the "Kabel" is, and its verbs with "zu" in them; and where no text has a "Vermieter" a `Vermieterin` is one. A compound that no text has is looked for by its parts, where they stand there: "Filtergröße" in "ein Filter der Größe 4". A text and a word of
 * the question a step: two hundred words compared with those of a hundred texts take a second.
 */
export function* withCompounds(
  analyzer: Analyzer,
  units: readonly QuestionUnit[],
  { question, languages, texts }: { question: string; languages: readonly string[]; texts: readonly string[] },
): Steps<readonly QuestionUnit[]> {
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
