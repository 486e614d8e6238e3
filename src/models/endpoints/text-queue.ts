import { estimateTokens } from './estimate-tokens.ts'

/** What the queue is made of. */
type TextQueueOptions = {
  limits: BatchLimits
  /** Batches that may be under way now. */
  atOnce: () => number
  /** One vector a text, in their order. */
  embedBatch: (texts: readonly string[]) => Promise<readonly Float32Array[]>
}

/** Gives the vector of a text. Rejects as the batch it went in. */
type TextQueue = (text: string) => Promise<Float32Array>

/**
 * Texts of callers that come at the same time, or while others are under way, travel together: a hundred documents of one chunk are a few requests,
 * and never more at a time than the endpoint is to bear. First come, first served.
 */
export function createTextQueue({ limits, atOnce, embedBatch }: TextQueueOptions): TextQueue {
  const waiting = new Map<string, PromiseWithResolvers<Float32Array>>()
  let running = 0
  let isScheduled = false

  function takeBatch(): string[] {
    const [batch = []] = splitIntoBatches([...waiting.keys()].slice(0, limits.texts), limits)
    return batch
  }

  async function send(texts: readonly string[]): Promise<void> {
    const askers = texts.map((text) => waiting.get(text))
    for (const text of texts) waiting.delete(text)
    running += 1
    try {
      const vectors = await embedBatch(texts)
      for (const [at, asker] of askers.entries()) asker?.resolve(vectors[at] ?? new Float32Array())
    } catch (error) {
      for (const asker of askers) asker?.reject(error)
    }
    running -= 1
    sendMore()
  }

  function sendMore(): void {
    isScheduled = false
    while (waiting.size > 0 && running < atOnce()) void send(takeBatch())
  }

  return (text) => {
    const asked = waiting.get(text) ?? Promise.withResolvers<Float32Array>()
    waiting.set(text, asked)
    // Lets texts of the same turn of the event loop gather.
    if (!isScheduled) setImmediate(sendMore)
    isScheduled = true
    return asked.promise
  }
}

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
