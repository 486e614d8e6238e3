import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { decodeEscapes, findInDecoded } from './escapes.ts'
import {
  type AskedPeriod,
  findPeriodTokens,
  isPeriodTerm,
  listAskedPeriods,
  listPeriodTerms,
  toPeriodQueryTerms,
} from './find-periods.ts'
import { fold, normalizeWord } from './fold.ts'
import { listVerbForms } from './inflections.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import {
  chooseVerbLanguage,
  detectQueryLanguage,
  isStopWord,
  limitWords,
  listAdjacentPairs,
  listQuotedPhrases,
  listRepeatedTerms,
  orderLanguages,
  stripInterrogatives,
  type WordPair,
} from './query-words.ts'
import { listSpellingVariants } from './spelling-variants.ts'
import { splitWords, type Token, type Word } from './split-words.ts'
import { createTermReader, type TermReader } from './term-reader.ts'
import {
  type AnalyzedWord,
  bigrams,
  characterTokens,
  hangulTokens,
  isParticleRun,
  isSingleCharacter,
  lastCharacter,
  segmentRun,
  stripKoreanEnding,
} from './unspaced-terms.ts'

/** Terms and words of a query. */
type QueryTerms = {
  /**
   * Distinct terms to look up; any of them may match. Empty only if the query has no letter and no
   * digit.
   */
  terms: string[]
  /** Terms in several sentences of the query, once for each further sentence (`query-words.ts`). */
  repeated: string[]
  /** Terms of spelling variants of the query, and of its dates and periods in any form. */
  forms: string[]
  /** Distinct meaningful words as typed, folded but not stemmed, of scripts with spaces. */
  words: string[]
  /** Words in several sentences, like `repeated`. */
  repeatedWords: string[]
  /** Pairs of adjacent `words` in the query. */
  pairs: WordPair[]
  /** True if the query has only stop words and negations, which are then its terms. */
  hasStopWordsOnly: boolean
  /** The terms of words that are a stop word in no language; empty for stop words only. */
  contentTerms: string[]
  /** Quoted phrases, without the quotation marks. */
  phrases: string[]
  /** Dates and periods, in any form (`find-periods.ts`). */
  periods: AskedPeriod[]
  /**
   * The given languages, the language of the query first if known. `und` precedes them if the
   * letters belong to no given language (`query-words.ts`).
   */
  languages: string[]
  /** Language whose verb forms the query may contain (`query-words.ts`). */
  verbs: string
  /** Number of distinct words over the limit, which are not looked up (`query-words.ts`). */
  leftOut: number
}

/**
 * Text analysis for BM25, highlights and answers alike. Languages are ISO 639-1; `null` means
 * {@link DEFAULT_LANGUAGE}. Escapes are decoded before analysis (`escapes.ts`); offsets refer to
 * the original text. Terms are stemmed, folded, never empty and without white space.
 */
export type Analyzer = {
  /** Every term of a text with its offsets, by start. */
  tokens(text: string, language: string | null): Token[]
  /**
   * Terms as indexed, with those of dates and periods. Stop words are indexed and left out of
   * queries only: both ways measured the same, and "to be or not to be" finds its text.
   */
  terms(text: string, language: string | null): string[]
  /**
   * Union of the query's terms over the languages. A query of stop words and negations only keeps
   * all its words.
   */
  queryTerms(query: string, languages: readonly string[]): QueryTerms
  /**
   * Terms of other spellings of a query word, as in `forms`. For `HIV-1` the result has the term of
   * `HIV1`, but not of the part `HIV`.
   */
  variantTerms(word: string, query: Pick<QueryTerms, 'languages' | 'verbs'>): string[]
  /** Words of a text in order, without the parts of compounds. */
  words(text: string, languages: readonly string[]): AnalyzedWord[]
  /** Occurrences of any of the terms in any of the languages, by start, longer matches first. */
  findTerms(text: string, terms: readonly string[], languages: readonly string[]): Token[]
}

