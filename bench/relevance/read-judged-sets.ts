import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gains } from './judge-ranking.ts'

/** The documents of one memory and its queries. */
export type JudgedGroup = {
  name: string
  documents: readonly JudgedDocument[]
  queries: readonly JudgedQuery[]
}

/** `title` is `null` for documents without one. */
export type JudgedDocument = { id: string; title: string | null; text: string }
type JudgedQuery = { id: string; text: string; gains: Gains }

/** A set of queries with human judgements. */
export type JudgedSet = { name: string; groups: readonly JudgedGroup[] }

type Line = { _id: string; title?: string; text: string; group?: string; category?: number }

/** Questions of this category have no answer in any document. */
const UNANSWERABLE = 5

/**
 * The sets of a folder by name. Each set is a folder with `corpus.jsonl` (`_id`, `title`, `text`),
 * `queries.jsonl` (`_id`, `text`) and `qrels.tsv` (query, document, gain; with a head line). Lines
 * with a `group` belong to the memory of that group. Queries without a relevant document are left
 * out.
 */
export function readJudgedSets(folder: string): JudgedSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'qrels.tsv')))
    .sort()
    .map((name) => ({ name, groups: readGroups(join(folder, name)) }))
}

function readGroups(folder: string): JudgedGroup[] {
  const gains = readGains(join(folder, 'qrels.tsv'))
  const documents = Map.groupBy(readLines(join(folder, 'corpus.jsonl')), groupOf)
  const queries = Map.groupBy(readLines(join(folder, 'queries.jsonl')), groupOf)
  return [...queries].map(([name, asked]) => ({
    name,
    documents: (documents.get(name) ?? []).map(({ _id: id, title, text }) => ({ id, title: title || null, text })),
    queries: asked
      .filter(({ _id, category }) => category !== UNANSWERABLE && isAnswered(gains.get(_id)))
      .map(({ _id: id, text }) => ({ id, text, gains: gains.get(id) ?? new Map() })),
  }))
}

function groupOf({ group }: Line): string {
  return group ?? ''
}

function isAnswered(gains: Gains | undefined): boolean {
  return [...(gains?.values() ?? [])].some((gain) => gain > 0)
}

function readLines(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
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
