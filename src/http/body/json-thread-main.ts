/** Runs in the thread of `json-parser.ts`: answers a `JsonRequest` after the other. */

import { answerMessages } from '../../concurrency/worker-thread.ts'
import { ApiError } from '../../errors.ts'
import { parseJsonBody } from './json-body.ts'
import type { JsonReply, JsonRequest } from './json-parser.ts'

/** Of a body, about: what is taken over in one turn of the other side's event loop, in 1 to 6 ms. */
const PIECE_BYTES = 256 * 1024

/** What is left of the arrays that were asked for last, and how many elements of them make a piece. */
let waiting: unknown[][] = []
let elementsAtOnce = 1

answerMessages((request: JsonRequest): JsonReply => (request === 'next' ? giveNext() : begin(request.body)))

function begin({ buffer, byteOffset, byteLength }: Uint8Array): JsonReply {
  try {
    return takeApart(parseJsonBody(Buffer.from(buffer, byteOffset, byteLength)), byteLength)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refused: error.code, message: error.message }
  }
}

function takeApart(value: unknown, bytes: number): JsonReply {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const arrays = Object.entries(object).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const elements = arrays.reduce((total, [, { length }]) => total + length, 0)
  elementsAtOnce = Math.max(1, Math.floor((PIECE_BYTES * elements) / bytes))
  const long = arrays.filter(([, { length }]) => length > elementsAtOnce)
  waiting = long.map(([, own]) => own)
  const emptied = Object.fromEntries(long.map(([name]) => [name, []]))
  return { value: long.length === 0 ? value : { ...object, ...emptied }, arrays: long.map(([name]) => name) }
}

function giveNext(): JsonReply {
  const [elements] = waiting
  // Another thread than this one was asked to begin.
  if (elements === undefined) throw new Error('there is nothing left')
  const next = elements.splice(0, elementsAtOnce)
  if (elements.length === 0) waiting.shift()
  return { elements: next, isLast: elements.length === 0 }
}
