import type { LabelWord, WordReader } from '../labels/label-words.ts'
import { keysOf } from '../labels/score-label.ts'
import type { Entry } from '../layout/entry.ts'
import { readEntries } from '../layout/read-entries.ts'
import { splitSeparated } from '../layout/split-cells.ts'
import { type Clause, splitClauses } from './clauses.ts'
import type { Passage } from './field.ts'

/** A passage with everything that was read in it, whatever the field. */
export type ReadPassage = {
  text: string
  entries: readonly (Entry & { words: readonly LabelWord[]; besideWords: readonly LabelWord[] })[]
  clauses: readonly Clause[]
  /** Meanings of the titles above it. */
  surroundings: ReadonlySet<string>
}

/** `Cost (USD)`, `VAT (20%)`: what stands in brackets adds to a label and makes it no other. */
const BRACKETED = /\([^()]*\)|\[[^[\]]*\]/g

/** Reads a passage: its entries with their words, its clauses. */
export function readPassage(passage: Passage, words: WordReader): ReadPassage {
  const { text, header, section, title, isFirst } = passage
  const read = readOnce(words)
  const entries = readEntries({ text, header, isFirst }).map((entry) => ({
    ...entry,
    words: read(entry.label.replaceAll(BRACKETED, ' ')),
    besideWords: read([entry.besides, ...(entry.label.match(BRACKETED) ?? [])].join(' ')),
  }))
  // Where a document says what it is.
  const head = isFirst ? (text.trimStart().split('\n')[0] ?? '') : ''
  const surroundings = keysOf(words.read([title, section, head].join('\n')))
  const isTable = splitSeparated(text, header) !== null
  const clauses = splitClauses(text, words).map((clause) => (isTable ? { ...clause, isForm: true } : clause))
  return { text, entries, clauses, surroundings }
}

/** The same words for the same text: a cell of a wide table names all others of its row. */
function readOnce(words: WordReader): WordReader['read'] {
  const known = new Map<string, LabelWord[]>()
  return (text) => {
    const found = known.get(text) ?? words.read(text)
    known.set(text, found)
    return found
  }
}
