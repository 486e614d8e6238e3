import type { LiveDocument } from '../../database/memories/live-documents.ts'
import type { Memory } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { countTitles, type TitleStock } from '../../engine/ranking/score-titles.ts'
import { getOwnTitle } from '../documents/document-resource.ts'

/** What tells the terms of a document's title. */
type Titled = Pick<LiveDocument, 'title' | 'filename' | 'language'>

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

/** The titles of a memory, the oldest of them where there are many, counted. */
export type TitleStocks = (memory: MemoryOfTitles) => Promise<TitleStock>

/** What tells whether a memory's titles have to be counted again. */
export type MemoryOfTitles = Pick<Memory, 'id' | 'document_count'>

/** With 2,000 titles of 3,200 nDCG@10 was as with all, with 1,000 .0014 less (cacm). Counted in 10 ms, 40 in a new process. */
const MAX_STOCK_TITLES = 2000
/** Read at a time, in 1 ms. In a new process their analysis takes 10, so the clock is looked at before each. */
const TITLES_AT_ONCE = 100
/** Some 1 MB each. */
const MOST_MEMORIES = 20
/** Counted again when so large a part of the memory's documents came or went. */
const STALE_SHARE = 0.1

/** What titles are counted with; `list` gives the oldest so many of a memory behind a number in the order of arrival, `shareLoop` lets others have their turn (`event-loop-yield.ts`). */
type TitleStockParts = {
  list: (memoryId: string, page: { behind: number; limit: number }) => Promise<readonly PlacedTitle[]>
  titleTerms: TitleTerms
  shareLoop: () => Promise<void>
}

type PlacedTitle = Titled & { seq: number }

/** Counts the titles of memories, and remembers the counts of those asked for last. */
export function createTitleStocks({ list, titleTerms, shareLoop }: TitleStockParts): TitleStocks {
  const remembered = new Map<string, { documents: number; stock: Promise<TitleStock> }>()

  async function count(memoryId: string): Promise<TitleStock> {
    const terms: (readonly string[])[] = []
    let page: readonly PlacedTitle[] = []
    do {
      page = await list(memoryId, { behind: page.at(-1)?.seq ?? 0, limit: TITLES_AT_ONCE })
      for (const titled of page) {
        await shareLoop()
        terms.push(titleTerms(titled))
      }
    } while (page.length === TITLES_AT_ONCE && terms.length < MAX_STOCK_TITLES)
    return countTitles(terms)
  }

  return async ({ id, document_count: documents }) => {
    const known = remembered.get(id)
    const isFresh = known !== undefined && Math.abs(known.documents - documents) <= STALE_SHARE * known.documents
    const used = isFresh ? known : { documents, stock: count(id) }
    // In the order of use, so that the first is the one used longest ago.
    remembered.delete(id)
    remembered.set(id, used)
    const [oldest] = remembered.keys()
    if (remembered.size > MOST_MEMORIES && oldest !== undefined) remembered.delete(oldest)
    try {
      return await used.stock
    } catch (error) {
      if (remembered.get(id) === used) remembered.delete(id)
      throw error
    }
  }
}
