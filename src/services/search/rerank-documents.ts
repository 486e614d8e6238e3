import type { Warning } from '../../api/values.ts'
import { anySignal } from '../../concurrency/wait.ts'
import { withSurroundings } from '../../engine/chunking/chunk.ts'
import { applyReranking } from '../../engine/ranking/shortlist.ts'
import { ApiError } from '../../errors.ts'
import type { Reranker } from '../../models/reranker.ts'
import type { Log } from '../../observability/log.ts'
import { getOwnTitle } from '../documents/document-resource.ts'
import type { FindRequest } from './find-request.ts'
import type { RankedCandidate } from './rank-documents.ts'

/** Places the model reads: the right passage is nearly always among them, and each costs it time. */
const MAX_RERANKED = 50
/** What a search may wait for the model. Ours: an answer within two seconds still feels like one, and hosted models take some 0.3 s for fifty passages. */
const RERANK_TIMEOUT_MS = 1500

/** What a reranking model is asked with. */
export type RerankingDeps = { reranker: Reranker; log: Pick<Log, 'warn'>; budgetMs?: number }

/**
 * The first places in the order of a reranking model. The order that was given stands, with a warning, where the model fails or takes longer
 * than its budget. Rejects with the reason of the signal.
 */
export async function rerankDocuments(
  { reranker, log, budgetMs = RERANK_TIMEOUT_MS }: RerankingDeps,
  { query, signal }: Pick<FindRequest, 'query' | 'signal'>,
  ranked: readonly RankedCandidate[],
): Promise<{ documents: readonly RankedCandidate[]; warnings: Warning[] }> {
  const texts = ranked.slice(0, MAX_RERANKED).map(toText)
  // One passage has no order.
  if (texts.length < 2) return { documents: ranked, warnings: [] }
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(budgetMs)
  const until = anySignal(signal, late)
  try {
    const scores = await reranker.rerank({ query, texts, signal: until })
    return { documents: applyReranking(ranked, scores), warnings: [] }
  } catch (error) {
    signal?.throwIfAborted()
    if (!late.aborted && !(error instanceof ApiError)) throw error
    const why = late.aborted ? `did not answer within ${budgetMs / 1000} s` : 'failed'
    log.warn({ ...(late.aborted ? {} : { err: error }), model: reranker.model }, `the reranking model ${why}`)
    const message = `The reranking model ${reranker.model} ${why}; the order is that without it.`
    return { documents: ranked, warnings: [{ code: 'reranker_unavailable', message, param: null }] }
  }
}

function toText({ candidate: { chunk, document } }: RankedCandidate): string {
  return withSurroundings(chunk, getOwnTitle(document))
}
