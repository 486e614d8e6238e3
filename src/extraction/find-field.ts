import type { CooperativeTask } from '../concurrency/event-loop-yield.ts'
import { listEnglishSpellings } from '../engine/analysis/english-spellings.ts'
import { normalizeForMatch } from '../engine/analysis/fold.ts'
import { createEditionComparer } from '../engine/editions.ts'
import { WRITTEN, wordPattern } from '../engine/phrases.ts'
import type { Candidate, Field, FieldSearch, Finding, Passage } from './field.ts'
import { createWordReader, type LabelWord, type WordReader } from './label-words.ts'
import { asksForYear } from './prose/counts.ts'
import { listProseCandidates } from './prose/prose-candidates.ts'
import { type ReadPassage, readPassage } from './read-passage.ts'
import { NAME_KEYS, readValue } from './read-value.ts'
import { collectKeys, matchesAskedCell, scoreLabel } from './score-label.ts'
import { isAboutSubject, readDesignated, readSubject } from './subject.ts'
import { readConventions } from './values/read-conventions.ts'
import { splitUnit } from './values/units.ts'
import { readValueType, type Value, type ValueType } from './values/value.ts'

/** Finds the values of fields in passages, by rules. */
type FieldFinder = {
  /**
   * Returns the value of a field, or `null` if no candidate is certain enough; never guesses.
   * Passages are in order of relevance. Yields after each passage.
   */
  find(field: Field, passages: readonly Passage[]): CooperativeTask<Finding | null>
}

/** Minimum score. Values below are wrong too often (bench/extraction, tuning documents). */
const MIN_SCORE = 0.6
/** Score difference within which two different values count as ambiguous. */
const AMBIGUITY_MARGIN = { entry: 0.04, prose: 0.08 } as const
const AMBIGUITY_FACTOR = 0.85
const CORRECTION_BONUS = 0.5
/** Score penalty per position in the ranking. */
const RANK_PENALTY = 0.005

/**
 * Creates a finder for the languages of a memory (ISO 639-1, most frequent first). Caches the
 * passages read, so create a finder per request.
 */
export function createFieldFinder(languages: readonly string[]): FieldFinder {
  const words = createWordReader(languages)
  const known = new Map<string, ReadPassage>()
  const compareEditions = createEditionComparer()

  function read(passage: Passage): ReadPassage {
    const { text, header, section, title, isFirst } = passage
    const name = JSON.stringify([text, header, section, title, isFirst])
    const found = known.get(name) ?? readPassage(passage, words)
    known.set(name, found)
    return found
  }

  return {
    *find(field, passages) {
      const type = readValueType(field.dataType)
      const { label, unit } = splitUnit(field.label)
      const isYear = ({ start, end }: LabelWord) =>
        type === 'integer' && unit === null && asksForYear({ name: label.slice(start, end) })
      const asked = readAskedWords({ ...field, label }, words, (word) =>
        withImpliedWeight(withTypeSynonyms(word, type, label), { type, unit, isYear: isYear(word) }),
      )
      const texts = passages.map(({ text, header }) => `${header ?? ''}\n${text}`).join('\n')
      const conventions = readConventions(`${field.context ?? ''}\n${texts}`, languages[0] ?? null, languages)
      const contextKeys = collectKeys(words.read(field.context ?? ''))
      const keys = collectKeys(asked)
      if (UNTIL_WORD.test(label)) keys.add('deadline')
      const search = { type, name: normalizeForMatch(label), asked, keys, contextKeys, unit, conventions }
      const ready: ReadPassage[] = []
      for (const passage of passages) {
        ready.push(read(passage))
        yield
      }
      const subject = readSubject(label, asked)
      const own = subject === null ? search : withAsked(search, subject.asked)
      const designated = readDesignated(label, asked, { passages, words })
      const list = createCandidateList(ready, [search, own])
      const listRest = createCandidateList(ready, [withAsked(search, designated?.asked ?? [])])
      const candidates: RankedCandidate[] = []
      for (const [index, source] of passages.entries()) {
        yield
        const found = list(index).filter((one) => subject === null || isAboutSubject(subject, source, one))
        const chosen = designated === null ? found : designated.select(index, { found, named: listRest(index) })
        const score = (one: Candidate) => adjustScore(one.score, passages, index)
        candidates.push(...chosen.map((one) => ({ ...one, passage: index, score: score(one) })))
      }
      return chooseFinding(dropSuperseded(candidates, passages, compareEditions), passages)
    },
  }
}

