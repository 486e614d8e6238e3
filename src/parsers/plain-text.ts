import { isTable } from './csv/csv-dialect.ts'
import { createCsvReader } from './csv/csv-reader.ts'
import type { CreateReader } from './text/block-reader.ts'
import { createTextReader } from './text/text-reader.ts'

/** Reads a text without marks: row by row where it is a table, as Excel saves one as text, else as paragraphs and list items. */
export const createPlainTextReader: CreateReader = (emit, head) =>
  isTable(head) ? createCsvReader(emit, head) : createTextReader(emit)
