import { DEFAULT_LANGUAGE } from '../languages/languages.ts'
import { findBehindEscapes, withoutEscapes } from './escapes.ts'
import { fold, plain } from './fold.ts'
import { verbForms } from './inflections.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import {
  isStopWord,
  limitWords,
  orderLanguages,
  pairWords,
  quotedPhrases,
  repeatTerms,
  spokenLanguage,
  verbLanguage,
  type WordPair,
  withoutAsking,
} from './query-words.ts'
import { otherForms } from './spelling-variants.ts'
import { splitWords, type Token, type Word } from './split-words.ts'
import { createTermReader, type TermReader } from './term-reader.ts'
import { bigrams, hangulTokens, withoutKoreanEnding } from './unspaced-terms.ts'

/** What a query asks for. */
type QueryTerms = {
  /**
   * Distinct terms to look up; any of them may match. Empty only when the query has no letter and
   * no digit.
   */
  terms: string[]
  /**
   * Those of them that several sentences of it have, once for each further one (`query-words.ts`).
   */
  repeated: string[]
  /** Further terms to look up: what the query asks for, written in other ways. */
  forms: string[]
  /**
   * Distinct meaningful words as they were typed, folded but not stemmed, of scripts with spaces.
   */
  words: string[]
  /** Those of them that several sentences of it have, as `repeated`. */
  repeatedWords: string[]
  /** Those of them that stand beside each other in the query. */
  pairs: WordPair[]
  /** What stood in quotation marks, without them. */
  phrases: string[]
  /**
   * Those that were given, that of the query first where it is known; before them `und` for letters
   * of none of them (`query-words.ts`).
   */
  languages: string[]
  /** The language of whose verbs it may have forms (`query-words.ts`). */
  verbs: string
  /** Distinct words of it that are looked up nowhere, as it has too many (`query-words.ts`). */
  leftOut: number
}

/**
 * The one analysis of text: what BM25 sees, what is highlighted, what answers are made of.
 * Languages are ISO 639-1; `null` stands for {@link DEFAULT_LANGUAGE}. Texts are read without their
 * escapes (`escapes.ts`), places are those of the text as it is written. Terms are stemmed, folded,
 * never empty and never hold white space.
 */
export type Analyzer = {
  /** Every term of a text with its place, in order of start. */
  tokens(text: string, language: string | null): Token[]
  /**
   * The terms alone, as they are indexed. Stop words are among them and left out of queries only:
   * that measured the same, and "to be or not to be" finds its text.
   */
  terms(text: string, language: string | null): string[]
  /**
   * The union of the query's terms over the languages; a query of stop words and negations only
   * keeps all of them.
   */
  queryTerms(query: string, languages: readonly string[]): QueryTerms
  /**
   * The terms of other ways to write a word of a query, as its `forms` have them: of `HIV-1` that
   * of `HIV1`, and not `HIV`, which is a part of it.
   */
  otherTerms(word: string, query: Pick<QueryTerms, 'languages' | 'verbs'>): string[]
  /**
   * The places in a text that give one of the terms in any of the languages, in order of start,
   * longer ones first.
   */
  findTerms(text: string, terms: readonly string[], languages: readonly string[]): Token[]
}

/** No stop words, since they turn what a question asks for, and nothing by themselves. */
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'nor'])
/** Words of more characters give no term of their own beyond these: no honest word is longer. */
const MAX_TERM_CHARACTERS = 64
/**
 * Terms of all languages of a memory together, and as many other ways of writing them: those of its
 * later languages go first.
 */
const MAX_QUERY_TERMS = 1024

