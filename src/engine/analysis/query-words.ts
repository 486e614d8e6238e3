import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { fold, plain } from './fold.ts'
import type { Lexicon } from './lexicon.ts'
import type { Word } from './split-words.ts'

/** ISO 639-2: a language that nobody knows. It has neither stemmer nor stop words. */
const UNDETERMINED = 'und'
const UMLAUT = /[äöüß]/iu
const LETTER = /\p{L}/gu
const LATIN_LETTER = /\p{scx=Latn}/gu

/** True for a word that carries no meaning in the language. */
export function isStopWord(word: Word, lexicon: Lexicon): boolean {
  return word.kind === 'word' && lexicon.isStopWord(plain(word.text))
}

/**
 * The language whose stop words the query uses most, `null` when that is not clear. In a memory of
 * English and German "was ist die Frist" must not look for the English verb to die.
 */
export function spokenLanguage(words: readonly Word[], lexicons: readonly Lexicon[]): Lexicon | null {
  const [first, second] = countStopWords(words, lexicons)
  return first !== undefined && first.count >= 2 && first.count > (second?.count ?? 0) ? first.lexicon : null
}

/**
 * The language of whose verbs a query may have forms (ISO 639-1): that of which it has most small
 * words, or which its letters tell; where nothing does, the first one, as that which most of the
 * memory is written in. `lexicons` are distinct, English among them. One small word is enough:
 * whoever is taken for somebody else loses forms of verbs alone.
 */
export function verbLanguage(words: readonly Word[], lexicons: readonly Lexicon[]): string {
  const [first, second] = countStopWords(words, lexicons)
  if (first !== undefined && first.count > (second?.count ?? 0)) return first.lexicon.language
  const isGerman = lexicons.some(({ language }) => language === 'de') && words.some(({ text }) => UMLAUT.test(text))
  return isGerman ? 'de' : (lexicons[0]?.language ?? DEFAULT_LANGUAGE)
}

/** Most first; of as many as they were given. */
function countStopWords(words: readonly Word[], lexicons: readonly Lexicon[]): { lexicon: Lexicon; count: number }[] {
  return lexicons
    .map((lexicon) => ({ lexicon, count: words.filter((word) => isStopWord(word, lexicon)).length }))
    .sort((a, b) => b.count - a.count)
}

/**
 * The languages of a memory, that of the query first where it is known, since what counts for how
 * much depends on the first: by its stop words, or by letters in which English is not written;
 * which other language it is then makes no difference, and where the memory knows of none, as one
 * of short notes may, it is an undetermined one.
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
 * Words that ask, in languages written without spaces, where no list of words applies: their pairs
 * of characters stand in few texts and say nothing of what is asked for (+.2 points of nDCG@10 on
 * Chinese questions, docs/relevance.md). None that is a part of other words. Longer ones first.
 */
const ASKING =
  /什么时候|为什么|什么|多少|多久|哪些|哪里|哪个|哪种|哪一|如何|怎么样|怎么|怎样|为何|何时|何处|谁|(?:吗|呢)$|甚麼|為什麼|什麼|為何|哪裡|誰|どのような|どのように|どれくらい|どのくらい|どうして|どうやって|どこ|なぜ|(?:です|でした|ます|ました|でしょう)か$/gv

/**
 * The words of a query, those of scripts without spaces cut where they only ask; what does nothing
 * but ask stays as it is.
 */
export function withoutAsking(words: readonly Word[]): Word[] {
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
  for (const match of word.text.matchAll(ASKING)) {
    push(match.index)
    start = match.index + match[0].length
  }
  push(word.text.length)
  return parts
}

/**
 * Distinct words of a query that are looked up. Our choice: some 3,000 characters of prose have as
 * many that are no stop words, and each costs time and memory in every passage that is compared. In
 * scripts without spaces a character counts as one, as it gives one pair.
 */
export const MAX_QUERY_WORDS = 256

/**
 * What of a query is looked up: a list of words by language, and how many distinct words are not
 * among them.
 */
type LimitedWords = { lists: Word[][]; leftOut: number }

