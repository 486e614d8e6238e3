import { bufferBytes } from '../../src/parsers/byte-source.ts'
import type { Block, PageReport } from '../../src/parsers/parse-event.ts'
import { readPackageBytes } from '../../src/parsers/read-office.ts'

/** The content of an Office file. */
export type ReadOffice = { blocks: Block[]; pages: PageReport[]; warnings: string[]; text: string }

/** Reads an Office file from memory to the end; rejects like the reader. */
export async function readOffice(bytes: Buffer): Promise<ReadOffice> {
  const read: ReadOffice = { blocks: [], pages: [], warnings: [], text: '' }
  for await (const event of readPackageBytes(bufferBytes(bytes), null)) {
    if ('block' in event) read.blocks.push(event.block)
    else if ('page' in event) read.pages.push(event.page)
    else if ('warning' in event) read.warnings.push(event.warning)
  }
  read.text = read.blocks.map((block) => block.text).join('')
  return read
}