/** Not stop words, because a negation reverses a question, but not searched for alone. */
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'nor'])
/** Longer words are cut to this length. No natural word is longer. */
const MAX_TERM_CHARACTERS = 64
/**
 * Maximum number of terms of all languages together, and of `forms`. Terms of later languages are
 * dropped first.
 */
const MAX_QUERY_TERMS = 1024

/** Lexicons of one analyzer, each created once. */
type Lexicons = {
  /** Lexicon of a language; of the default language for `null`. */
  of(language: string | null): Lexicon
  /** Lexicons of the languages; the default one if the list is empty. */
  all(languages: readonly string[]): Lexicon[]
}

function createLexicons(): Lexicons {
  const known = new Map<string, Lexicon>()

  function of(language: string | null): Lexicon {
    const name = language ?? DEFAULT_LANGUAGE
    const lexicon = known.get(name) ?? createLexicon(name)
    known.set(name, lexicon)
    return lexicon
  }

  return { of, all: (languages) => (languages.length > 0 ? languages : [DEFAULT_LANGUAGE]).map(of) }
}

/** Creates an analyzer. The analyzer caches a bounded number of stems and terms. */
export function createAnalyzer(): Analyzer {
  const lexicons = createLexicons()
  const readers = new Map<Lexicon, TermReader>()

  return {
    tokens(text, language) {
      const lexicon = lexicons.of(language)
      return findInDecoded(text, (readable) => splitWords(readable).flatMap((word) => tokensOf(word, lexicon)))
    },
    terms(text, language) {
      const lexicon = lexicons.of(language)
      const read = readers.get(lexicon) ?? createTermReader((segment) => indexTermsOf(splitWords(segment), lexicon))
      readers.set(lexicon, read)
      const readable = toOneByte(decodeEscapes(text))
      return withPeriods(read(readable), listPeriodTerms(readable, lexicon.language))
    },
    queryTerms: (query, languages) => readQueryTerms(lexicons, decodeEscapes(query), languages),
    variantTerms(word, { languages, verbs }) {
      const words = splitWords(word)
      const own = new Set(lexicons.all(languages).flatMap((lexicon) => termsOf(words, lexicon)))
      const forms = new Set(
        lexicons.all(languages).flatMap((lexicon) => variantTermsOf(word, words, { lexicon, verbs })),
      )
      return [...forms].filter((form) => !own.has(form))
    },
    words: (text, languages) => findInDecoded(text, (readable) => readWords(readable, lexicons.all(languages))),
    findTerms: (text, terms, languages) =>
      findInDecoded(text, (readable) => findTerms(readable, terms, lexicons.all(languages))),
  }
}

const ONE_BYTE = /^[\0-\xff]*$/

/**
 * The same text with one byte a character, where possible: patterns then take half the time. A part
 * of a text has two bytes a character if the whole has a character that needs them, such as a dash.
 */
function toOneByte(text: string): string {
  return ONE_BYTE.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text
}

/** A term counts once, although the date is written as its term. */
function withPeriods(terms: string[], periods: readonly string[]): string[] {
  if (periods.length === 0) return terms
  const present = new Set(terms)
  return [...terms, ...periods.filter((term) => !present.has(term))]
}

