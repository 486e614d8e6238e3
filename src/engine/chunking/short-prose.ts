import type { Chunk } from './chunk.ts'
import type { TextRun } from './text-run.ts'
import { chunkOf, type Unit } from './unit.ts'

/** Holds the parts of a document back while it may still be one chunk. */
export type ShortProse = {
  isOpen(): boolean
  /** Takes what was appended last, its unit where it has words, and gives the parts held back once the document is not one chunk. */
  judge(unit: Unit | null): Chunk[]
  /** Takes the chunks the document has otherwise, and gives those that are to be given out. */
  hold(chunks: Chunk[]): Chunk[]
  /** The whole document as one chunk; empty where it is not one, or white space. */
  whole(): Chunk[]
}

/** Prose without sections up to here is about one thing: cut in two, abstracts took two places of ten hits (docs/relevance.md). */
const MOST_CHARACTERS = 2000

/** Begins to judge the document whose text is `source`: one chunk while it is short and nothing but paragraphs of one page. */
export function createShortProse(source: TextRun): ShortProse {
  let units: Unit[] = []
  let held: Chunk[] = []
  let isOpen = true
  return {
    isOpen: () => isOpen,
    judge(unit) {
      const isProse = unit === null || (unit.kind === 'paragraph' && unit.page === (units[0] ?? unit).page)
      if (isOpen && isProse && source.length() <= MOST_CHARACTERS) {
        if (unit !== null) units.push(unit)
        return []
      }
      const parts = held
      isOpen = false
      units = []
      held = []
      return parts
    },
    hold(chunks) {
      if (!isOpen) return chunks
      held.push(...chunks)
      return []
    },
    whole() {
      const chunk = isOpen ? chunkOf(units, source) : null
      return chunk === null ? [] : [chunk]
    },
  }
}
