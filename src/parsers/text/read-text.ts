import { decodeFile } from '../encoding/decode-file.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import type { BlockReader, CreateReader } from './block-reader.ts'

/** What the first piece of a text has at the least, unless it is all of it: readers tell a dialect by it. */
export const MIN_HEAD_CHARACTERS = 64 * 1024
/** Characters read before what was found in them is given out: some ten milliseconds of work where each is a line, far less as a rule. */
const SLICE_CHARACTERS = 8 * 1024

/** Reads a text that stands in memory, whole or in pieces. Lazy, so that a caller may pause between events. */
export function* readText(createReader: CreateReader, text: string | readonly string[]): Generator<ParseEvent> {
  const events: ParseEvent[] = []
  const pieces = typeof text === 'string' ? [text] : text
  const reader = createReader((event) => events.push(event), headOf(text).slice(0, MIN_HEAD_CHARACTERS))
  for (const piece of pieces) yield* readInSlices(reader, piece, events)
  reader.end()
  yield* events
}

/** Has a piece of a text read a slice at a time, and gives what stands in `events` behind each. */
function* readInSlices(reader: BlockReader, piece: string, events: ParseEvent[]): Generator<ParseEvent> {
  for (let at = 0; at < piece.length; at += SLICE_CHARACTERS) {
    reader.write(piece.slice(at, at + SLICE_CHARACTERS))
    yield* events.splice(0)
  }
}

/** The first piece of a text. */
export function headOf(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : (text[0] ?? '')
}

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
