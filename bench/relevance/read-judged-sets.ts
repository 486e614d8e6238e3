import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gains } from './judge-ranking.ts'

/** The documents of one memory and its queries. */
export type JudgedGroup = {
  name: string
  documents: readonly JudgedDocument[]
  queries: readonly JudgedQuery[]
  /** Queries that no document answers, for `ask`. */
  unanswerable: readonly JudgedQuery[]
}

/** `title` is `null` for documents without one. `language` is empty where the set names none. */
export type JudgedDocument = { id: string; title: string | null; text: string; language: string }
export type JudgedQuery = {
  id: string
  text: string
  gains: Gains
  /** Words of the right passage; `null` where any passage of a relevant document counts. */
  quote: string | null
  /** The parts of the set that the query belongs to, such as its language; empty in plain sets. */
  parts: Readonly<Record<string, string>>
}

/** A set of queries with human judgements. */
export type JudgedSet = { name: string; groups: readonly JudgedGroup[] }

type Line = { _id: string; title?: string; text: string; group?: string; language?: string }
type QueryLine = Line & { category?: number; class?: string; quote?: string }

/** Questions of this category have no answer in any document. */
const UNANSWERABLE = 5

/** The sets of the project, written for it (`own-sets/README.md`). */
export const OWN_SETS = join(import.meta.dirname, 'own-sets')

/**
 * The sets of a folder by name. Each set is a folder with `corpus.jsonl` (`_id`, `title`, `text`),
 * `queries.jsonl` (`_id`, `text`) and `qrels.tsv` (query, document, gain; with a head line). Lines
 * with a `group` belong to the memory of that group. Queries without a relevant document are left
 * out, except those marked unanswerable. A `quote`, `language` and `class` of a query are optional.
 */
export function readJudgedSets(folder: string): JudgedSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'qrels.tsv')))
    .sort()
    .map((name) => ({ name, groups: readGroups(join(folder, name)) }))
}

function readGroups(folder: string): JudgedGroup[] {
  const gains = readGains(join(folder, 'qrels.tsv'))
  const documents = Map.groupBy(readLines<Line>(join(folder, 'corpus.jsonl')), groupOf)
  const queries = Map.groupBy(readLines<QueryLine>(join(folder, 'queries.jsonl')), groupOf)
  return [...queries].map(([name, asked]) => {
    const [unanswerable, others] = [asked.filter(isUnanswerable), asked.filter((line) => !isUnanswerable(line))]
    return {
      name,
      documents: (documents.get(name) ?? []).map(toDocument),
      queries: others.filter(({ _id }) => isAnswered(gains.get(_id))).map((line) => toQuery(line, gains)),
      unanswerable: unanswerable.map((line) => toQuery(line, gains)),
    }
  })
}

function toDocument({ _id: id, title, text, language = '' }: Line): JudgedDocument {
  return { id, title: title || null, text, language }
}

function toQuery(line: QueryLine, gains: ReadonlyMap<string, Gains>): JudgedQuery {
  const { _id: id, text, quote = null, group = '', language = '', class: sort } = line
  const memory: Record<string, string> = group === language ? {} : { memory: group }
  const parts = sort === undefined ? {} : { language, ...memory, class: sort }
  return { id, text, gains: gains.get(id) ?? new Map(), quote, parts }
}

function groupOf({ group }: Line): string {
  return group ?? ''
}

function isUnanswerable({ category }: QueryLine): boolean {
  return category === UNANSWERABLE
}

function isAnswered(gains: Gains | undefined): boolean {
  return [...(gains?.values() ?? [])].some((gain) => gain > 0)
}

function readLines<Read>(path: string): Read[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Read)
}

function readGains(path: string): Map<string, Map<string, number>> {
  const gains = new Map<string, Map<string, number>>()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  for (const line of lines.slice(1)) {
    const [query = '', document = '', gain = ''] = line.split('\t')
    const known = gains.get(query) ?? new Map<string, number>()
    gains.set(query, known.set(document, Number(gain)))
  }
  return gains
}
