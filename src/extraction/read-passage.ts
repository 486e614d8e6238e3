import { normalizeForMatch } from '../engine/analysis/fold.ts'
import type { Passage } from './field.ts'
import type { LabelWord, WordReader } from './label-words.ts'
import type { Entry } from './layout/entry.ts'
import { readEntries } from './layout/read-entries.ts'
import { splitSeparated } from './layout/split-cells.ts'
import { type Clause, splitClauses } from './prose/clauses.ts'
import { collectKeys } from './score-label.ts'

/** An entry with its words and its normalized label. */
type ReadEntry = Entry & {
  name: string
  words: readonly LabelWord[]
  contextWords: readonly LabelWord[]
  /** Words of the unit that a price is per: the night in `Rate: EUR 128 per night`. */
  unitWords: readonly LabelWord[]
}

/** A passage, parsed independently of any field. */
export type ReadPassage = {
  text: string
  entries: readonly ReadEntry[]
  clauses: readonly Clause[]
  /** Keys of the titles above and of the lines that name the document. */
  contextKeys: ReadonlySet<string>
  /** End of the first line, a possible title. Entries of the line are no context for each other. */
  headEnd: number
  /** Keys of the titles above alone. */
  titleKeys: ReadonlySet<string>
}

/** Brackets and rates qualify a label without changing its name: `Cost (USD)`, `VAT 20%`. */
const BRACKETED = /\([^()]*\)|\[[^[\]]*\]|\d+(?:[.,]\d+)?\s?%/g

const UNIT_PRICE = /(?:(?<!\p{L})(?:per|pro|je|par|por)\s|\/\s?)\p{L}+$/iu
const UNIT_PRICE_CHARACTERS = 30
/** Document types, by the first word of a line below the letterhead. */
const DOCUMENT_KINDS = ['invoice', 'agreement', 'quote']
const MAX_KIND_CHARACTERS = 40
const MAX_HEAD_LINES = 15

/** Reads the entries and clauses of a passage. */
export function readPassage(passage: Passage, words: WordReader): ReadPassage {
  const { text, header, section, title, isFirst } = passage
  const read = memoizeRead(words)
  const entries = readEntries({ text, header, section, isFirst }).map((entry) => ({
    ...entry,
    name: normalizeForMatch(entry.label),
    words: read(entry.label.replaceAll(BRACKETED, ' ')),
    unitWords: read(
      UNIT_PRICE.exec(text.slice(Math.max(entry.start, entry.end - UNIT_PRICE_CHARACTERS), entry.end))?.[0] ?? '',
    ),
    contextWords: read([entry.contextLabel, ...(entry.label.match(BRACKETED) ?? [])].join(' ')),
  }))
  const heads = isFirst ? listTitleLines(text, words) : []
  const titleKeys = collectKeys(words.read([title, section].join('\n')))
  const contextKeys = new Set([...titleKeys, ...collectKeys(words.read(heads.join('\n')))])
  const headEnd = text.length - text.trimStart().length + (heads[0]?.length ?? 0)
  const isTable = splitSeparated(text, header) !== null
  const clauses = splitClauses(text, words).map((clause) => (isTable ? { ...clause, isForm: true } : clause))
  return { text, entries, clauses, contextKeys, headEnd, titleKeys }
}

/**
 * Returns the lines that name the document: the first line, and below a letterhead the word of
 * `INVOICE` or `Rechnung Nr. 12`.
 */
function listTitleLines(text: string, words: WordReader): string[] {
  const [first = '', ...others] = text.trimStart().split('\n', MAX_HEAD_LINES)
  const kind = others.find((line) => {
    const [word] = line.trim().length > MAX_KIND_CHARACTERS || /[:：|]|\S\s{2,}\S/.test(line) ? [] : words.read(line)
    return /^\s*\p{Lu}{5,20}\s*$/u.test(line) || word?.keys.some((key) => DOCUMENT_KINDS.includes(key)) === true
  })
  return [first, kind?.trim().split(/\s/)[0] ?? '']
}

/** Memoizes by text: a cell of a wide table labels every other cell of its row. */
function memoizeRead(words: WordReader): WordReader['read'] {
  const known = new Map<string, LabelWord[]>()
  return (text) => {
    const found = known.get(text) ?? words.read(text)
    known.set(text, found)
    return found
  }
}