function readQueryTerms({ of, all }: Lexicons, query: string, given: readonly string[]): QueryTerms {
  const words = stripInterrogatives(splitWords(query)).map(stripKoreanEnding)
  const spoken = detectQueryLanguage(words, all(given))
  const languages = orderLanguages(given, query, spoken?.language ?? null)
  const lexicons = all(languages)
  const meaningful = lexicons.map((lexicon) => words.filter((word) => !isStopWord(word, spoken ?? lexicon)))
  const isSaid = meaningful.some((some) => some.some(({ text }) => !NEGATIONS.has(text.toLowerCase())))
  const { lists: kept, leftOut } = limitWords(isSaid ? meaningful : lexicons.map(() => words))
  const terms = lexicons.flatMap((lexicon, index) => termsOf(kept[index] ?? [], lexicon))
  const places = kept.flatMap((some, index) => some.flatMap((word) => tokensOf(word, lexicons[index] ?? of(null))))
  const verbs = chooseVerbLanguage(words, [...new Set(all([...given, DEFAULT_LANGUAGE]))])
  const others = lexicons.flatMap((lexicon, index) => variantTermsOf(query, kept[index] ?? [], { lexicon, verbs }))
  const spaced = kept
    .flat()
    .flatMap((word) => (word.kind === 'unspaced' ? [] : [{ ...word, term: fold(normalizeWord(word.text)) }]))
  const periods = listAskedPeriods(query, languages[0] ?? DEFAULT_LANGUAGE)
  const distinct = new Set([...new Set(terms)].slice(0, MAX_QUERY_TERMS))
  return {
    terms: [...distinct],
    repeated: listRepeatedTerms(query, places).filter((term) => distinct.has(term)),
    forms: [...new Set([...toPeriodQueryTerms(periods.flatMap(({ values }) => values)), ...others])]
      .filter((form) => !distinct.has(form))
      .slice(0, MAX_QUERY_TERMS),
    words: [...new Set(spaced.map(({ term }) => term))],
    repeatedWords: listRepeatedTerms(query, spaced),
    pairs: listAdjacentPairs(words, kept[0] ?? []),
    hasStopWordsOnly: words.length > 0 && (!isSaid || lexicons.some((lexicon) => areStopWords(words, lexicon))),
    contentTerms: [...new Set(termsOfContent(words, { lexicons, kept }))],
    phrases: listQuotedPhrases(query),
    periods,
    languages,
    verbs,
    leftOut,
  }
}

/** A single word may be a stop word of one language and the name of a thing in another: "hat". */
const MIN_STOP_WORDS = 2

/** True if all words are stop words of one language, or particles of a script without spaces. */
function areStopWords(words: readonly Word[], lexicon: Lexicon): boolean {
  return (
    words.every(isParticleRun) || (words.length >= MIN_STOP_WORDS && words.every((word) => isStopWord(word, lexicon)))
  )
}

/** Terms of the words that are a stop word in no language. */
function termsOfContent(
  words: readonly Word[],
  { lexicons, kept }: { lexicons: readonly Lexicon[]; kept: readonly (readonly Word[])[] },
): string[] {
  const content = new Set(words.filter((word) => !lexicons.some((lexicon) => isStopWord(word, lexicon))))
  return lexicons.flatMap((lexicon, index) =>
    termsOf(
      (kept[index] ?? []).filter((word) => content.has(word)),
      lexicon,
    ),
  )
}

