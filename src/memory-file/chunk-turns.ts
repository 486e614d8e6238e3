import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { ChunkRow } from './memory-file.ts'

/** What one turn of the event loop goes through: about 2 ms of work with ordinary chunks as with those of 200 labels. */
const A_TURN = { rows: 64, labels: 4096 } as const

/** The chunks in their order, so many as one turn of the event loop may go through at a time; between two of them others have their turn. */
export async function* inTurnsOf(chunks: readonly ChunkRow[]): AsyncGenerator<readonly ChunkRow[]> {
  let start = 0
  let labels = 0
  for (const [at, chunk] of chunks.entries()) {
    if (at > start && (at - start === A_TURN.rows || labels + chunk.labels.length > A_TURN.labels)) {
      yield chunks.slice(start, at)
      await yieldToEvents()
      start = at
      labels = 0
    }
    labels += chunk.labels.length
  }
  if (start < chunks.length) yield chunks.slice(start)
}
