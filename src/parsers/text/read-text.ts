import { decodeFile } from '../encoding/decode-file.ts'
import { DamagedGzip, GZIP } from '../gzip.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import type { BlockReader, CreateReader } from './block-reader.ts'

/**
 * Minimum length of the first chunk, unless the text is shorter. Readers detect the dialect from
 * it.
 */
export const MIN_HEAD_CHARACTERS = 64 * 1024
/** Characters read before events are yielded: at most about ten milliseconds of work. */
const SLICE_CHARACTERS = 8 * 1024

/**
 * Reads a text in memory, whole or in chunks. Lazy, so that the caller can pause between events.
 */
export function* readText(createReader: CreateReader, text: string | readonly string[]): Generator<ParseEvent> {
  const events: ParseEvent[] = []
  const pieces = typeof text === 'string' ? [text] : text
  const reader = createReader((event) => events.push(event), headOf(text).slice(0, MIN_HEAD_CHARACTERS))
  for (const piece of pieces) yield* readInSlices(reader, piece, events)
  reader.end()
  yield* events
}

/** Reads a chunk in slices and yields the events after each slice. */
function* readInSlices(reader: BlockReader, piece: string, events: ParseEvent[]): Generator<ParseEvent> {
  for (let at = 0; at < piece.length; at += SLICE_CHARACTERS) {
    reader.write(piece.slice(at, at + SLICE_CHARACTERS))
    yield* events.splice(0)
  }
}

/** Returns the first chunk of a text. */
export function headOf(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : (text[0] ?? '')
}

/**
 * Decodes and reads a file in 64 KB chunks, yielding to the event loop in between, so memory stays
 * constant. Throws the reader's errors, possibly after blocks.
 */
export async function* readTextFile(
  { path }: Pick<SourceFile, 'path'>,
  { encoding, mimeType }: Pick<SniffedType, 'encoding' | 'mimeType'>,
  createReader: CreateReader,
): AsyncGenerator<ParseEvent> {
  const events: ParseEvent[] = []
  let reader: BlockReader | null = null
  let replaced = 0
  let nuls = 0
  let cut: string | null = null

  try {
    for await (const piece of decodeFile(path, { encoding: encoding ?? 'utf-8', isPacked: mimeType === GZIP })) {
      nuls += piece.nuls ?? 0
      // A rotated log can start with megabytes of NUL bytes, which are no head.
      if (piece.text === '' && nuls > 0) continue
      reader ??= createReader((event) => events.push(event), piece.text)
      replaced += piece.replaced
      yield* readInSlices(reader, piece.text, events)
    }
  } catch (error) {
    if (reader === null || !(error instanceof DamagedGzip)) throw error
    cut = error.message
  }
  reader?.end()
  yield* events
  if (replaced > 0) yield { warning: describeReplaced(replaced, encoding ?? 'utf-8') }
  if (nuls > 0) yield { warning: nuls === 1 ? '1 NUL byte was left out.' : `${nuls} NUL bytes were left out.` }
  if (cut !== null) yield { cut }
}

function describeReplaced(replaced: number, encoding: string): string {
  const what = replaced === 1 ? '1 character is' : `${replaced} characters are`
  return `${what} not valid ${encoding} and replaced by U+FFFD.`
}
