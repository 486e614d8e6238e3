import { createCsvReader } from './csv/csv-reader.ts'
import { createJsonReader } from './json/json-reader.ts'
import { createJsonlReader } from './json/jsonl-reader.ts'
import { createMarkdownReader } from './markdown/markdown-reader.ts'
import { createPlainTextReader } from './plain-text.ts'
import type { CreateReader } from './text/block-reader.ts'
import { createLogReader } from './text/log-reader.ts'

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
