import type { Block, ParseEvent, SniffedType, SourceFile } from './parse-event.ts'
import type { CreateReader } from './text/block-reader.ts'
import { createCsvReader, isTable } from './text/csv-reader.ts'
import { createJsonlReader, createJsonReader } from './text/json-reader.ts'
import { createMarkdownReader, looksLikeMarkdown } from './text/markdown-reader.ts'
import { headOf, readText, readTextFile } from './text/read-text.ts'
import { createLogReader, createTextReader } from './text/text-reader.ts'

/** Reads a text without marks: row by row where it is a table, as Excel saves one as text, else as paragraphs and list items. */
export const createPlainTextReader: CreateReader = (emit, head) =>
  isTable(head) ? createCsvReader(emit, head) : createTextReader(emit)

/** The readers of the formats that are read in this process, by name of the format. */
export const PLAIN_TEXT_READERS: Readonly<Record<string, CreateReader>> = {
  txt: createPlainTextReader,
  log: createLogReader,
  markdown: createMarkdownReader,
  csv: createCsvReader,
  tsv: createCsvReader,
  json: createJsonReader,
  jsonl: createJsonlReader,
}

/**
 * Reads a file of a plain text format in this process, without pages and so without receipts. `type` is what `sniff` said; formats that
 * `isReadInChild` names are read by the parser pool. Throws `unprocessable_document` where the content breaks the rules of its format,
 * possibly after blocks have come.
 */
export function parsePlainText(source: SourceFile, type: SniffedType): AsyncGenerator<ParseEvent> {
  const createReader = PLAIN_TEXT_READERS[type.format]
  if (createReader === undefined) throw new Error(`no reader in this process for the format ${type.format}`)
  return readTextFile(source, type, createReader)
}

/**
 * The blocks of a text that came in a request, whole or in pieces (`readText`), read as Markdown where it clearly is, as plain text otherwise. Lazy: a caller may
 * pause between blocks. Their concatenation is `text`.
 */
export function* textDocumentBlocks(text: string | readonly string[]): Generator<Block> {
  const createReader = looksLikeMarkdown(headOf(text)) ? createMarkdownReader : createPlainTextReader
  for (const event of readText(createReader, text)) if ('block' in event) yield event.block
}