function withAsked(search: FieldSearch, asked: readonly LabelWord[]): FieldSearch {
  return { ...search, asked, keys: collectKeys(asked) }
}

type FoundCandidate = Candidate & { isProse: boolean }

/** Creates a lister of the candidates of a passage; prose is read for the last search. */
function createCandidateList(
  ready: readonly ReadPassage[],
  searches: readonly [FieldSearch, ...FieldSearch[]],
): (index: number) => FoundCandidate[] {
  const prose = listProseCandidates(ready, searches.at(-1) ?? searches[0])
  return (index) => {
    const passage = ready[index]
    const entries =
      passage === undefined ? [] : [...new Set(searches)].flatMap((one) => listEntryCandidates(passage, one))
    return [
      ...entries.map((candidate) => ({ ...candidate, isProse: false })),
      ...(prose[index] ?? []).map((candidate) => ({ ...candidate, isProse: true })),
    ]
  }
}

/** Weight of the section's words relative to a label that is not specific. */
const SECTION_SHARE = 0.35

/**
 * Words of the label with their weights. If the label is not specific ("Name", "Number"), the
 * section's words are added.
 */
function readAskedWords(
  { label, key, sectionName }: Field,
  words: WordReader,
  weigh: (word: LabelWord) => LabelWord,
): LabelWord[] {
  const text = words.read(label).length > 0 ? label : key
  const read = words.read(text).map((word) => withOtherSpellings(word, text, words))
  const asked = read.map(weigh)
  if (read.some(({ weight }) => weight > 0.5)) return asked
  const section = words.read(sectionName).filter(({ weight }) => weight > 0.5)
  const weight = (SECTION_SHARE * asked.reduce((sum, word) => sum + word.weight, 0)) / Math.max(1, section.length)
  return [...asked, ...section.map((word) => ({ ...word, weight }))]
}

/**
 * Adds spelling variants: `Color` matches `Colour`. Only the asked label gets variants, as only
 * queries do (`otherForms`).
 */
function withOtherSpellings(word: LabelWord, text: string, words: WordReader): LabelWord {
  const others = listEnglishSpellings(text.slice(word.start, word.end)).flatMap((form) => [
    ...collectKeys(words.read(form)),
  ])
  return others.length === 0 ? word : { ...word, keys: [...word.keys, ...others] }
}

/** Words that the value's type already implies; the document's label need not repeat them. */
const IMPLIED_BY_TYPE: Partial<Record<ValueType, readonly string[]>> = {
  percent: ['rate', 'percent', 'share'],
  currency: ['amount', 'value'],
  date: ['date'],
  integer: ['number', 'quantity'],
  number: ['number', 'quantity'],
}
const IMPLIED_BY_UNIT = ['duration', 'period', 'length', 'time']
const IMPLIED_FACTOR = { type: 0.4, unit: 0.15 } as const

/** Unit prices are rates: `Rate: £124 per night`. Payments are amounts. */
const PRICE_KEYS = ['price', 'rate']
/** `Valid until` asks for the last day as well. */
const UNTIL_WORD = /(?<!\p{L})(?:until|till|bis|jusqu|hasta)(?!\p{L})/iu
const DUE_KEYS = ['due', 'duration']
/** A deadline also follows "until"; other due dates do not. */
const DEADLINE_LABEL = /deadline|cut-?off|frist|schluss|l[ií]mite/iu

/** Adds synonyms that apply only to this type. */
function withTypeSynonyms(word: LabelWord, type: ValueType, label: string): LabelWord {
  const isPaid = type === 'currency' && word.keys.includes('payment')
  const isItems = type === 'list' && word.keys.includes('item')
  const isDay = type === 'date' && word.keys.includes('payment')
  const isPrice = type === 'currency' && word.keys.some((key) => PRICE_KEYS.includes(key))
  const isDeadline = DEADLINE_LABEL.test(label) && word.keys.some((key) => DUE_KEYS.includes(key))
  const also = [
    ...(isItems ? ['description'] : []),
    ...(isPaid ? ['amount'] : []),
    ...(isPrice ? PRICE_KEYS : []),
    ...(isDeadline ? ['deadline', 'within'] : []),
    ...(isDay ? ['paid'] : []),
  ]
  return also.length === 0 ? word : { ...word, keys: [...new Set([...word.keys, ...also])] }
}

type Implied = { type: ValueType; unit: string | null; isYear: boolean }

