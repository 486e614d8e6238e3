import type { ParseEvent } from '../../parsers/parser.ts'
import { textDocumentBlocks } from '../../parsers/text-document-blocks.ts'

/** A text given in a request, as the parsers would give it. */
export function* textEvents(text: string): Generator<ParseEvent> {
  for (const block of textDocumentBlocks(text)) yield { block }
}
