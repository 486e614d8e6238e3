import { listWords } from '../languages/language.ts'
import { DEFAULT_LANGUAGE, languagesWith, type Selector } from '../languages/languages.ts'
import { fold, normalizeWord } from './fold.ts'
import type { Lexicon } from './lexicon.ts'
import type { Word } from './split-words.ts'

/** ISO 639-2 code of an undetermined language, without stemmer and stop words. */
const UNDETERMINED = 'und'
const UMLAUT = /[äöüß]/iu
const LETTER = /\p{L}/gu
const LATIN_LETTER = /\p{scx=Latn}/gu

/** True for a stop word of the language. */
export function isStopWord(word: Word, lexicon: Lexicon): boolean {
  return word.kind === 'word' && lexicon.isStopWord(normalizeWord(word.text))
}

/**
 * Returns the language with most stop words in the query, `null` if unclear. In a memory of English
 * and German, "was ist die Frist" must not search for the English verb "die".
 */
export function detectQueryLanguage(words: readonly Word[], lexicons: readonly Lexicon[]): Lexicon | null {
  const [first, second] = countStopWords(words, lexicons)
  return first !== undefined && first.count >= 2 && first.count > (second?.count ?? 0) ? first.lexicon : null
}

/**
 * Returns the language whose verb forms the query may contain (ISO 639-1): the one with most stop
 * words, or with characteristic letters. The default is the first one, the most frequent language
 * of the memory. `lexicons` are distinct and include English. One stop word suffices, because an
 * error only loses verb forms.
 */
export function chooseVerbLanguage(words: readonly Word[], lexicons: readonly Lexicon[]): string {
  const [first, second] = countStopWords(words, lexicons)
  if (first !== undefined && first.count > (second?.count ?? 0)) return first.lexicon.language
  const isGerman = lexicons.some(({ language }) => language === 'de') && words.some(({ text }) => UMLAUT.test(text))
  return isGerman ? 'de' : (lexicons[0]?.language ?? DEFAULT_LANGUAGE)
}

/** Sorted by count, descending; as many as lexicons. */
function countStopWords(words: readonly Word[], lexicons: readonly Lexicon[]): { lexicon: Lexicon; count: number }[] {
  return lexicons
    .map((lexicon) => ({ lexicon, count: words.filter((word) => isStopWord(word, lexicon)).length }))
    .sort((a, b) => b.count - a.count)
}

/**
 * Orders the languages of a memory, the language of the query first if known, because weights
 * depend on the first. Evidence are stop words, and letters that English does not use. If the
 * letters belong to no language of the memory, an undetermined language comes first.
 */
export function orderLanguages(languages: readonly string[], query: string, spoken: string | null): string[] {
  const other = isLatin(query) ? null : (languages.find((language) => language !== DEFAULT_LANGUAGE) ?? UNDETERMINED)
  const first = spoken ?? other
  return first === null ? [...languages] : [first, ...languages.filter((language) => language !== first)]
}

function isLatin(query: string): boolean {
  return 2 * (query.match(LATIN_LETTER)?.length ?? 0) >= (query.match(LETTER)?.length ?? 0)
}

/**
 * Interrogatives of languages without spaces, where no stop word list applies. Pairs of their
 * characters are rare in texts and irrelevant (+.2 points of nDCG@10 on Chinese questions,
 * docs/relevance.md).
 */
const INTERROGATIVES = new RegExp(
  [
    ...listUnspacedWords(({ askingWords }) => askingWords),
    ...listUnspacedWords(({ askingEnds }) => askingEnds).map((end) => `${end}$`),
  ].join('|'),
  'gv',
)

/** Longer words first: 什么时候 contains 什么. */
function listUnspacedWords(select: Selector): string[] {
  const unspaced = languagesWith(select).filter(({ isUnspaced }) => isUnspaced === true)
  return unspaced.flatMap((language) => listWords(select(language))).sort((a, b) => b.length - a.length)
}

/** Removes interrogatives from runs of scripts without spaces. A run of nothing else stays. */
export function stripInterrogatives(words: readonly Word[]): Word[] {
  const kept = words.flatMap((word) => (word.kind === 'unspaced' ? partsOf(word) : [word]))
  return kept.length === 0 ? [...words] : kept
}

function partsOf(word: Word): Word[] {
  const parts: Word[] = []
  let start = 0
  const push = (end: number) => {
    if (end > start)
      parts.push({ ...word, text: word.text.slice(start, end), start: word.start + start, end: word.start + end })
  }
  for (const match of word.text.matchAll(INTERROGATIVES)) {
    push(match.index)
    start = match.index + match[0].length
  }
  push(word.text.length)
  return parts
}

/**
 * Maximum number of distinct query words. Some 3,000 characters of prose have as many meaningful
 * words, and each costs time and memory per compared passage. In scripts without spaces each
 * character counts as a word, because it produces one pair.
 */
export const MAX_QUERY_WORDS = 256

/** Query words to look up, a list per language, and the number of distinct words left out. */
type LimitedWords = { lists: Word[][]; leftOut: number }

