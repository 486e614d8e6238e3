import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import type { CreateReader } from '../text/block-reader.ts'
import { readTextFile } from '../text/read-text-file.ts'
import { createMailReader } from './mail-reader.ts'

/** Reads the bytes of a mail, of which each part says how they are meant; a file that an editor saved in UTF-16 or UTF-32 is read as if it had saved it in UTF-8. */
export function readMail(source: SourceFile, type: SniffedType): AsyncGenerator<ParseEvent> {
  const isWide = /^utf-(?:16|32)/.test(type.encoding ?? '')
  return isWide
    ? readTextFile(source, type, createWideReader)
    : readTextFile(source, { encoding: 'latin1' }, createMailReader)
}

const createWideReader: CreateReader = (emit, head) => {
  const reader = createMailReader(emit, toBytes(head))
  return { write: (text) => reader.write(toBytes(text)), end: reader.end }
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
