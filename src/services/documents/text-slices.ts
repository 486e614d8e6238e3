import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createTextHash, hashText } from '../../engine/similarity/text-hash.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'

/** A text read as a stream, with slices requested in order of their start. */
export type TextSlices = {
  /**
   * Characters from `start` to before `end` in UTF-16 code units. Shorter at the end of the text;
   * `null` when the start is no longer buffered.
   */
  slice(start: number, end: number): Promise<string | null>
  /**
   * Reads to the end; returns the length, and the hash of the normalized text, equal to a
   * document's `contentHash`.
   */
  finish(): Promise<{ characters: number; hash: string }>
  /** Closes the stream early. */
  close(): void
}

/**
 * Buffered before the last slice: chunks of a table repeat its header rows, and no header is
 * longer.
 */
const LOOKBACK_CHARACTERS = 256 * 1024

/**
 * Location of a document's text: in its row, or in the object store under `key`; `null` for
 * neither.
 */
type TextPlace = { inline: string | null; key: string | null }

/**
 * Opens the text of a document; `null` when missing. For a text in the object store, some hundred
 * thousand characters are in memory at a time.
 */
export async function openTextSlices(
  blobs: Pick<Blobs, 'get'>,
  { inline, key }: TextPlace,
): Promise<TextSlices | null> {
  if (inline !== null) return slicesOf(inline)
  const content = key === null ? null : await blobs.get(key)
  return content === null ? null : readTextSlices(content)
}

/**
 * True when a chunk equals the slice of the text at its offsets. No valid chunk starts before the
 * buffered part.
 */
export async function isSliceOf(
  text: Pick<TextSlices, 'slice'>,
  { text: words, startOffset, endOffset }: Pick<ChunkRow, 'text' | 'startOffset' | 'endOffset'>,
): Promise<boolean> {
  // Checked before reading: a false length would buffer the whole text.
  if (endOffset - startOffset !== words.length) return false
  return (await text.slice(startOffset, endOffset)) === words
}

function slicesOf(text: string): TextSlices {
  return {
    slice: async (start, end) => text.slice(start, end),
    finish: async () => ({ characters: text.length, hash: hashText(text) }),
    close: () => undefined,
  }
}

function readTextSlices(content: Readable): TextSlices {
  const decoder = new StringDecoder('utf8')
  const hash = createTextHash()
  const pieces = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let window = ''
  let windowStart = 0
  let isOver = false

  async function readMore(): Promise<void> {
    const { done, value } = await pieces.next()
    isOver = done === true
    const piece = isOver ? decoder.end() : decoder.write(value)
    hash.add(piece)
    window += piece
  }

  function forgetBefore(position: number): void {
    const surplus = position - LOOKBACK_CHARACTERS - windowStart
    if (surplus <= LOOKBACK_CHARACTERS) return
    window = window.slice(surplus)
    windowStart += surplus
  }

  return {
    async slice(start, end) {
      while (!isOver && windowStart + window.length < end) {
        forgetBefore(Math.min(start, windowStart + window.length))
        await readMore()
      }
      return start < windowStart ? null : window.slice(start - windowStart, end - windowStart)
    },
    async finish() {
      while (!isOver) {
        forgetBefore(windowStart + window.length)
        await readMore()
      }
      return { characters: windowStart + window.length, hash: hash.digest() }
    },
    close: () => void content.destroy(),
  }
}
