import { decodeFile } from './encoding/decode-file.ts'
import type { ParseEvent, SniffedType, SourceFile } from './parser.ts'
import { READERS } from './readers.ts'
import type { BlockReader } from './text/block-reader.ts'

/**
 * Reads a file block by block, 64 KB at a time with the event loop free in between, so that memory stays flat whatever its
 * size. `type` is what `sniff` said. Text formats have no pages, so no receipts come. Throws
 * `unprocessable_document` where the content breaks the rules of its format, possibly after blocks have come.
 */
export async function* parse(source: SourceFile, type: SniffedType): AsyncGenerator<ParseEvent> {
  const createReader = READERS[type.format]
  if (createReader === undefined) throw new Error(`no reader for the format ${type.format}`)
  const events: ParseEvent[] = []
  let reader: BlockReader | null = null
  let replaced = 0

  for await (const piece of decodeFile(source.path, type.encoding ?? 'utf-8')) {
    reader ??= createReader((event) => events.push(event), piece.text)
    reader.write(piece.text)
    replaced += piece.replaced
    yield* events.splice(0)
  }
  reader?.end()
  yield* events
  if (replaced > 0) yield { warning: describeReplaced(replaced, type.encoding ?? 'utf-8') }
}

function describeReplaced(replaced: number, encoding: string): string {
  const what = replaced === 1 ? '1 character is' : `${replaced} characters are`
  return `${what} not valid ${encoding} and replaced by U+FFFD.`
}
