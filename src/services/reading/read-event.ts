import type { PageReceipt, ParseEvent } from '../../parsers/parse-event.ts'
import { textDocumentBlocks } from '../../parsers/plain-text.ts'
import type { ScanFate } from './recognition.ts'

/**
 * What reading gives: what parsers give, but for scans, each of which has become blocks and a
 * receipt.
 */
export type ReadEvent = Exclude<ParseEvent, { scan: unknown }> | ScanReceipt

/** What became of a scan; `fallback`: why a model that was to read it did not, a sentence. */
export type ScanReceipt = { page: PageReceipt; fate: ScanFate; fallback?: string }

/** A text given in a request, whole or in pieces (`readText`), as the parsers would give it. */
export function* textEvents(text: string | readonly string[]): Generator<ReadEvent> {
  for (const block of textDocumentBlocks(text)) yield { block }
}
