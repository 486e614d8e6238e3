import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Service } from '../service.ts'

/** A query of the set and its required first hit. */
export type AutoQuery = {
  /** The category of the query. */
  sort: string
  query: string
  /** File names, any of which may come first. */
  documents: readonly string[]
  /** Required text of the first hit; empty where only the document matters. */
  says: string
}

/** The documents of the set in a memory of a running service. */
export type AutoMemory = { memoryId: string; filenames: ReadonlyMap<string, string> }

/** The actual first hit of a missed query. */
export type Miss = AutoQuery & { mode: string; filename: string; text: string }

type Line = { class: string; query: string; documents: string[]; says?: string }
type Found = { mode: string; hits: readonly { documentId: string; text: string }[] }

const FOLDER = join(import.meta.dirname, 'auto-set')
/**
 * Invoices, contracts and letters in three languages, to be found and to be taken for something
 * else.
 */
const OTHER_FOLDERS = ['tuning', 'held-out'].map((half) => join(import.meta.dirname, '../extraction', half))

/** The queries, invented together with their texts: several of each category that users type. */
export function readAutoQueries(): AutoQuery[] {
  const lines = readFileSync(join(FOLDER, 'queries.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { class: sort, query, documents, says = '' } = JSON.parse(line) as Line
    return { sort, query, documents, says }
  })
}

/**
 * Uploads every document of the set into a new memory, as the files they are, with default
 * settings.
 */
export async function fillAutoMemory(service: Service): Promise<AutoMemory> {
  const { id: memoryId } = (await service.send('POST', '/v1/memories', { name: 'Sorts of queries' })) as { id: string }
  const filenames = new Map<string, string>()
  for (const path of listPaths()) {
    const form = new FormData()
    form.set('file', new Blob([readFileSync(path)]), basename(path))
    const added = (await service.send('POST', `/v1/memories/${memoryId}/documents`, form)) as { documentIds: string[] }
    for (const id of added.documentIds) filenames.set(id, basename(path))
  }
  return { memoryId, filenames }
}

function listPaths(): string[] {
  return [join(FOLDER, 'texts'), ...OTHER_FOLDERS].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('.fields.jsonl'))
      .sort()
      .map((name) => join(folder, name)),
  )
}

/** Runs every query in a mode with default settings; returns the queries with a wrong first hit. */
export async function listMisses(
  service: Service,
  { memoryId, filenames }: AutoMemory,
  { queries, modeOf }: { queries: readonly AutoQuery[]; modeOf: (query: string) => string },
): Promise<Miss[]> {
  const misses: Miss[] = []
  for (const query of queries) {
    const body = { query: query.query, options: { mode: modeOf(query.query) } }
    const { mode, hits } = (await service.send('POST', `/v1/memories/${memoryId}/find`, body)) as Found
    const filename = filenames.get(hits[0]?.documentId ?? '') ?? 'nothing'
    const text = hits[0]?.text ?? ''
    if (!query.documents.includes(filename) || !text.includes(query.says))
      misses.push({ ...query, mode, filename, text })
  }
  return misses
}

/** The allowed misses of a category: one query in twenty. */
export function mostMisses(sort: string, queries: number): number {
  // A passage without common words needs the embedder, and the embedded one knows words, not
  // sentences.
  const share = sort === 'question in other words' ? 0.4 : 0.05
  return Math.ceil(share * queries)
}
