import type { ParseEvent, SourceFile } from './parser.ts'

/** Reads a file of one format. */
export type ReadDocument = (source: SourceFile) => AsyncIterable<ParseEvent>

/** The readers of formats that are no plain text, by name of the format; each is loaded when it is first needed. They run in a child process. */
export const READ_DOCUMENT: Readonly<Record<string, () => Promise<ReadDocument>>> = {
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
}
