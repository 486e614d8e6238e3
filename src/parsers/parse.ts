import type { ParseEvent, SniffedType, SourceFile } from './parse-event.ts'
import { PLAIN_TEXT_READERS } from './plain-text-readers.ts'
import { readTextFile } from './text/read-text-file.ts'

/**
 * Reads a file of a plain text format in this process, without pages and so without receipts. `type` is what `sniff` said; formats that
 * `isReadInChild` names are read by the parser pool. Throws `unprocessable_document` where the content breaks the rules of its format,
 * possibly after blocks have come.
 */
export function parse(source: SourceFile, type: SniffedType): AsyncGenerator<ParseEvent> {
  const createReader = PLAIN_TEXT_READERS[type.format]
  if (createReader === undefined) throw new Error(`no reader in this process for the format ${type.format}`)
  return readTextFile(source, type, createReader)
}
