import type { PageReceipt, ParseEvent } from '../../parsers/parse-event.ts'
import type { ScanFate } from './recognition.ts'

/** What reading gives: what parsers give, but for scans, each of which has become blocks and a receipt. */
export type ReadEvent = Exclude<ParseEvent, { scan: unknown }> | ScanReceipt

/** What became of a scan; `fallback`: why a model that was to read it did not, a sentence. */
export type ScanReceipt = { page: PageReceipt; fate: ScanFate; fallback?: string }
