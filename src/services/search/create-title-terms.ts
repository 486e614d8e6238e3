import type { LiveDocument } from '../../database/memories/live-documents.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { getOwnTitle } from '../documents/document-resource.ts'

/** What tells the terms of a document's title. */
export type Titled = Pick<LiveDocument, 'title' | 'filename' | 'language'>

/** The terms of a document's title; none where it has none of its own. */
export type TitleTerms = (document: Titled) => readonly string[]

/** Titles whose terms are remembered: analysing those of 400 candidates took 2 ms of every search. */
const MAX_REMEMBERED_TITLES = 10_000

/** Analyses titles, each once while it is remembered. */
export function createTitleTerms(analyzer: Analyzer): TitleTerms {
  const remembered = new Map<string, readonly string[]>()
  return ({ language, ...named }) => {
    // The file's name would push every chunk of that file, and all that have no title would have the same one.
    const title = getOwnTitle(named)
    if (title === null) return []
    const key = `${language}:${title}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    if (remembered.size >= MAX_REMEMBERED_TITLES) remembered.clear()
    const terms = analyzer.terms(title, language)
    remembered.set(key, terms)
    return terms
  }
}
