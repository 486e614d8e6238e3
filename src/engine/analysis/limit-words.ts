import type { Word } from './split-words.ts'

/**
 * Distinct words of a query that are looked up. Our choice: some 3,000 characters of prose have as many that are no stop words, and
 * each costs time and memory in every passage that is compared. In scripts without spaces a character counts as one, as it gives one pair.
 */
export const MAX_QUERY_WORDS = 256

/** What of a query is looked up: a list of words by language, and how many distinct words are not among them. */
export type LimitedWords = { lists: Word[][]; leftOut: number }

/**
 * Keeps of a query the first {@link MAX_QUERY_WORDS} distinct words, wherever they come again, so that the same query always keeps the same
 * ones. `lists` are the words by language, each in the order of the query.
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
