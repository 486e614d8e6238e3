import { toBatches } from '../load.ts'
import type { Service } from '../service.ts'
import { percentile } from '../timings.ts'
import { type Judgement, judgeRanking } from './judge-ranking.ts'
import type { JudgedDocument, JudgedGroup, JudgedSet } from './read-judged-sets.ts'

/**
 * The figures of a mode on a set: means over all queries, the judgement of each query, and the
 * median time of a find.
 */
export type Measured = Judgement & { queries: number; each: Readonly<Record<string, number>>; p50Ms: number }

const HITS = 10

type Filled = { memoryId: string; ids: ReadonlyMap<string, string>; group: JudgedGroup }
type Hit = { documentId: string }

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
 * Runs every query of a filled set with ten hits each. A document has the rank of its best passage.
 */
export async function measureSet(service: Service, filled: readonly Filled[], mode: string): Promise<Measured> {
  const judged = new Map<string, Judgement>()
  const timesMs: number[] = []
  for (const { memoryId, ids, group } of filled) {
    for (const { id, text, gains } of group.queries) {
      const started = performance.now()
      const body = { query: text, options: { mode, limit: HITS } }
      const { hits } = (await service.send('POST', `/v1/memories/${memoryId}/find`, body)) as { hits: readonly Hit[] }
      timesMs.push(performance.now() - started)
      const ranking = hits.map(({ documentId }) => ids.get(documentId) ?? documentId)
      judged.set(id, judgeRanking(ranking, gains))
    }
  }
  const mean = (part: keyof Judgement) =>
    [...judged.values()].reduce((sum, each) => sum + each[part], 0) / Math.max(1, judged.size)
  return {
    ndcg: mean('ndcg'),
    recall: mean('recall'),
    reciprocalRank: mean('reciprocalRank'),
    queries: judged.size,
    each: Object.fromEntries([...judged].map(([id, { ndcg }]) => [id, ndcg])),
    p50Ms: percentile(timesMs, 0.5),
  }
}
