import { bufferBytes } from '../../src/parsers/byte-source.ts'
import { readEpubBytes } from '../../src/parsers/html/epub-events.ts'
import { createUnpackBudget } from '../../src/parsers/ooxml/package/unpack-budget.ts'
import type { Block, PageReport, ParseEvent } from '../../src/parsers/parse-event.ts'
import { readOpenDocumentBytes, readPackageBytes } from '../../src/parsers/read-office.ts'

/** The content of an Office file. */
export type ReadOffice = {
  blocks: Block[]
  pages: PageReport[]
  warnings: string[]
  titles: (string | null)[]
  pageCount: number | null
  text: string
}

/** Reads an Office file from memory to the end; rejects like the reader. */
export function readOffice(bytes: Buffer): Promise<ReadOffice> {
  return collect(readPackageBytes(bufferBytes(bytes), null))
}

/** Reads an OpenDocument file. */
export function readOdf(bytes: Buffer): Promise<ReadOffice> {
  return collect(readOpenDocumentBytes(bufferBytes(bytes)))
}

/** Reads a book. */
export function readEpub(bytes: Buffer): Promise<ReadOffice> {
  return collect(readEpubBytes(bufferBytes(bytes), createUnpackBudget()))
}

/** Returns each block that has text as `kind: text`, a heading with its level. */
export function linesOf({ blocks }: Pick<ReadOffice, 'blocks'>): string[] {
  return blocks
    .filter(({ kind }) => kind !== 'blank')
    .map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text.trim()}`)
}

async function collect(events: AsyncIterable<ParseEvent>): Promise<ReadOffice> {
  const read: ReadOffice = { blocks: [], pages: [], warnings: [], titles: [], pageCount: null, text: '' }
  for await (const event of events) {
    if ('block' in event) read.blocks.push(event.block)
    else if ('page' in event) read.pages.push(event.page)
    else if ('warning' in event) read.warnings.push(event.warning)
    else if ('title' in event) read.titles.push(event.title)
    else if ('pageCount' in event) read.pageCount = event.pageCount
  }
  read.text = read.blocks.map((block) => block.text).join('')
  return read
}
