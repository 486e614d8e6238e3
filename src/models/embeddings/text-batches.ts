import { estimateTokens } from '../models/estimate-tokens.ts'

/** What one request may carry. */
export type BatchLimits = { texts: number; tokens: number }

/** The texts in order, in as few batches as the limits allow; a text that is over the limit by itself is a batch of its own. */
export function splitIntoBatches<Text extends string>(texts: readonly Text[], limits: BatchLimits): Text[][] {
  const batches: Text[][] = []
  let batch: Text[] = []
  let tokens = 0
  for (const text of texts) {
    const size = estimateTokens(text)
    if (batch.length === limits.texts || (batch.length > 0 && tokens + size > limits.tokens)) {
      batches.push(batch)
      batch = []
      tokens = 0
    }
    batch.push(text)
    tokens += size
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
