import { type AskedPeriod, listPeriodTerms, sharePeriods } from '../analysis/find-periods.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { WordPair } from '../analysis/query-words.ts'
import { toSounds } from '../analysis/spelling-variants.ts'
import { HANGUL, UNSPACED } from '../analysis/unspaced-terms.ts'
import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { createFourGrams, fuzzyOutOfVocabularyScore } from './four-grams.ts'
import { scoreSpeakers } from './neighbours.ts'
import type { Pair } from './pairs.ts'
import { createCharacterPairs, joinBigrams } from './pairs.ts'
import { TITLE_WEIGHT } from './score-titles.ts'
import { type Counts, scoreBm25, toSharesOfMax } from './scores.ts'

/**
 * A feature of the lexical score: a share per candidate, 0 to 1 (several misspelled words may
 * exceed 1), and a weight.
 */
export type Feature = {
  name: 'runs' | 'pairs' | 'nearlyWords' | 'title' | 'inText' | 'speaker' | 'phrase' | 'period'
  weight: number
  shares: readonly number[]
  /**
   * Raw values of the shares, and the raw value of a share of 1; absent if there are only shares.
   */
  measured?: { raws: readonly number[]; one: number }
}

/** Candidate fields that features read. */
export type CandidateFields = {
  text: string
  /** Title, section and table header. */
  above?: string
  titleTerms: readonly string[]
  title: number
  isNear?: boolean
}

/** Query fields that features read; see `RankingQuery`. */
export type QueryFields = {
  terms: readonly string[]
  words: readonly string[]
  /** Words that count more than once, once for each further time. */
  repeatedWords?: readonly string[] | undefined
  pairs: readonly WordPair[]
  phrases: readonly string[]
  /** Dates and periods; absent if there are none. */
  periods?: readonly AskedPeriod[] | undefined
  languages: readonly string[]
  /** True for a question in a language without documents. */
  isForeign?: boolean | undefined
}

/**
 * Weights relative to a lexical score of 0 to 1, each measured on judged query sets
 * (docs/relevance.md). Four-grams match compounds and inflections, which English hardly has;
 * scripts without spaces use bigrams and characters. Other features are adjacent words, named
 * speakers of conversation turns, quoted phrases, which rank first, and dates and periods.
 */
const FOUR_GRAM_WEIGHT = { inflected: 1, other: 0.15 } as const
/** Vietnamese words never change, and syllables without tones are ambiguous. */
const HARDLY_INFLECTED: ReadonlySet<string> = new Set(['en', 'vi'])
/** About equal in the total score, in which words weigh more for other languages. */
const PAIR_WEIGHT = { english: 0.25, other: 0.2 } as const
const STRANGE_WORD_WEIGHT = 1
/**
 * Share for a word that differs in a letter or two, although four-grams do not match: `paylaod`.
 */
const NEAR_SHARE = 0.6
const SPEAKER_WEIGHT = 0.4
/** More than title, both retrievers and neighbours can add to a candidate without the word. */
const IN_TEXT_WEIGHT = 4
const PHRASE_WEIGHT = 2
/** As much as all other words: another day of the month is no match. */
const PERIOD_WEIGHT = 1
/** Share of a date in another form: the form of the query is first. */
const OTHER_FORM_SHARE = 0.9
/** A quotation below this share of a long question is a term, a title or irony. */
const ASKED_SHARE = 0.25

/**
 * Reads all features that need no model from the candidates' texts; shares are in their order.
 * Korean words use bigrams only, because four-grams mostly include particles. Words of another
 * language than the passages' are compared by their sounds, so that names match in any alphabet.
 */
export function readFeatures(candidates: readonly CandidateFields[], query: QueryFields): Feature[] {
  const spelled = query.words.map((word) => (HANGUL.test(word) ? '' : word))
  const write = query.isForeign ? toSounds : (text: string) => text
  const grams = createFourGrams([...spelled.map(write), ...joinBigrams(query.terms)], placePairs(query))
  const characters = createCharacterPairs(query.terms)
  const dates = readDates(candidates, query)
  const texts = candidates.map(
    ({ text }, index) => dates[index]?.written.reduce((all, one) => `${all}\n${one}`, text) ?? text,
  )
  const found = texts.map((text) => grams.count(write(text)))
  const places = new Map(query.words.map((word, place) => [word, place]))
  const again = (query.repeatedWords ?? []).flatMap((word) => grams.words[places.get(word) ?? -1] ?? [])
  const hasMore = characters.size + again.length > 0
  const counted = found.map((counts, index) => {
    if (!hasMore) return counts
    const inText = characters.count(texts[index] ?? '')
    return withCounts(counts, [...inText, ...again.map((run) => counts.counts[run] ?? 0)])
  })
  const close = candidates.map((candidate, index) => {
    const { pairs = new Uint32Array(), length = 0 } = found[index] ?? {}
    return {
      counts: hasPairs(candidate) ? addCounts(pairs, grams.count(candidate.titleTerms.join(' ')).pairs) : pairs,
      length,
    }
  })
  const strange = fuzzyOutOfVocabularyScore(counted, grams.words.slice(0, query.words.length)).map((score, index) =>
    candidates[index]?.isNear ? Math.max(score, NEAR_SHARE / Math.max(1, query.words.length)) : score,
  )
  const [language = DEFAULT_LANGUAGE] = query.languages
  const spoken = language === 'en' ? 'english' : 'other'
  const speakers = scoreSpeakers(
    candidates.map(({ text }) => text),
    query,
  )
  return [
    {
      name: 'runs',
      weight: FOUR_GRAM_WEIGHT[HARDLY_INFLECTED.has(language) ? 'other' : 'inflected'],
      ...relativeToMax(scoreBm25(counted, grams.size + characters.size + again.length)),
    },
    { name: 'pairs', weight: PAIR_WEIGHT[spoken], ...relativeToMax(scoreBm25(close, query.pairs.length)) },
    { name: 'nearlyWords', weight: STRANGE_WORD_WEIGHT, shares: strange },
    { name: 'title', weight: TITLE_WEIGHT, ...relativeToMax(candidates.map(({ title }) => title)) },
    { name: 'inText', weight: IN_TEXT_WEIGHT, shares: scoreWordInText(candidates, query) },
    { name: 'speaker', weight: SPEAKER_WEIGHT, shares: speakers },
    { name: 'phrase', ...readPhrases(candidates, query) },
    { name: 'period', weight: PERIOD_WEIGHT, shares: dates.map(toDateShare) },
  ]
}

