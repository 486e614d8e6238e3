import { countTitles, type TitleStock } from '../../engine/ranking/score-titles.ts'
import type { Memory } from '../../store/schema.ts'
import type { Titled, TitleTerms } from './create-title-terms.ts'

/** The titles of a memory, the oldest of them where there are many, counted. */
export type TitleStocks = (memory: MemoryOfTitles) => Promise<TitleStock>

/** What tells whether a memory's titles have to be counted again. */
export type MemoryOfTitles = Pick<Memory, 'id' | 'document_count'>

/** With 2,000 titles of 3,200 nDCG@10 was as with all, with 1,000 .0014 less (cacm). Counted in 10 ms, 40 in a new process. */
const MOST_TITLES = 2000
/** Analysed between two looks at the clock: 0.1 ms, 2 in a new process. */
const TITLES_A_LOOK = 20
/** Some 1 MB each. */
const MOST_MEMORIES = 20
/** Counted again when so large a part of the memory's documents came or went. */
const STALE_SHARE = 0.1

/** What titles are counted with; `list` gives the oldest so many of a memory, `shareLoop` lets others have their turn (`loop-share.ts`). */
export type TitleStockParts = {
  list: (memoryId: string, limit: number) => Promise<readonly Titled[]>
  titleTerms: TitleTerms
  shareLoop: () => Promise<void>
}

/** Counts the titles of memories, and remembers the counts of those asked for last. */
export function createTitleStocks({ list, titleTerms, shareLoop }: TitleStockParts): TitleStocks {
  const remembered = new Map<string, { documents: number; stock: Promise<TitleStock> }>()

  async function count(memoryId: string): Promise<TitleStock> {
    const terms: (readonly string[])[] = []
    for (const titled of await list(memoryId, MOST_TITLES)) {
      if (terms.length % TITLES_A_LOOK === 0) await shareLoop()
      terms.push(titleTerms(titled))
    }
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
