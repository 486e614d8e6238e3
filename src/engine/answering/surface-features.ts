import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import type { AnswerKind, DefinitionWords, Language } from '../languages/language.ts'
import { ITEM_MARK } from '../markup.ts'
import { WRITTEN, wordPattern } from '../phrases.ts'
import { questionPattern, SOFT_KINDS, STRONG_KINDS } from './answer-kinds.ts'
import { isQuestion } from './dialogue-lines.ts'
import { excludeNamesAndMoney, findEvidence, headingAnswers, isNameHeading, mayStartWithName } from './evidence.ts'
import { UNIT_FORMS } from './evidence-patterns.ts'
import { listMeasures } from './expand-question.ts'
import { asksForProcedure, isProcedureHeading, type ParentLine, readStepNumber } from './parent-lines.ts'
import type { Match } from './passage.ts'
import type { QuestionUnit } from './question-units.ts'
import type { ReadSentence } from './read-sentences.ts'
import { findRowLabel, hasRemark, isLabelAsked } from './table-rows.ts'

/** Features of the form of a sentence, by the form of the question; 0 or 1 unless noted. */
export type SurfaceFeatures = {
  /**
   * 1 with evidence of the expected kind, -1 without. 0 if no kind is expected, or if all numbers
   * count something else.
   */
  strong: number
  soft: number
  reason: number
  /** The sentence defines the thing, and the question asks for its definition only. */
  defines: number
  /**
   * A numbered step below a heading with a word of the question, or below `Method` if the title has
   * one. The question asks for a procedure.
   */
  step: number
  /**
   * The heading has a word of the question, and exactly one of heading and question is negated:
   * `What is not covered`.
   */
  opposite: number
  /** Proximity of the evidence to a question word. */
  near: number
  /** The sentence is a row of a table. */
  row: number
  /** The first cell of the row has only words of the question. */
  rowNamed: number
  /** Neither sentence, line above nor title has the noun behind "how many". */
  uncounted: number
  /** The question asks for a measure, and the sentence names only others: `Width: 3 m`. */
  otherMeasure: number
}

/** Input of the reader. */
type SurfaceReaderInput = { question: string; kind: AnswerKind; units: readonly QuestionUnit[]; isNegated: boolean }
/** Text of a sentence, and the question units in the document title. */
type Around = { text: string; titled: ReadonlySet<number> }

const FIGURE = /\d/
/** A year, or a period in another form. */
const NO_LETTER = /^\P{L}*$/u
const NEAR_CHARACTERS = 40
const COUNTS = new RegExp(` (?:${questionPattern(({ howMany }) => howMany)})( .*)`, 'u')

/** Creates a reader of surface features for a question. */
export function createSurfaceReader({
  question,
  kind,
  units,
  isNegated,
}: SurfaceReaderInput): (sentence: ReadSentence, around: Around) => SurfaceFeatures {
  const asked = normalizeForMatch(question)
  const isWhat = asksWhat(asked)
  const isHow = asksForProcedure(asked)
  const counted = findCountedUnit(asked, units)
  const all = { units: units.length, isPerson: kind === 'person' }
  const measures: ReadonlySet<string> = kind === 'measure' ? listMeasures(question) : new Set()
  return (sentence, { text, titled }) => ({
    ...readKind({ asked, kind, counted, units: units.length }, text, sentence),
    defines: isWhat && isDefinition(text, sentence, all) ? 1 : 0,
    opposite: hasOppositeNegation(sentence.parent, isNegated) ? 1 : 0,
    step: isHow && isStepBelow(sentence.parent, titled, text) ? 1 : 0,
    row: findRowLabel(text) === null ? 0 : 1,
    rowNamed: isLabelAsked(text, sentence) ? 1 : 0,
    otherMeasure: hasOtherMeasure(measures, text, sentence.parent) ? 1 : 0,
    uncounted: counted === null || isNamed(counted, sentence) || titled.has(counted) ? 0 : 1,
  })
}

function readKind(
  { asked, kind, counted, units: all }: { asked: string; kind: AnswerKind; counted: number | null; units: number },
  text: string,
  { matches, units, start, parent }: ReadSentence,
) {
  const none = { strong: 0, soft: 0, reason: 0, near: 0 }
  const evidence = findEvidence(text, kind, asked)
  if (evidence === null) return none
  if (evidence.length === 0 && headingAnswers(parent?.text ?? '', { kind, words: asked })) return none
  if (evidence.length === 0 && kind === 'person' && mayBeNamed(text, parent, asked)) return none
  const isUncounted = kind === 'number' && counted !== null && !isNamed(counted, { units, parent })
  const isOther = isUncounted && excludeNamesAndMoney(text, evidence).length === 0
  const inRow = evidence.length === 0 && hasUnitAbove(text, kind, parent)
  const has = evidence.length === 0 && inRow === false ? -1 : isOther || inRow === null ? 0 : 1
  const near = nearness(evidence, counted === null ? matches : matches.filter(({ unit }) => unit === counted), start)
  if (STRONG_KINDS.has(kind)) return { ...none, strong: has, near }
  if (SOFT_KINDS.has(kind)) return { ...none, soft: has, near }
  return { ...none, reason: has < 0 && hasRemark(text, { matches, start }, all) ? 0 : has }
}