/**
 * 1 for each candidate whose text has the only word of the query, if another candidate has the word
 * in its title only. 0 for all otherwise. Titles often have words that passages omit; passages with
 * the same title are equal in that word.
 */
function scoreWordInText(candidates: readonly CandidateFields[], { terms, words }: QueryFields): number[] {
  const isOneWord = words.length === 1 || (words.length === 0 && terms.length === 1)
  if (!isOneWord || !candidates.some(({ title }) => title > 0)) return candidates.map(() => 0)
  // A stem begins most forms of its word; English stems end in i for a final y.
  const stems = terms.flatMap((term) => (term.endsWith('i') ? [term, `${term.slice(0, -1)}y`] : [term]))
  const beginnings = stems.map((term) => (hasNoBorders(term) ? term : ` ${term}`))
  const wanted = [...beginnings, ...words.map(normalizeForMatch)]
  const hasWord = candidates.map(({ text }) => {
    const readable = normalizeForMatch(text)
    return wanted.some((word) => readable.includes(word))
  })
  const isInTitleAlone = candidates.some(({ title }, index) => title > 0 && hasWord[index] === false)
  return hasWord.map((has) => (has && isInTitleAlone ? 1 : 0))
}

/** Share of the dates and periods of the query in each candidate, in any form. */
export function scorePeriods(candidates: readonly DatedText[], query: DatedQuery): number[] {
  return readDates(candidates, query).map(({ share }) => share)
}

type DatedText = Pick<CandidateFields, 'text' | 'above'>
type DatedQuery = Pick<QueryFields, 'periods' | 'languages'>
/**
 * Dates of the query in a candidate: the share, and the dates in another form as the query writes
 * them. `19/02/2026` then matches the words of `19 février 2026` better than `9 février 2026` does.
 */
type FoundDates = { share: number; written: string[] }

function toDateShare({ share, written }: FoundDates): number {
  return written.length > 0 ? OTHER_FORM_SHARE * share : share
}

function readDates(candidates: readonly DatedText[], { periods = [], languages }: DatedQuery): FoundDates[] {
  if (periods.length === 0) return candidates.map(() => ({ share: 0, written: [] }))
  const [language = DEFAULT_LANGUAGE] = languages
  const asked = periods.map((period) => ({ period, form: toWholeWords(normalizeForMatch(period.text)) }))
  return candidates.map(({ text, above = '' }) => {
    const terms = new Set(listPeriodTerms(`${above}\n${text}`, language))
    const has = asked.filter(({ period }) => sharePeriods([period], terms) === 1)
    const readable = has.length > 0 ? normalizeForMatch(text) : ''
    const written = has.filter(({ form }) => !readable.includes(form)).map(({ period }) => period.text)
    return { share: sharePeriods(periods, terms), written }
  })
}

/** Scores relative to the best. */
function relativeToMax(scores: Iterable<number>): Pick<Feature, 'shares' | 'measured'> {
  const raws = [...scores]
  return { shares: toSharesOfMax(raws), measured: { raws, one: Math.max(0, ...raws) } }
}

function placePairs({ words, pairs }: QueryFields): Pair[] {
  const places = new Map(words.map((word, place) => [word, place]))
  return pairs.map(([first, second]) => [places.get(first) ?? -1, places.get(second) ?? -1])
}

/** Keeps the spaces around a phrase, except in scripts without word borders. */
function toWholeWords(phrase: string): string {
  return hasNoBorders(phrase) ? phrase.trim() : phrase
}

/** True for scripts without word borders. */
function hasNoBorders(phrase: string): boolean {
  return UNSPACED.test(phrase) || HANGUL.test(phrase)
}

function readPhrases(candidates: readonly CandidateFields[], { phrases, words }: QueryFields): Omit<Feature, 'name'> {
  const wanted = phrases
    .map(normalizeForMatch)
    .filter((phrase) => phrase.trim() !== '')
    .map(toWholeWords)
  const quoted = wanted.reduce((count, phrase) => count + phrase.trim().split(' ').length, 0)
  const asked = Math.min(1, quoted / Math.max(1, words.length) / ASKED_SHARE)
  const one = Math.max(1, wanted.length)
  const raws = candidates.map((candidate) => {
    const text = wanted.length > 0 ? normalizeForMatch(candidate.text) : ''
    return wanted.filter((phrase) => text.includes(phrase)).length
  })
  return { weight: PHRASE_WEIGHT * asked, shares: raws.map((count) => count / one), measured: { raws, one } }
}

function withCounts({ counts, length }: Counts, further: readonly number[]): Counts {
  return { counts: Uint32Array.of(...counts, ...further), length }
}

/** False if the title cannot contain two query words; most titles are skipped. */
function hasPairs({ title, titleTerms }: CandidateFields): boolean {
  return title > 0 && titleTerms.length > 1
}

function addCounts(one: Uint32Array, other: Uint32Array): Uint32Array {
  return one.map((count, index) => count + (other[index] ?? 0))
}
