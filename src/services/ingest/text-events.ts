import { textDocumentBlocks } from '../../parsers/plain-text.ts'
import type { ReadEvent } from '../reading/read-event.ts'

/** A text given in a request, whole or in pieces (`readText`), as the parsers would give it. */
export function* textEvents(text: string | readonly string[]): Generator<ReadEvent> {
  for (const block of textDocumentBlocks(text)) yield { block }
}
