import { decodeFile } from '../encoding/decode-file.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import type { BlockReader, CreateReader } from './block-reader.ts'
import { readInSlices } from './read-text.ts'

/**
 * Decodes a file and reads it block by block, 64 KB at a time with the event loop free in between, so that memory stays flat whatever
 * its size. Throws what the reader throws, possibly after blocks have come.
 */
export async function* readTextFile(
  { path }: Pick<SourceFile, 'path'>,
  { encoding }: Pick<SniffedType, 'encoding'>,
  createReader: CreateReader,
): AsyncGenerator<ParseEvent> {
  const events: ParseEvent[] = []
  let reader: BlockReader | null = null
  let replaced = 0

  for await (const piece of decodeFile(path, encoding ?? 'utf-8')) {
    reader ??= createReader((event) => events.push(event), piece.text)
    replaced += piece.replaced
    yield* readInSlices(reader, piece.text, events)
  }
  reader?.end()
  yield* events
  if (replaced > 0) yield { warning: describeReplaced(replaced, encoding ?? 'utf-8') }
}

function describeReplaced(replaced: number, encoding: string): string {
  const what = replaced === 1 ? '1 character is' : `${replaced} characters are`
  return `${what} not valid ${encoding} and replaced by U+FFFD.`
}