/** The lexicons of one analyzer, each made once. */
type Lexicons = {
  /** That of a language; of the default one for `null`. */
  of(language: string | null): Lexicon
  /** Those of the languages; that of the default one where there are none. */
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

/** Makes an analyzer; it keeps the stems and terms it has seen, a bounded number of them. */
export function createAnalyzer(): Analyzer {
  const lexicons = createLexicons()
  const readers = new Map<Lexicon, TermReader>()

  return {
    tokens(text, language) {
      const lexicon = lexicons.of(language)
      return findBehindEscapes(text, (readable) => splitWords(readable).flatMap((word) => tokensOf(word, lexicon)))
    },
    terms(text, language) {
      const lexicon = lexicons.of(language)
      const read = readers.get(lexicon) ?? createTermReader((segment) => termsOf(splitWords(segment), lexicon))
      readers.set(lexicon, read)
      return read(withoutEscapes(text))
    },
    queryTerms: (query, languages) => readQueryTerms(lexicons, withoutEscapes(query), languages),
    otherTerms(word, { languages, verbs }) {
      const words = splitWords(word)
      const own = new Set(lexicons.all(languages).flatMap((lexicon) => termsOf(words, lexicon)))
      const forms = new Set(lexicons.all(languages).flatMap((lexicon) => formsOf(word, words, { lexicon, verbs })))
      return [...forms].filter((form) => !own.has(form))
    },
    findTerms: (text, terms, languages) =>
      findBehindEscapes(text, (readable) => findTerms(readable, terms, lexicons.all(languages))),
  }
}

function readQueryTerms({ of, all }: Lexicons, query: string, given: readonly string[]): QueryTerms {
  const words = withoutAsking(splitWords(query)).map(withoutKoreanEnding)
  const spoken = spokenLanguage(words, all(given))
  const languages = orderLanguages(given, query, spoken?.language ?? null)
  const lexicons = all(languages)
  const meaningful = lexicons.map((lexicon) => words.filter((word) => !isStopWord(word, spoken ?? lexicon)))
  const isSaid = meaningful.some((some) => some.some(({ text }) => !NEGATIONS.has(text.toLowerCase())))
  const { lists: kept, leftOut } = limitWords(isSaid ? meaningful : lexicons.map(() => words))
  const terms = lexicons.flatMap((lexicon, index) => termsOf(kept[index] ?? [], lexicon))
  const places = kept.flatMap((some, index) => some.flatMap((word) => tokensOf(word, lexicons[index] ?? of(null))))
  const verbs = verbLanguage(words, [...new Set(all([...given, DEFAULT_LANGUAGE]))])
  const others = lexicons.flatMap((lexicon, index) => formsOf(query, kept[index] ?? [], { lexicon, verbs }))
  const spaced = kept
    .flat()
    .flatMap((word) => (word.kind === 'unspaced' ? [] : [{ ...word, term: fold(plain(word.text)) }]))
  const distinct = new Set([...new Set(terms)].slice(0, MAX_QUERY_TERMS))
  return {
    terms: [...distinct],
    repeated: repeatTerms(query, places).filter((term) => distinct.has(term)),
    forms: [...new Set(others)].filter((form) => !distinct.has(form)).slice(0, MAX_QUERY_TERMS),
    words: [...new Set(spaced.map(({ term }) => term))],
    repeatedWords: repeatTerms(query, spaced),
    pairs: pairWords(words, kept[0] ?? []),
    phrases: quotedPhrases(query),
    languages,
    verbs,
    leftOut,
  }
}

function findTerms(text: string, terms: readonly string[], lexicons: readonly Lexicon[]): Token[] {
  const wanted = new Set(terms)
  const distinct = [...new Map(lexicons.map((lexicon) => [lexicon.stemmer, lexicon])).values()]
  const others = terms.flatMap((term) => distinct.flatMap((lexicon) => lexicon.otherBeginnings(term)))
  const firstLetters = new Set([...terms.map((term) => term.slice(0, 1)), ...others])
  const found: Token[] = []
  for (const word of splitWords(text)) {
    // Working out a stem costs far more than looking at a letter that stemming leaves alone.
    const isLikely = word.kind !== 'word' || firstLetters.has(firstLetterOf(word.text))
    for (const lexicon of distinct) {
      if (!isLikely && lexicon.keepsFirstLetter) continue
      for (const token of tokensOf(word, lexicon)) if (wanted.has(token.term)) found.push(token)
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end)
}

/**
 * The terms of other ways to write words of a query; `verbs` is the language of which they may be
 * verbs.
 */
function formsOf(
  query: string,
  words: readonly Word[],
  { lexicon, verbs }: { lexicon: Lexicon; verbs: string },
): string[] {
  const { language } = lexicon
  const conjugated = language === verbs ? verbForms(words, language) : []
  return termsOf([...otherForms(query, words, language), ...conjugated, ...words.flatMap(otherKind)], lexicon)
}

/** Of the folded word; an ASCII letter folds by itself alone. */
function firstLetterOf(word: string): string {
  const first = word.slice(0, 1)
  return (first < '\x80' ? first.toLowerCase() : fold(plain(word))).slice(0, 1)
}

/** No list a word, and no place where none is asked for. */
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

function tokensOf(word: Word, lexicon: Lexicon): Token[] {
  if (word.kind === 'unspaced') return bigrams(word)
  if (word.kind === 'hangul') return hangulTokens(word)
  const term = termOf(word, lexicon)
  return term === '' ? [] : [{ term, start: word.start, end: word.end }]
}

/**
 * `iPhone` is indexed as it stands, `iphone` by its stem: either is asked for as the other is
 * indexed.
 */
function otherKind(word: Word): Word[] {
  if (!/^[\p{L}\p{M}]+$/v.test(word.text) || (word.kind !== 'word' && word.kind !== 'whole')) return []
  return [{ ...word, kind: word.kind === 'word' ? 'whole' : 'word' }]
}

function termOf(word: Word, lexicon: Lexicon): string {
  const term = lexicon.termOf(word.text, word.kind === 'word')
  return (term.length > MAX_TERM_CHARACTERS ? term.slice(0, MAX_TERM_CHARACTERS) : term).toWellFormed()
}

/**
 * Goes up by one with every change by which a text makes other terms than before: then the terms of
 * all chunks are made again behind the start (`services/doctor/renew-terms.ts`). A test holds it to
 * what it stands for.
 */
export const TERMS_VERSION = 1
