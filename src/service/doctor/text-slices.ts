import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createTextHash } from '../../engine/similarity/text-hash.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'

/** A text that is read piece by piece, from which slices are asked in the order of their beginnings. */
export type TextSlices = {
  /** What stands from `start` to before `end`, in UTF-16 code units; less where the text ends, `null` where that was read too long ago. */
  slice(start: number, end: number): Promise<string | null>
  /** Reads to the end; the characters in all, and the hash of their normal form, which a document's `contentHash` is. */
  finish(): Promise<{ characters: number; hash: string }>
  /** Lets go of a text that is not read to its end. */
  close(): void
}

/** Kept behind the last slice: chunks of a table share its rows, and none is longer. */
const KEPT_CHARACTERS = 256 * 1024

/** Whether a chunk is the slice of its text that it says it is. None goes so far back in a text that it was not kept. */
export async function isSliceOf(
  text: Pick<TextSlices, 'slice'>,
  { text: words, startOffset, endOffset }: Pick<ChunkRow, 'text' | 'startOffset' | 'endOffset'>,
): Promise<boolean> {
  // Before anything is read by it: what says otherwise would have a whole text held in memory.
  if (endOffset - startOffset !== words.length) return false
  return (await text.slice(startOffset, endOffset)) === words
}

/** The slices of a text that is in memory. */
export function slicesOf(text: string): TextSlices {
  return {
    slice: async (start, end) => text.slice(start, end),
    async finish() {
      const hash = createTextHash()
      hash.add(text)
      return { characters: text.length, hash: hash.digest() }
    },
    close: () => undefined,
  }
}

/** The slices of a UTF-8 text, of which some hundred thousand characters are in memory at a time. */
export function readTextSlices(content: Readable): TextSlices {
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