function withImpliedWeight(word: LabelWord, { type, unit, isYear }: Implied): LabelWord {
  const isSaid = (said: readonly string[] = []) => word.keys.some((key) => said.includes(key))
  if (unit !== null && isSaid(IMPLIED_BY_UNIT)) return { ...word, weight: word.weight * IMPLIED_FACTOR.unit }
  return isYear || isSaid(IMPLIED_BY_TYPE[type]) ? { ...word, weight: word.weight * IMPLIED_FACTOR.type } : word
}

/** A correction about the field outranks every document, but its confidence stays the same. */
function adjustScore(score: number, passages: readonly Passage[], index: number): number {
  const bonus = passages[index]?.isCorrection === true && score >= MIN_SCORE ? CORRECTION_BONUS : 0
  return score + bonus - RANK_PENALTY * index
}

type RankedCandidate = FoundCandidate & { passage: number }

/** Score by which a candidate of an older edition may exceed that of a newer one. */
const EDITION_MARGIN = 0.15

/** Drops candidates of older editions of a document, if a newer edition has a candidate as well. */
function dropSuperseded(
  candidates: readonly RankedCandidate[],
  passages: readonly Passage[],
  compareEditions: ReturnType<typeof createEditionComparer>,
): RankedCandidate[] {
  const texts = passages.map(({ text, title, section, document = '', createdAt = null }) => {
    const headings = title === null ? (section ?? '').split(' > ').slice(0, 1) : []
    return { text: '', around: text, title, headings, document, createdAt }
  })
  const best = new Map<number, number>()
  for (const { passage, score } of candidates)
    if (score >= MIN_SCORE) best.set(passage, Math.max(score, best.get(passage) ?? 0))
  const newer = texts.map((text) =>
    [...best].filter(([passage]) => {
      const other = texts[passage]
      return other !== undefined && (compareEditions(text, other) ?? 0) < 0
    }),
  )
  return candidates.filter(
    ({ passage, score }) => newer[passage]?.some(([, other]) => other > score - EDITION_MARGIN) !== true,
  )
}

function chooseFinding(candidates: readonly RankedCandidate[], passages: readonly Passage[]): Finding | null {
  const sorted = candidates.toSorted((a, b) => b.score - a.score)
  const [best] = sorted
  if (best === undefined || best.score < MIN_SCORE) return null
  const text = JSON.stringify(best.value)
  const margin = best.isProse ? AMBIGUITY_MARGIN.prose : AMBIGUITY_MARGIN.entry
  const rival = sorted.find(({ value, score }) => score > best.score - margin && JSON.stringify(value) !== text)
  // Two sentences with different values and similar scores are ambiguous. Of two labels, the first
  // wins.
  if (rival !== undefined && best.isProse && rival.isProse) return null
  const confidence = Math.min(0.99, best.score) * (rival === undefined ? 1 : AMBIGUITY_FACTOR)
  return {
    value: best.value,
    rawValue: passages[best.passage]?.text.slice(best.start, best.end) ?? '',
    confidence: Math.round(confidence * 100) / 100,
    isContested: rival !== undefined,
    passage: best.passage,
    start: best.start,
    end: best.end,
  }
}

/**
 * Bonus for an exact label match: `Amount due` before `Total`. Larger than the ambiguity margin and
 * than several positions in the ranking.
 */
const EXACT_LABEL_BONUS = 0.05

/**
 * An item line with a price, such as `Buffet, per person £18.90    £2,268.00`. The value beside
 * such a label is a line total.
 */
const HAS_PRICE = /\d[.,]\d{2}(?!\d)/
const COUNT_KEYS = ['hour', 'quantity', 'day_count', 'percent']
/** "Guest" is answered by `Guest name: Erik Lind` rather than `Guests: 2 adults`. */
const PLURAL_FACTOR = 0.85

/** Values of the entries whose label matches the asked label. */
function listEntryCandidates(passage: ReadPassage, search: FieldSearch): Candidate[] {
  const contexts = [passage.contextKeys, passage.titleKeys].map((keys) => new Set([...search.contextKeys, ...keys]))
  const isNameAsked = NAME_KEYS.some((key) => search.keys.has(key))
  const rows = new Map<readonly LabelWord[], boolean>()
  const isAskedRow = (words: readonly LabelWord[]): boolean => {
    const isAsked = rows.get(words) ?? words.some(({ keys }) => keys.some((key) => search.keys.has(key)))
    rows.set(words, isAsked)
    return isAsked
  }
  return passage.entries.flatMap((entry): Candidate[] => {
    const contextKeys = contexts[entry.end <= passage.headEnd ? 1 : 0] ?? search.contextKeys
    const likeness = scoreEntry(entry, search, { contextKeys, isAskedRow })
    if (likeness === 0) return []
    const read = readValue(passage.text, entry, search)
    if (read === null || (isNameAsked && !isOwnValue(entry, read.value, isAskedRow))) return []
    const named = entry.name === search.name ? EXACT_LABEL_BONUS : 0
    const counted = countFactor(entry.name, search)
    const labels = `${entry.label}\n${entry.contextLabel}`
    return [{ ...read, labels, score: likeness * counted * entry.trust * read.fit + named }]
  })
}