/**
 * Keeps the first {@link MAX_QUERY_WORDS} distinct words of a query and all their occurrences, so
 * that the result is deterministic. `lists` has a list per language, in query order.
 */
export function limitWords(lists: readonly (readonly Word[])[]): LimitedWords {
  const distinct = new Map<string, Word>()
  for (const word of [...new Set(lists.flat())].sort((a, b) => a.start - b.start)) {
    if (!distinct.has(word.text)) distinct.set(word.text, word)
  }
  const kept = new Map<string, (word: Word) => Word>()
  let left = MAX_QUERY_WORDS
  let leftOut = 0
  for (const word of distinct.values()) {
    const size = sizeOf(word)
    const room = left
    if (room > 0) kept.set(word.text, size > room ? (run) => cutRun(run, room) : (whole) => whole)
    leftOut += Math.max(0, size - room)
    left = Math.max(0, room - size)
  }
  return { lists: lists.map((words) => words.flatMap((word) => kept.get(word.text)?.(word) ?? [])), leftOut }
}

/** Number of terms that a word may produce. */
function sizeOf({ kind, text }: Word): number {
  return kind === 'unspaced' || kind === 'hangul' ? [...text].length : 1
}

function cutRun(run: Word, characters: number): Word {
  const text = [...run.text].slice(0, characters).join('')
  return { ...run, text, end: run.start + text.length }
}

/** End of a query sentence. A lower-case letter after a full stop indicates an abbreviation. */
const ENDS = /[。！？]|[.!?;:]\s+(?![\s\p{Ll}])|\n/gu
/**
 * A limit of nine gained nothing. Without a limit, a page that repeats one word would search for
 * that word only.
 */
const MAX_REPEATS = 4

/**
 * Returns terms of more than one sentence of a query, once for each further sentence, at most three
 * times. A long question repeats its subject. Repetition within a sentence does not count, because
 * it usually is a part of a name.
 */
export function listRepeatedTerms(query: string, tokens: readonly { term: string; start: number }[]): string[] {
  const ends = [...query.matchAll(ENDS)].map(({ index }) => index)
  let sentence = 0
  const sentenceAt = (place: number) => {
    while ((ends[sentence] ?? query.length) < place) sentence += 1
    return sentence
  }
  const inOrder = tokens.toSorted((a, b) => a.start - b.start)
  const places = new Map<string, Set<number>>()
  for (const { term, start } of inOrder) places.set(term, (places.get(term) ?? new Set()).add(sentenceAt(start)))
  return [...places].flatMap(([term, { size }]) => Array<string>(Math.min(size, MAX_REPEATS) - 1).fill(term))
}

/**
 * Quotation marks of all countries: "a", “a”, ”a” (Swedish, Finnish), „a“ and „a” (German, Polish),
 * «a», »a«, ‹a›, 「a」, 『a』, ＂a＂. A mark after a digit means inches and opens nothing.
 */
const QUOTATION = new RegExp(
  [
    String.raw`(?<!\p{Nd})"([^"]+)"|“([^“”]+)”|(?<!\p{Nd})”([^“”]+)”|„([^„“”"]+)[“”"]|«([^«»]+)»|»([^«»]+)«`,
    '‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|＂([^＂]+)＂',
  ].join('|'),
  'gv',
)

/** Every passage is searched for each phrase. */
const MAX_PHRASES = 64

/**
 * Returns the first distinct phrases in quotation marks, in order, without the marks. A quoted word
 * is a phrase as well.
 */
export function listQuotedPhrases(query: string): string[] {
  const phrases = [...query.matchAll(QUOTATION)]
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? '').trim())
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)].slice(0, MAX_PHRASES)
}

/** True if the query is one quoted phrase and nothing else. */
export function isSingleQuotation(query: string): boolean {
  const bare = query.trim()
  const [first] = bare.matchAll(QUOTATION)
  return first?.[0] === bare
}

/** Two query words in order, normalized for comparison. */
export type WordPair = readonly [first: string, second: string]

/**
 * Words allowed between the two: `flow over a wing`. Without them half of the gain was lost; across
 * sentences there was no gain (docs/relevance.md).
 */
const MAX_WORDS_BETWEEN = 2

/**
 * Returns distinct pairs of adjacent kept words, in order. Scripts without spaces have no pairs.
 */
export function listAdjacentPairs(words: readonly Word[], kept: readonly Word[]): WordPair[] {
  const places = new Map(words.map((word, place) => [word, place]))
  const spaced = kept.filter(({ kind }) => kind !== 'unspaced')
  const pairs = new Map<string, WordPair>()
  spaced.forEach((second, index) => {
    const first = spaced[index - 1]
    if (first === undefined) return
    const between = (places.get(second) ?? 0) - (places.get(first) ?? 0) - 1
    const pair = [fold(normalizeWord(first.text)), fold(normalizeWord(second.text))] as const
    if (between <= MAX_WORDS_BETWEEN) pairs.set(pair.join(' '), pair)
  })
  return [...pairs.values()]
}
