import type { Log } from '../../observability/log.ts'
import type { Reranker } from '../reranker.ts'
import { startDeadline } from './deadline.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { createLimitedFetch, postJson } from './endpoint.ts'
import { ModelFailure } from './model-failure.ts'
import { tryAgain } from './try-again.ts'

/** Options of the reranker. */
type EndpointRerankerOptions = {
  model: string
  /**
   * `POST <baseUrl>/rerank` as defined by Cohere; Jina, vLLM, llama.cpp and others are compatible.
   */
  endpoint: ModelEndpoint
  log: Pick<Log, 'warn'>
  /** Limit including retries. Default: ten seconds. Searches abort earlier by their time budget. */
  timeoutMs?: number
  /** Pause before the first retry. Default: 100 ms. */
  pauseMs?: number
}

const TIMEOUT_MS = 10_000
const PAUSE_MS = 100
/** Fifty texts have fifty scores, and some servers return the texts, too. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/** A cross-encoder behind an endpoint. Nothing is sent before the first call. */
export function createEndpointReranker(options: EndpointRerankerOptions): Reranker {
  const { model, endpoint, log, timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS } = options
  const fetch = createLimitedFetch(MAX_ANSWER_BYTES)
  const url = `${endpoint.baseUrl.replace(/\/+$/, '')}/rerank`
  return {
    model,
    async rerank({ query, texts, signal }) {
      if (texts.length === 0) return []
      const deadline = startDeadline({ totalMs: timeoutMs, signal })
      const confidential = { apiKey: endpoint.apiKey, prompt: [query, ...texts] }
      const body = { model, query, documents: texts, top_n: texts.length, return_documents: false }
      const work = async () => {
        const answer = await postJson({ url, apiKey: endpoint.apiKey, body, signal: deadline.signal, fetch })
        return readScores(answer, texts.length)
      }
      try {
        return await tryAgain(work, { deadline, who: `reranker ${model}`, confidential, silenceMs: null, log, pauseMs })
      } finally {
        deadline.end()
      }
    },
  }
}

/** Scores in the order of the texts, from `results` or `data`, which are sorted by rank. */
function readScores(answer: unknown, count: number): number[] {
  const { results, data } = (Array.isArray(answer) ? { results: answer } : (answer ?? {})) as Record<string, unknown>
  const list = results ?? data
  const scores = Array.from({ length: count }, () => Number.NaN)
  for (const entry of Array.isArray(list) ? list : []) {
    const { index, relevance_score: relevance, score } = (entry ?? {}) as Record<string, unknown>
    const value = relevance ?? score
    if (typeof index === 'number' && index in scores && typeof value === 'number') scores[index] = value
  }
  const missing = scores.filter((score) => !Number.isFinite(score)).length
  if (missing > 0) throw new ModelFailure('garbage', `gave no score for ${missing} of ${count} texts`)
  return scores
}