function findTerms(text: string, terms: readonly string[], lexicons: readonly Lexicon[]): Token[] {
  const wanted = new Set(terms)
  const distinct = [...new Map(lexicons.map((lexicon) => [lexicon.stemmer, lexicon])).values()]
  const others = terms.flatMap((term) => distinct.flatMap((lexicon) => lexicon.otherFirstLetters(term)))
  const firstLetters = new Set([...terms.map((term) => term.slice(0, 1)), ...others])
  const found: Token[] = []
  const hasSingle = terms.some(isSingleCharacter)
  for (const word of splitWords(text, createFirstLetterTest(distinct, firstLetters))) {
    if (hasSingle && word.kind === 'unspaced' && word.end - word.start > 1)
      found.push(...characterTokens(word).filter(({ term }) => wanted.has(term)))
    const isLikely = word.kind !== 'word' || firstLetters.has(firstLetterOf(word.text))
    for (const lexicon of distinct) {
      if (!isLikely && lexicon.keepsFirstLetter) continue
      for (const token of tokensOf(word, lexicon)) if (wanted.has(token.term)) found.push(token)
    }
  }
  if (terms.some(isPeriodTerm)) found.push(...findPeriodTokens(text, wanted, lexicons[0]?.language ?? DEFAULT_LANGUAGE))
  return found.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Comparing a first letter that stemming keeps is far cheaper than stemming. */
function createFirstLetterTest(lexicons: readonly Lexicon[], firstLetters: ReadonlySet<string>) {
  if (!lexicons.every(({ keepsFirstLetter }) => keepsFirstLetter)) return undefined
  return (code: number): boolean => firstLetters.has(String.fromCharCode(code).toLowerCase())
}

function readWords(text: string, lexicons: readonly Lexicon[]): AnalyzedWord[] {
  const found: AnalyzedWord[] = []
  for (const word of splitWords(text)) {
    // The parts of a compound follow it, and lie within it.
    if (word.start < (found.at(-1)?.end ?? 0)) continue
    if (word.kind === 'unspaced') {
      found.push(...segmentRun(word))
      continue
    }
    const { text: written, start, end } = stripKoreanEnding(word)
    found.push({
      text: written,
      start,
      end,
      terms: [...new Set(lexicons.flatMap((lexicon) => termsOf([word], lexicon)))],
      isFunction: lexicons.some((lexicon) => isStopWord(word, lexicon)),
      isLiteral: word.kind === 'hangul',
    })
  }
  return found
}

/** Terms of spelling variants of query words. `verbs` is the language of verb forms. */
function variantTermsOf(
  query: string,
  words: readonly Word[],
  { lexicon, verbs }: { lexicon: Lexicon; verbs: string },
): string[] {
  const { language } = lexicon
  const conjugated = language === verbs ? listVerbForms(words, language) : []
  return termsOf(
    [...listSpellingVariants(query, words, language), ...conjugated, ...words.flatMap(withOtherKind)],
    lexicon,
  )
}

/** First letter of the folded word. An ASCII letter needs no context to fold. */
function firstLetterOf(word: string): string {
  const first = word.slice(0, 1)
  return (first < '\x80' ? first.toLowerCase() : fold(normalizeWord(word))).slice(0, 1)
}

/** Allocates no list per word and no offsets, because indexing needs only the terms. */
function termsOf(words: readonly Word[], lexicon: Lexicon): string[] {
  const terms: string[] = []
  for (const word of words) {
    if (word.kind === 'unspaced' || word.kind === 'hangul')
      for (const { term } of tokensOf(word, lexicon)) terms.push(term)
    else {
      const term = termOf(word, lexicon)
      if (term !== '') terms.push(term)
    }
  }
  return terms
}

/**
 * Terms to index: also the last character of a run, which begins no pair. All single characters
 * would double the terms.
 */
function indexTermsOf(words: readonly Word[], lexicon: Lexicon): string[] {
  const last = words.flatMap((word) => lastCharacter(word) ?? [])
  const terms = termsOf(words, lexicon)
  return last.length === 0 ? terms : [...terms, ...last]
}

function tokensOf(word: Word, lexicon: Lexicon): Token[] {
  if (word.kind === 'unspaced') return bigrams(word)
  if (word.kind === 'hangul') return hangulTokens(word)
  const term = termOf(word, lexicon)
  return term === '' ? [] : [{ term, start: word.start, end: word.end }]
}

/** `iPhone` is indexed as written, `iphone` by its stem. A query looks up both forms. */
function withOtherKind(word: Word): Word[] {
  if (!/^[\p{L}\p{M}]+$/v.test(word.text) || (word.kind !== 'word' && word.kind !== 'whole')) return []
  return [{ ...word, kind: word.kind === 'word' ? 'whole' : 'word' }]
}

function termOf(word: Word, lexicon: Lexicon): string {
  const term = lexicon.termOf(word.text, word.kind === 'word')
  return (term.length > MAX_TERM_CHARACTERS ? term.slice(0, MAX_TERM_CHARACTERS) : term).toWellFormed()
}

/**
 * Increment with every change of the terms that a text produces. All chunks are then re-analysed
 * after the next start (`services/doctor/renew-terms.ts`). A test compares a hash of sample terms.
 */
export const TERMS_VERSION = 3
