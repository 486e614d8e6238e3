import type { PageReport, ParseEvent } from '../../parsers/parse-event.ts'
import { textDocumentBlocks } from '../../parsers/plain-text.ts'
import type { ScanFate } from './recognition.ts'

/** Events of reading: parser events, with each scan replaced by blocks and a report. */
export type ReadEvent = Exclude<ParseEvent, { scan: unknown }> | ScanReport

/**
 * Outcome of a scanned page. Sentences: `doubt` says why the recognised text may be wrong or
 * incomplete, `fallback` why the vision model did not read the page.
 */
export type ScanReport = { page: PageReport; fate: ScanFate; doubt?: string; fallback?: string }

/** Events of a text from a request, whole or in pieces (`readText`), as a parser would produce. */
export function* textEvents(text: string | readonly string[]): Generator<ReadEvent> {
  for (const block of textDocumentBlocks(text)) yield { block }
}
