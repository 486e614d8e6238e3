import { normalizeForMatch } from '../analysis/fold.ts'
import type { WordPair } from '../analysis/query-words.ts'
import { HANGUL, UNSPACED } from '../analysis/scripts.ts'
import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { type Counts, scoreBm25 } from './bm25.ts'
import { createFourGrams, fuzzyOutOfVocabularyScore } from './four-grams.ts'
import { scoreSpeakers } from './neighbours.ts'
import type { Pair } from './pairs.ts'
import { createCharacterPairs, joinSpelledPairs } from './pairs.ts'
import { TITLE_WEIGHT } from './score-titles.ts'
import { shareScores } from './scores.ts'

/**
 * What is added to the lexical score of each candidate: a share of 0 to 1 (of several mistaken
 * words together, more) of a weight.
 */
export type Feature = {
  name: 'runs' | 'pairs' | 'nearlyWords' | 'title' | 'inText' | 'speaker' | 'phrase'
  weight: number
  shares: readonly number[]
  /**
   * What the shares are of: scores, or phrases, of which so many are a share of 1; absent where a
   * share is all there is.
   */
  measured?: { raws: readonly number[]; one: number }
}

/** What of a candidate is read. */
export type Readable = { text: string; titleTerms: readonly string[]; title: number; isNear?: boolean }

/** What it is read for; see `RankingQuery`. */
export type Wanted = {
  terms: readonly string[]
  words: readonly string[]
  /** Those of them that count more than once, once for each further time. */
  repeatedWords?: readonly string[] | undefined
  pairs: readonly WordPair[]
  phrases: readonly string[]
  languages: readonly string[]
}

/**
 * Weights beside a lexical score of 0 to 1, each measured on sets of judged queries
 * (docs/relevance.md): runs of four characters, which find compounds and inflections that English
 * hardly has (in scripts without spaces: of two and one), words that stand together as in the
 * query, and a turn of a conversation whose speaker is named. A phrase in quotation marks that
 * stands in the text goes first.
 */
const FOUR_GRAM_WEIGHT = { inflected: 1, other: 0.15 } as const
/**
 * Words of Vietnamese never change, and without their tones its syllables are those of many others.
 */
const HARDLY_INFLECTED: ReadonlySet<string> = new Set(['en', 'vi'])
/** About the same in the whole score, of which words are a greater part elsewhere. */
const PAIR_WEIGHT = { english: 0.25, other: 0.2 } as const
const STRANGE_WORD_WEIGHT = 1
/**
 * Of what has a word in which a letter or two differ, although its runs do not show it: `paylaod`.
 */
const NEAR_SHARE = 0.6
const SPEAKER_WEIGHT = 0.4
/**
 * More than a title, both legs and what neighbours lend can give to a candidate whose text does not
 * have the word.
 */
const IN_TEXT_WEIGHT = 4
const PHRASE_WEIGHT = 2
/**
 * What is less than this share of a long question is in quotation marks for other reasons: a term,
 * a title, irony.
 */
const ASKED_SHARE = 0.25

/**
 * What needs no model, read from the texts of candidates; shares are in their order. Korean words
 * count by their pairs of syllables alone: four in a row mostly hold what hangs on the end of a
 * word, which says nothing of what is asked for.
 */
export function readFeatures(candidates: readonly Readable[], query: Wanted): Feature[] {
  const spelled = query.words.map((word) => (HANGUL.test(word) ? '' : word))
  const grams = createFourGrams([...spelled, ...joinSpelledPairs(query.terms)], placePairs(query))
  const characters = createCharacterPairs(query.terms)
  const found = candidates.map(({ text }) => grams.count(text))
  const places = new Map(query.words.map((word, place) => [word, place]))
  const again = (query.repeatedWords ?? []).flatMap((word) => grams.words[places.get(word) ?? -1] ?? [])
  const counted = found.map((counts, index) =>
    withCounts(counts, [
      ...characters.count(candidates[index]?.text ?? ''),
      ...again.map((run) => counts.counts[run] ?? 0),
    ]),
  )
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
      ...ofBest(scoreBm25(counted, grams.size + characters.size + again.length)),
    },
    { name: 'pairs', weight: PAIR_WEIGHT[spoken], ...ofBest(scoreBm25(close, query.pairs.length)) },
    { name: 'nearlyWords', weight: STRANGE_WORD_WEIGHT, shares: strange },
    { name: 'title', weight: TITLE_WEIGHT, ...ofBest(candidates.map(({ title }) => title)) },
    { name: 'inText', weight: IN_TEXT_WEIGHT, shares: scoreWordInText(candidates, query) },
    { name: 'speaker', weight: SPEAKER_WEIGHT, shares: speakers },
    { name: 'phrase', ...readPhrases(candidates, query) },
  ]
}

/**
 * 1 for each candidate whose own text has the one word of the query, where the title alone of
 * another has it; else 0 for all. Of several words a title often has those that a passage leaves
 * out; the passages under a title that is the only word asked for are all alike.
 */
function scoreWordInText(candidates: readonly Readable[], { terms, words }: Wanted): number[] {
  const isOneWord = words.length === 1 || (words.length === 0 && terms.length === 1)
  if (!isOneWord || !candidates.some(({ title }) => title > 0)) return candidates.map(() => 0)
  // A stem begins most forms of its word; English stems write a last y as i.
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

/** Scores as shares of the best of them. */
function ofBest(scores: Iterable<number>): Pick<Feature, 'shares' | 'measured'> {
  const raws = [...scores]
  return { shares: shareScores(raws), measured: { raws, one: Math.max(0, ...raws) } }
}

function placePairs({ words, pairs }: Wanted): Pair[] {
  const places = new Map(words.map((word, place) => [word, place]))
  return pairs.map(([first, second]) => [places.get(first) ?? -1, places.get(second) ?? -1])
}

/** True where there are no word borders to ask for. */
function hasNoBorders(phrase: string): boolean {
  return UNSPACED.test(phrase) || HANGUL.test(phrase)
}

function readPhrases(candidates: readonly Readable[], { phrases, words }: Wanted): Omit<Feature, 'name'> {
  const wanted = phrases
    .map(normalizeForMatch)
    .filter((phrase) => phrase.trim() !== '')
    .map((phrase) => (hasNoBorders(phrase) ? phrase.trim() : phrase))
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
  return { counts: further.length === 0 ? counts : Uint32Array.of(...counts, ...further), length }
}

/** False where the title cannot hold two words of the query: most cannot, and are not read. */
function hasPairs({ title, titleTerms }: Readable): boolean {
  return title > 0 && titleTerms.length > 1
}

function addCounts(one: Uint32Array, other: Uint32Array): Uint32Array {
  return one.map((count, index) => count + (other[index] ?? 0))
}