/** True for a first word that may be a name, and below a name. */
function mayBeNamed(text: string, parent: ParentLine | null, asked: string): boolean {
  return mayStartWithName(text, asked) || isNameHeading(parent?.text ?? '')
}

/**
 * True for a row with figures below the unit asked for (`EUR million`), or below a word of the
 * question (`Price`) that belongs to no period. `null` for a row with figures below other words,
 * false below another unit.
 */
function hasUnitAbove(text: string, kind: AnswerKind, parent: ParentLine | null): boolean | null {
  const label = findRowLabel(text)
  if (label === null || parent === null || !FIGURE.test(text.slice(label.end))) return false
  const periods = new Set(parent.matches.flatMap(({ unit, term }) => (NO_LETTER.test(term) ? [unit] : [])))
  const unit = UNIT_FORMS[kind]
  if (parent.units.size > periods.size || unit?.test(parent.text) === true) return true
  return unit !== undefined && Object.values(UNIT_FORMS).some((other) => other.test(parent.text)) ? false : null
}

function nearness(evidence: readonly Span[], matches: readonly Match[], start: number): number {
  let nearest = Number.POSITIVE_INFINITY
  // No spread: a word with many synonyms may have more pairs than a call has arguments.
  for (const span of evidence)
    for (const match of matches)
      nearest = Math.min(nearest, Math.max(0, match.start - start - span.end, span.start - (match.end - start)))
  return 1 / (1 + nearest / NEAR_CHARACTERS)
}

/** Returns the counted unit, directly after "How many"; `null` if there is none. */
function findCountedUnit(asked: string, units: readonly QuestionUnit[]): number | null {
  const rest = COUNTS.exec(asked)?.[1]
  if (rest === undefined) return null
  const places = units.map(({ word }) => rest.indexOf(` ${normalizeWordForMatch(word)} `))
  const found = places.filter((place) => place >= 0)
  return found.length === 0 ? null : places.indexOf(Math.min(...found))
}

