import type { Block, ParseEvent, SniffedType, SourceFile } from './parse-event.ts'
import type { CreateReader } from './text/block-reader.ts'
import { createCleanReader, hasSequences } from './text/clean-output.ts'
import { createCsvReader, isTable } from './text/csv-reader.ts'
import { createJsonlReader, createJsonReader } from './text/json-reader.ts'
import { createMarkdownReader, looksLikeMarkdown } from './text/markdown-reader.ts'
import { headOf, readText, readTextFile } from './text/read-text.ts'
import { createLogReader, createTextReader } from './text/text-reader.ts'

/**
 * Reads text without markup: by row if a table, as Excel exports, else as paragraphs and list
 * items.
 */
export const createPlainTextReader: CreateReader = (emit, head) =>
  isTable(head) ? createCsvReader(emit, head) : createTextReader(emit)

/** Readers of the formats parsed in this process, by format name. */
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
 * Reads a plain text file in this process, without pages and reports. `type` comes from `sniff`;
 * formats that `isReadInChild` names are read by the parser pool. Throws `unprocessable_document`
 * if the content violates its format, possibly after blocks.
 */
export function parsePlainText(source: SourceFile, type: SniffedType): AsyncGenerator<ParseEvent> {
  const createReader = PLAIN_TEXT_READERS[type.format]
  if (createReader === undefined) throw new Error(`no reader in this process for the format ${type.format}`)
  return readTextFile(source, type, cleanOutput(type, createReader))
}

/** Cleans logs, and texts that are the output of a terminal. */
function cleanOutput({ format }: SniffedType, createReader: CreateReader): CreateReader {
  const clean = createCleanReader(createReader)
  if (format === 'log') return clean
  return (emit, head) => (format === 'txt' && hasSequences(head) ? clean : createReader)(emit, head)
}

/**
 * Returns the blocks of a text in a request: Markdown if clearly so, else plain text. Lazy: the
 * caller can pause between blocks. The concatenated blocks equal `text`.
 */
export function* textDocumentBlocks(text: string | readonly string[]): Generator<Block> {
  const createReader = looksLikeMarkdown(headOf(text)) ? createMarkdownReader : createPlainTextReader
  for (const event of readText(createReader, text)) if ('block' in event) yield event.block
}
