import type { HitResource } from '../../api/search.ts'
import type { Warning } from '../../api/values.ts'
import type { Field, Passage } from '../../extraction/field.ts'
import { getOwnTitle } from '../documents/get-own-title.ts'
import type { SearchedMemory, SearchService } from '../search/search.ts'

/** Passages looked at for a field: the label's own, and further ones that the context leads to. */
const HITS = { byLabel: 8, byContext: 4 } as const
/** Of the context: it is a hint, and a page of it would only slow the search down. */
const MAX_CONTEXT_CHARACTERS = 300
const NO_FILTER = { tags: [], documentIds: null, metadata: {} } as const

/**
 * The passages that may hold the value of a field, best first, each once, and what the searches warned of. The label and the name of its section are the query;
 * the context asks once more, so that its words cannot outweigh those of the label. Rejects as the search does, with the signal's reason among others.
 */
export async function retrievePassages(
  search: Pick<SearchService, 'find'>,
  { searched, signal }: { searched: SearchedMemory; signal: AbortSignal },
  { label, sectionName, context }: Field,
): Promise<{ hits: HitResource[]; warnings: Warning[] }> {
  const query = `${label} ${sectionName}`
  const find = (words: string, limit: number) =>
    search.find(searched, { query: words, limit, mode: 'hybrid', highlight: false, filter: NO_FILTER, signal })
  const hint = context?.slice(0, MAX_CONTEXT_CHARACTERS).trim() ?? ''
  const [own, further] = await Promise.all([
    find(query, HITS.byLabel),
    hint === '' ? null : find(`${query} ${hint}`, HITS.byContext),
  ])
  const hits = [...own.hits, ...(further?.hits ?? [])]
  const warnings = [...own.warnings, ...(further?.warnings ?? [])]
  return { hits: [...new Map(hits.map((hit) => [hit.chunkId, hit])).values()], warnings }
}

/** A hit as the rules read it. */
export function passageOf(hit: HitResource): Passage {
  const { text, section, header, chunkIndex, kind } = hit
  const title = getOwnTitle(hit)
  return { text, section, header, title, isFirst: chunkIndex === 0, isCorrection: kind === 'correction' }
}