/** The start of a line before its value: `Depth of the pool: 2 m`. */
const LABEL = /^[^:\n]{1,60}(?=:\s)/u
/** "The depth of the pool is 2 m." */
const FIRST_NOUN = /^\P{L}{0,5}(?:\p{L}{1,5} )??(\p{L}{1,30}) \p{L}{1,3} /u
/** `Depth (m)` */
const LAST_WORD = /(\p{L}{1,30})\P{L}{0,5}(?:[(,].{0,10})?$/u
/** "180 cm high", "3 m in length" */
const BEHIND_FIGURE = /^[ (-]{0,2}(?:(\p{L}{4,30})|\p{L}{1,3} (\p{L}{1,30}))/u
/** "weighs 22 kg", "a depth of 2 m", "weighs about 22 kg" */
const BEFORE_FIGURE = /(\p{L}{1,30})(?: \p{L}{1,3}| \p{L}{1,3} \p{L}{1,12}| \p{Ll}{1,12})? $/u
const ADJACENT_CHARACTERS = 60

/**
 * True if a label, a header or the words beside a figure name other measures only. "A deep valley"
 * without a figure says nothing.
 */
function hasOtherMeasure(measures: ReadonlySet<string>, text: string, parent: ParentLine | null): boolean {
  const around = measures.size === 0 ? [] : [...listMeasures(`${parent?.text ?? ''}\n${text}`)]
  if (around.length === 0 || around.some((measure) => measures.has(measure))) return false
  const row = findRowLabel(text)
  const labels = [row === null ? LABEL.exec(text)?.[0] : text.slice(row.start, row.end), ...listCells(parent)]
  return (
    labels.some((label) => label !== undefined && isMeasure(label, [FIRST_NOUN, LAST_WORD])) ||
    isMeasure(text, [FIRST_NOUN]) ||
    (findEvidence(text, 'measure', '') ?? []).some(
      ({ start, end }) =>
        isMeasure(text.slice(end, end + ADJACENT_CHARACTERS), [BEHIND_FIGURE]) ||
        isMeasure(text.slice(Math.max(0, start - ADJACENT_CHARACTERS), start), [BEFORE_FIGURE]),
    )
  )
}

/** Nearest heading, or the cells of the table header. */
function listCells(parent: ParentLine | null): string[] {
  return (parent?.text.split('\n').at(-1) ?? '').split('|').filter((cell) => cell.length <= ADJACENT_CHARACTERS)
}

/** True if one of the patterns finds a word of a measure. */
function isMeasure(text: string, patterns: readonly RegExp[]): boolean {
  const words = patterns.flatMap((pattern) => pattern.exec(text)?.slice(1) ?? [])
  return words.some((word) => word !== undefined && listMeasures(word).size > 0)
}

/** True if a sentence or the line above has a question unit. */
function isNamed(unit: number, { units, parent }: Pick<ReadSentence, 'units' | 'parent'>): boolean {
  return units.has(unit) || parent?.units.has(unit) === true
}

function hasOppositeNegation(parent: ParentLine | null, isNegated: boolean): boolean {
  return parent !== null && parent.units.size > 0 && !isQuestion(parent.text) && parent.isNegated === !isNegated
}

function isStepBelow(parent: ParentLine | null, titled: ReadonlySet<number>, text: string): boolean {
  if (parent === null || readStepNumber(text) === null) return false
  return parent.units.size > 0 || (titled.size > 0 && isProcedureHeading(parent.text))
}

const MAX_SUBJECT_CHARACTERS = 60
const ARTICLE = definitionWords(({ articles }) => articles)
const DETERMINER = definitionWords(({ determiners }) => determiners)
const COPULA = definitionWords(({ copulas }) => copulas)
/**
 * "What is a correction?", "¿Qué es una factura?", "Who is Ann Lee?", over texts of
 * `normalizeForMatch`.
 */
const ASKS_WHAT = new RegExp(
  `^ (?:${questionPattern(({ whatIs }) => whatIs)}) (?:(?:${ARTICLE}|l) )?(?:\\S+ ){1,4}$`,
  'u',
)
const MARKUP = '["\'“”„‘’«»`*_()]{0,8}'
const BEGINNING = new RegExp(
  `^(?:${ITEM_MARK}|\\p{L}[^\\s:：]{0,20}[:：])?\\s*${MARKUP}(?:(?:${ARTICLE})\\s+|l['’])?${MARKUP}$`,
  'iu',
)
/** `*Jib* (sail)` */
const BEHIND_THING = `${MARKUP}(?:\\s+\\([^)\\n]{1,60}\\))?`
/**
 * After a copula of a language with capitalized nouns: `ist Leiterin der Bibliothek`, but not `ist
 * Montags geschlossen`.
 */
const CAPITAL = [
  `(?!(?<=(?:${definitionWords(({ copulas }, { hasCapitalNouns }) => (hasCapitalNouns ? copulas : undefined))})`,
  String.raw`\s+${MARKUP})(?:[^.,;:!?]*\s)?\p{Ll}[^\s.,;:!?]*(?:[.,;:!?]|$))\p{Lu}`,
].join('')
/**
 * A definition names a thing or a person: "is a place", "ist Ann Lee", but not "is closed in
 * winter".
 */
const DEFINES = new RegExp(
  `^${BEHIND_THING},?(?:\\s+(?:${COPULA})\\s+${MARKUP}` +
    `(?:(?:${DETERMINER}|${ARTICLE})\\s|l['’]|${CAPITAL}|это\\s|\\p{Script=Cyrillic})` +
    `|\\s+(?:${definitionWords(({ verbs }) => verbs)})\\s|\\s*[—–-]\\s*это\\s)`,
  'u',
)
/**
 * A label with a definition: `Jib: the small sail`. In a chat, `Ann: Good morning` defines nothing.
 */
const LABELS = new RegExp(`^${BEHIND_THING}\\s*[–—:]\\s`, 'u')

/** Words of one definition list, over all languages, as alternatives of a pattern. */
function definitionWords(select: (words: DefinitionWords, language: Language) => string | undefined): string {
  return wordPattern((language) => language.definitions && select(language.definitions, language), WRITTEN)
}

/** True for a question for a definition only. `asked` is in the form of `normalizeForMatch`. */
function asksWhat(asked: string): boolean {
  return ASKS_WHAT.test(asked)
}

/**
 * True for a sentence whose subject is the thing asked for: `- A *correction* is a document …`.
 * `matches` are the occurrences of the `units` of the question, `start` is the offset in the
 * passage. `isPerson`: the question asks for a person.
 */
export function isDefinition(
  text: string,
  { matches, start }: { matches: readonly Match[]; start: number },
  { units, isPerson }: { units: number; isPerson: boolean },
): boolean {
  const first = new Map<number, Match>()
  for (const match of matches) if (!first.has(match.unit)) first.set(match.unit, match)
  if (units === 0 || first.size < units) return false
  const begin = Math.min(...[...first.values()].map((match) => match.start)) - start
  const end = Math.max(...[...first.values()].map((match) => match.end)) - start
  if (end - begin > MAX_SUBJECT_CHARACTERS || !BEGINNING.test(text.slice(0, begin))) return false
  const rest = text.slice(end)
  return DEFINES.test(rest) || (!isPerson && LABELS.test(rest))
}