/**
 * Keeps of a query the first {@link MAX_QUERY_WORDS} distinct words, wherever they come again, so
 * that the same query always keeps the same ones. `lists` are the words by language, each in the
 * order of the query.
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

/** How many terms a word may give. */
function sizeOf({ kind, text }: Word): number {
  return kind === 'unspaced' || kind === 'hangul' ? [...text].length : 1
}

function cutRun(run: Word, characters: number): Word {
  const text = [...run.text].slice(0, characters).join('')
  return { ...run, text, end: run.start + text.length }
}

/**
 * Where a sentence of a query ends; what goes on in small letters behind a point is an
 * abbreviation.
 */
const ENDS = /[。！？]|[.!?;:]\s+(?![\s\p{Ll}])|\n/gu
/**
 * With nine no more was gained, and a page that says one word in every sentence would ask for
 * nothing else.
 */
const MOST_TIMES = 4

/**
 * The terms that stand in more than one sentence of a query, once for each further sentence, up to
 * three times: what a long question comes back to is what it is about. A word that stands twice in
 * one sentence counts once: it is twice a part of a name, mostly.
 */
export function repeatTerms(query: string, tokens: readonly { term: string; start: number }[]): string[] {
  const ends = [...query.matchAll(ENDS)].map(({ index }) => index)
  let sentence = 0
  const sentenceAt = (place: number) => {
    while ((ends[sentence] ?? query.length) < place) sentence += 1
    return sentence
  }
  const inOrder = tokens.toSorted((a, b) => a.start - b.start)
  const places = new Map<string, Set<number>>()
  for (const { term, start } of inOrder) places.set(term, (places.get(term) ?? new Set()).add(sentenceAt(start)))
  return [...places].flatMap(([term, { size }]) => Array<string>(Math.min(size, MOST_TIMES) - 1).fill(term))
}

/**
 * What stands between quotation marks, as the world sets them: "a", “a”, ”a” (Swedish, Finnish),
 * „a“ and „a” (German, Polish), «a», »a«, ‹a›, 「a」, 『a』, ＂a＂. A mark behind a digit means inches,
 * and opens nothing.
 */
const QUOTATION =
  /(?<!\p{Nd})"([^"]+)"|“([^“”]+)”|(?<!\p{Nd})”([^“”]+)”|„([^„“”"]+)[“”"]|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|＂([^＂]+)＂/gv

/** Every passage is looked through for each of them: no question has more. */
const MOST_PHRASES = 64

/**
 * The first phrases in quotation marks, without them, each once, in order; a single word in
 * quotation marks is one too.
 */
export function quotedPhrases(query: string): string[] {
  const phrases = [...query.matchAll(QUOTATION)]
    .map((match) => (match.slice(1).find((group) => group !== undefined) ?? '').trim())
    .filter((phrase) => phrase !== '')
  return [...new Set(phrases)].slice(0, MOST_PHRASES)
}

/** True when a query is one phrase in quotation marks and nothing else. */
export function isOneQuotation(query: string): boolean {
  const bare = query.trim()
  const [first] = bare.matchAll(QUOTATION)
  return first?.[0] === bare
}

/** Two words of a query, the first before the second, in the form in which words compare. */
export type WordPair = readonly [first: string, second: string]

/**
 * Other words that may stand between: `flow over a wing`. Without them half of the gain was gone,
 * and across sentences there was none (docs/relevance.md).
 */
const MOST_BETWEEN = 2

/**
 * The pairs of neighbours among the words of a query that are kept, each once, in order. Words of
 * scripts without spaces are in none.
 */
export function pairWords(words: readonly Word[], kept: readonly Word[]): WordPair[] {
  const places = new Map(words.map((word, place) => [word, place]))
  const spaced = kept.filter(({ kind }) => kind !== 'unspaced')
  const pairs = new Map<string, WordPair>()
  spaced.forEach((second, index) => {
    const first = spaced[index - 1]
    if (first === undefined) return
    const between = (places.get(second) ?? 0) - (places.get(first) ?? 0) - 1
    const pair = [fold(plain(first.text)), fold(plain(second.text))] as const
    if (between <= MOST_BETWEEN) pairs.set(pair.join(' '), pair)
  })
  return [...pairs.values()]
}
