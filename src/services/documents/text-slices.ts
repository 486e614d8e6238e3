import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createTextHash, hashText } from '../../engine/similarity/text-hash.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'

/**
 * A text that is read piece by piece, from which slices are asked in the order of their beginnings.
 */
export type TextSlices = {
  /**
   * What stands from `start` to before `end`, in UTF-16 code units; less where the text ends,
   * `null` where that was read too long ago.
   */
  slice(start: number, end: number): Promise<string | null>
  /**
   * Reads to the end; the characters in all, and the hash of their normal form, which a document's
   * `contentHash` is.
   */
  finish(): Promise<{ characters: number; hash: string }>
  /** Lets go of a text that is not read to its end. */
  close(): void
}

/** Kept behind the last slice: chunks of a table share its rows, and none is longer. */
const KEPT_CHARACTERS = 256 * 1024

/**
 * Where the text of a document is: in its row, or in the object store under its key; `null` where
 * it is not.
 */
type TextPlace = { inline: string | null; key: string | null }

/**
 * The slices of a document's text; `null` where it is missing. Of one in the object store some
 * hundred thousand characters are in memory at a time.
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
 * Whether a chunk is the slice of its text that it says it is. None goes so far back in a text that
 * it was not kept.
 */
export async function isSliceOf(
  text: Pick<TextSlices, 'slice'>,
  { text: words, startOffset, endOffset }: Pick<ChunkRow, 'text' | 'startOffset' | 'endOffset'>,
): Promise<boolean> {
  // Before anything is read by it: what says otherwise would have a whole text held in memory.
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
    const surplus = position - KEPT_CHARACTERS - windowStart
    if (surplus <= KEPT_CHARACTERS) return
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
