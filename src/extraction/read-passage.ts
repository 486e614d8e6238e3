import { normalizeForMatch } from '../engine/analysis/fold.ts'
import type { Passage } from './field.ts'
import type { LabelWord, WordReader } from './label-words.ts'
import type { Entry } from './layout/entry.ts'
import { readEntries } from './layout/read-entries.ts'
import { splitSeparated } from './layout/split-cells.ts'
import { type Clause, splitClauses } from './prose/clauses.ts'
import { keysOf } from './score-label.ts'

/** An entry with the words of its label and of what stands beside, and the label as `matchable` makes it. */
type ReadEntry = Entry & {
  name: string
  words: readonly LabelWord[]
  besideWords: readonly LabelWord[]
  /** Of what the value is said to be for: the night of `Rate: EUR 128 per night`. */
  perWords: readonly LabelWord[]
}

/** A passage with everything that was read in it, whatever the field. */
export type ReadPassage = {
  text: string
  entries: readonly ReadEntry[]
  clauses: readonly Clause[]
  /** Meanings of the titles above it. */
  surroundings: ReadonlySet<string>
}

/** `Cost (USD)`, `VAT (20%)`: what stands in brackets adds to a label and makes it no other. */
const BRACKETED = /\([^()]*\)|\[[^[\]]*\]/g

const PER = /(?:(?<!\p{L})(?:per|pro|je|par|por)\s|\/\s?)\p{L}+$/iu
const PER_CHARACTERS = 30
/** What a document is, by the first word of a line below its letterhead. */
const KINDS = ['invoice', 'agreement', 'quote']
const MOST_KIND_CHARACTERS = 40
const MOST_HEAD_LINES = 15

/** Reads a passage: its entries with their words, its clauses. */
export function readPassage(passage: Passage, words: WordReader): ReadPassage {
  const { text, header, section, title, isFirst } = passage
  const read = readOnce(words)
  const entries = readEntries({ text, header, section, isFirst }).map((entry) => ({
    ...entry,
    name: normalizeForMatch(entry.label),
    words: read(entry.label.replaceAll(BRACKETED, ' ')),
    perWords: read(PER.exec(text.slice(Math.max(entry.start, entry.end - PER_CHARACTERS), entry.end))?.[0] ?? ''),
    besideWords: read([entry.besides, ...(entry.label.match(BRACKETED) ?? [])].join(' ')),
  }))
  const heads = isFirst ? listHeads(text, words) : []
  const surroundings = keysOf(words.read([title, section, ...heads].join('\n')))
  const isTable = splitSeparated(text, header) !== null
  const clauses = splitClauses(text, words).map((clause) => (isTable ? { ...clause, isForm: true } : clause))
  return { text, entries, clauses, surroundings }
}

/** Where a document says what it is: its first line, and below a letterhead the word of `INVOICE` or `Rechnung Nr. 12`. */
function listHeads(text: string, words: WordReader): string[] {
  const [first = '', ...others] = text.trimStart().split('\n', MOST_HEAD_LINES)
  const kind = others.find((line) => {
    const [word] = line.trim().length > MOST_KIND_CHARACTERS || /[:：|]|\S\s{2,}\S/.test(line) ? [] : words.read(line)
    return /^\s*\p{Lu}{5,20}\s*$/u.test(line) || word?.keys.some((key) => KINDS.includes(key)) === true
  })
  return [first, kind?.trim().split(/\s/)[0] ?? '']
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
