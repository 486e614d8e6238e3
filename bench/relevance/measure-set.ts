import { toBatches } from '../load.ts'
import type { Service } from '../service.ts'
import { percentile } from '../timings.ts'
import { type Judgement, judgeRanking } from './judge-ranking.ts'
import type { JudgedDocument, JudgedGroup, JudgedQuery, JudgedSet } from './read-judged-sets.ts'

/**
 * The figures of a mode on a set: means over all queries, and the median time of a find. `each` is
 * the nDCG of each query.
 */
export type Measured = Judgement & {
  queries: number
  each: Readonly<Record<string, number>>
  parts: readonly PartFigures[]
  p50Ms: number
}
/** Figures of a part, such as `language`, `de`. `first` is the share of right first hits. */
type PartFigures = { by: string; part: string; queries: number; ndcg: number; first: number }

const HITS = 10

/** The memory of a group. `ids` are the documents of the set by identifier of the service. */
export type Filled = { memoryId: string; ids: ReadonlyMap<string, string>; group: JudgedGroup }
type Hit = { documentId: string; text: string }
type JudgedRanking = { query: JudgedQuery; judgement: Judgement }

/** Adds the documents of a set, a memory a group, with default settings. */
export async function fillSet(service: Service, { name, groups }: JudgedSet): Promise<Filled[]> {
  const filled: Filled[] = []
  for (const group of groups) {
    const made = (await service.send('POST', '/v1/memories', { name: `${name} ${group.name}` })) as { id: string }
    filled.push({ memoryId: made.id, ids: await addDocuments(service, made.id, group.documents), group })
  }
  return filled
}

/** Gives the set's name of each document by the service's. Documents without text are left out. */
async function addDocuments(
  service: Service,
  memoryId: string,
  documents: readonly JudgedDocument[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const told = documents.filter(({ text }) => text.trim() !== '')
  for (const batch of toBatches(told)) {
    const body = { documents: batch.map(({ title, text }) => ({ text, ...(title === null ? {} : { title }) })) }
    const added = (await service.send('POST', `/v1/memories/${memoryId}/documents`, body)) as {
      documents: readonly { id: string }[]
    }
    added.documents.forEach(({ id }, index) => {
      const own = batch[index]
      if (own !== undefined) ids.set(id, own.id)
    })
  }
  return ids
}

/**
 * Runs every query of a filled set with ten hits each. A document has the rank of its best passage,
 * or of the passage with the quote of the query.
 */
export async function measureSet(service: Service, filled: readonly Filled[], mode: string): Promise<Measured> {
  const judged: JudgedRanking[] = []
  const timesMs: number[] = []
  for (const { memoryId, ids, group } of filled) {
    for (const query of group.queries) {
      const started = performance.now()
      const body = { query: query.text, options: { mode, limit: HITS } }
      const { hits } = (await service.send('POST', `/v1/memories/${memoryId}/find`, body)) as { hits: readonly Hit[] }
      timesMs.push(performance.now() - started)
      const ranking = hits.map((hit) => nameHit(hit, query.quote, ids))
      judged.push({ query, judgement: judgeRanking(ranking, query.gains) })
    }
  }
  return {
    ndcg: meanOf(judged, 'ndcg'),
    recall: meanOf(judged, 'recall'),
    reciprocalRank: meanOf(judged, 'reciprocalRank'),
    queries: judged.length,
    each: Object.fromEntries(judged.map(({ query, judgement }) => [query.id, judgement.ndcg])),
    parts: measureParts(judged),
    p50Ms: percentile(timesMs, 0.5),
  }
}

/** The set's name of a document; another name where the hit lacks the quote. */
function nameHit({ documentId, text }: Hit, quote: string | null, ids: Filled['ids']): string {
  const name = ids.get(documentId) ?? documentId
  return quote === null || text.includes(quote) ? name : `${name}, another passage`
}

function measureParts(judged: readonly JudgedRanking[]): PartFigures[] {
  const kinds = [...new Set(judged.flatMap(({ query }) => Object.keys(query.parts)))]
  return kinds.flatMap((by) =>
    [...Map.groupBy(judged, ({ query }) => query.parts[by] ?? '')].map(([part, own]) => ({
      ...{ by, part, queries: own.length, ndcg: meanOf(own, 'ndcg') },
      first: own.filter(({ judgement }) => judgement.reciprocalRank === 1).length / own.length,
    })),
  )
}

function meanOf(judged: readonly JudgedRanking[], figure: keyof Judgement): number {
  return judged.reduce((sum, { judgement }) => sum + judgement[figure], 0) / Math.max(1, judged.length)
}
