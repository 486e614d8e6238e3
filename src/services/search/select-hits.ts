import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { readForeignLanguage, readQuestionLanguage } from '../../engine/analysis/question-language.ts'
import { withHeadings } from '../../engine/chunking/chunk.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { createWordCoverage } from '../../engine/ranking/rank-candidates.ts'
import { createSimilarWordsTest } from '../../engine/ranking/similar-words.ts'
import { type Embedder, isCalibrated } from '../../models/embedder.ts'
import { getOwnTitle } from '../documents/document-resource.ts'
import type { RankedCandidate } from './rank-documents.ts'
import { roundScore } from './score-format.ts'
import type { FindRequest } from './search.ts'
import type { SearchResult } from './search-service.ts'

/** A ranked passage, and the number of its copies that it represents. */
export type SelectedDocument = RankedCandidate & { duplicates: number }

/**
 * Selects the passages to return, in order: matches only, without copies, and from the minimum
 * score on. Corrections have separate thresholds (`match-correction.ts`).
 */
export function selectHits(
  found: Pick<SearchResult, 'question' | 'documents'> & Related,
  { minScore = 0, collapseDuplicates = true, keepUnrelated = false }: SelectOptions,
): SelectedDocument[] {
  const related = keepUnrelated ? found.documents : dropUnrelated(found)
  // Compared as returned: a score of an earlier response may be the minimum.
  const scored = related.filter(({ score }) => roundScore(score) >= minScore)
  return collapseDuplicates ? collapseCopies(scored) : scored.map((document) => ({ ...document, duplicates: 0 }))
}

type SelectOptions = Pick<FindRequest, 'minScore' | 'collapseDuplicates' | 'keepUnrelated'>

/** `embedder`: the one of the memory; `null` if vectors were not compared. */
type Related = {
  analyzer: Pick<Analyzer, 'findTerms' | 'terms'>
  embedder: Pick<Embedder, 'minSimilarity' | 'calibratedLanguages' | 'crossLanguageWeight'> | null
}

/**
 * Drops passages that are nearest without being near, if no passage has a word of the query. A
 * vector search finds a neighbor for any query, and the search for similar terms finds other words.
 * Semantic mode keeps all.
 */
function dropUnrelated(found: Pick<SearchResult, 'question' | 'documents'> & Related): readonly RankedCandidate[] {
  const { question, documents, embedder } = found
  const isLexical = question.mode === 'lexical'
  const areRelated = isLexical
    ? !documents.some(({ candidate }) => candidate.isNear)
    : question.mode === 'semantic' || hasContentWord(found)
  if (areRelated) return documents
  const hasMistypedWord = createNearTest(found)
  if (isLexical) return documents.filter((document) => !document.candidate.isNear || hasMistypedWord(document))
  const isForeign = createLanguageTest(question, embedder)
  const hasSimilarWord = createSimilarWordsTest(question.words)
  const isSimilar = createSimilarityTest(found)
  return documents.filter((document) => {
    const { isNear, chunk } = document.candidate
    const isMistyped = isNear && hasMistypedWord(document)
    return isMistyped || isForeign(document) || hasSimilarWord(chunk.text) || isSimilar(document)
  })
}

/**
 * Creates the test of a passage that was found by similar terms: a word or its stem is a mistyped
 * one of the query. The search allows two edits in terms of six letters, since an exchange of two
 * letters counts as two, and so finds "platz" for `pflrtz`. True without words, in scripts without
 * spaces.
 */
function createNearTest({ question: { words, terms }, analyzer }: Pick<SearchResult, 'question'> & Related) {
  const hasSimilarWord = createSimilarWordsTest(words)
  const hasSimilarTerm = createSimilarWordsTest(terms)
  return ({ candidate: { chunk, document } }: RankedCandidate): boolean => {
    const text = withHeadings(chunk, getOwnTitle(document))
    const stems = () => analyzer.terms(text, document.language).join(' ')
    return words.length === 0 || hasSimilarWord(text) || hasSimilarTerm(stems())
  }
}

/**
 * Creates the test of a document in another language than the question. Texts of two languages have
 * few common words, and low cosines, so that neither shows what is unrelated.
 */
function createLanguageTest({ query, isForeign }: SearchResult['question'], embedder: Related['embedder']) {
  if (embedder?.crossLanguageWeight === undefined) return () => false
  const known = new Map<string | null, boolean>([[null, isForeign]])
  return ({ candidate: { document } }: RankedCandidate): boolean => {
    const language = document.language ?? null
    const found = known.get(language) ?? (language !== null && readForeignLanguage(query, [language]) !== null)
    known.set(language, found)
    return found
  }
}

/** A passage with a content word ranks before those with stop words only. */
const MAX_COMPARED = 20

/** True if a passage has a word of the query that is no stop word, or if the query has none. */
function hasContentWord({ question, documents, analyzer }: Pick<SearchResult, 'question' | 'documents'> & Related) {
  const { contentTerms, forms } = question
  const matches = documents.filter(({ candidate }) => candidate.lexical !== null && !candidate.isNear)
  if (contentTerms.length === 0) return matches.length > 0
  const terms = [...contentTerms, ...forms]
  return matches.slice(0, MAX_COMPARED).some(({ candidate: { chunk, document } }) => {
    const languages = [document.language ?? DEFAULT_LANGUAGE]
    return analyzer.findTerms(withHeadings(chunk, getOwnTitle(document)), terms, languages).length > 0
  })
}

const OTHER_LETTER = /[^\p{ASCII}\P{L}]/u

/** Share of the four-grams of a query that a related passage has in common. */
const MIN_GRAM_SHARE = 0.25

/**
 * Creates the test of similarity without a common word. To most embedders, all texts of a language
 * but English are alike, so that parts of words must be common as well.
 */
function createSimilarityTest({ question, embedder }: Pick<SearchResult, 'question'> & Related) {
  const { query, languages } = question
  const { minSimilarity = 0 } = embedder ?? {}
  const spoken = readQuestionLanguage(query, [DEFAULT_LANGUAGE]) ?? languages[0] ?? DEFAULT_LANGUAGE
  const isEnglish = spoken === DEFAULT_LANGUAGE && !OTHER_LETTER.test(query)
  const isTrusted = isEnglish || (embedder !== null && isCalibrated(embedder, UNDETERMINED))
  const cover = createWordCoverage(question)
  return ({ candidate: { chunk }, scores }: RankedCandidate): boolean =>
    (scores.semantic ?? 0) >= minSimilarity && (isTrusted || cover(chunk.text) >= MIN_GRAM_SHARE)
}

/** ISO 639-2 code of an undetermined language. */
const UNDETERMINED = 'und'

/** Keeps the first passage of each text, with the number of copies. */
function collapseCopies(documents: readonly RankedCandidate[]): SelectedDocument[] {
  const byKey = new Map<string, SelectedDocument>()
  for (const document of documents) {
    const { copyKey, unrankedCopies } = document.candidate
    const first = byKey.get(copyKey)
    if (first === undefined) byKey.set(copyKey, { ...document, duplicates: unrankedCopies })
    else first.duplicates += 1 + unrankedCopies
  }
  return [...byKey.values()]
}
