import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A text that is read piece by piece, from which slices are asked in the order of their beginnings. */
export type TextSlices = {
  /** What stands from `start` to before `end`, in UTF-16 code units; less where the text ends, `null` where that was read too long ago. */
  slice(start: number, end: number): Promise<string | null>
  /** Reads to the end; the characters in all. */
  measure(): Promise<number>
  /** Lets go of a text that is not read to its end. */
  close(): void
}

/** Kept behind the last slice: chunks of a table share its rows, and none is longer. */
const KEPT_CHARACTERS = 256 * 1024

/** The slices of a UTF-8 text, of which some hundred thousand characters are in memory at a time. */
export function readTextSlices(content: Readable): TextSlices {
  const decoder = new StringDecoder('utf8')
  const pieces = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let window = ''
  let windowStart = 0
  let isOver = false

  async function readMore(): Promise<void> {
    const { done, value } = await pieces.next()
    isOver = done === true
    window += isOver ? decoder.end() : decoder.write(value)
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
    async measure() {
      while (!isOver) {
        forgetBefore(windowStart + window.length)
        await readMore()
      }
      return windowStart + window.length
    },
    close: () => void content.destroy(),
  }
}