type ReadEntry = ReadPassage['entries'][number]
type EntryContext = { contextKeys: ReadonlySet<string>; isAskedRow: (words: readonly LabelWord[]) => boolean }

/** Scores the label of an entry, 0 to 1. */
function scoreEntry(entry: ReadEntry, search: FieldSearch, { contextKeys, isAskedRow }: EntryContext): number {
  const isAsked = isAskedRow(entry.words)
  const contextWords = isAsked ? [...entry.contextWords, ...entry.unitWords] : entry.contextWords
  const label = { words: entry.words, contextWords, contextKeys }
  const isAskedCell = entry.isCell !== true || (isAsked && matchesAskedCell(search.asked, label))
  const isNamed = entry.isQualified !== true || isAskedRow(entry.contextWords)
  if (!(isAskedCell && isNamed) || isOfOtherKind(entry, search)) return 0
  const unspaced = isUnspacedEnd(entry.name, search.name) || isRateOf(entry, search) ? UNSPACED_LIKENESS : 0
  return Math.max(scoreLabel(search.asked, label), unspaced)
}

const CASED = /[\p{Lu}\p{Ll}]/u
const NAME_PART = /^(?:\p{Lu}[\p{L}\p{M}.’'-]*,?|\p{Ll}{2,3})$/u

/** A row has a role behind a name: `Ann Lee | Manager`. `Own wedding | Manager` has another one. */
function isOwnValue(
  { isBeforeLabel, contextWords }: ReadEntry,
  value: Value,
  isAskedColumn: (words: readonly LabelWord[]) => boolean,
): boolean {
  if (isBeforeLabel !== true || isAskedColumn(contextWords)) return true
  if (typeof value !== 'string' || !CASED.test(value)) return true
  return value.split(' ').every((part) => NAME_PART.test(part))
}

/** True for counts and line totals in a field of money, and for the value without a part. */
function isOfOtherKind({ label, contextWords, isEnumerated }: ReadEntry, search: FieldSearch): boolean {
  if (search.type === 'currency' && (isCountColumn(contextWords) || HAS_PRICE.test(label))) return true
  if (isEnumerated === true && NAMED_AMOUNTS.includes(search.type)) return true
  return WITHOUT.test(label) !== WITHOUT.test(search.name)
}

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}$/u
const UNSPACED_LIKENESS = 0.8

/** In a script without spaces the asked label ends a longer one: `本合同签订日期`. */
function isUnspacedEnd(name: string, asked: string): boolean {
  return UNSPACED.test(asked.trim()) && name.trim().endsWith(asked.trim())
}

/** The rate of a thing in a script without spaces: `消費税率` of `消費税（10%）`. */
function isRateOf({ label }: ReadEntry, { type, name }: FieldSearch): boolean {
  const asked = name.trim()
  const thing = normalizeForMatch(label.replace(/[（(].*$/u, '')).trim()
  return type === 'percent' && UNSPACED.test(asked) && [...thing].length > 1 && asked === `${thing}率`
}

/** Types of amounts that one line may list by name: `adults £12, children £6.50`. */
const NAMED_AMOUNTS: readonly ValueType[] = ['currency', 'percent']
/** Labels of what remains without a part: `Weight without battery`, `Total excl. VAT`. */
const WITHOUT_WORDS = wordPattern(({ statements }) => statements?.without, WRITTEN)
const WITHOUT = new RegExp(`(?<!\\p{L})(?:${WITHOUT_WORDS}|excl|excluding|exkl|hors|bez|без)(?!\\p{L})`, 'iu')

/** No hours and no quantity are an amount of money. */
function isCountColumn(column: readonly LabelWord[]): boolean {
  return column.length > 0 && column.every(({ keys }) => keys.some((key) => COUNT_KEYS.includes(key)))
}

function countFactor(label: string, { type, name }: FieldSearch): number {
  return type === 'string' && label.trim() === `${name.trim()}s` ? PLURAL_FACTOR : 1
}
