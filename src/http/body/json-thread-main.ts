/** Main module of the thread in `json-parser.ts`; answers each `JsonRequest`. */

import { answerMessages } from '../../concurrency/worker-thread.ts'
import { ApiError } from '../../errors.ts'
import { parseJsonBody } from './json-body.ts'
import type { JsonReply, JsonRequest } from './json-parser.ts'

/** Approximate size of a piece, for 1 to 6 ms in the event loop of the receiver. */
const PIECE_BYTES = 256 * 1024

/** Remaining elements of the last body, and the number of elements per piece. */
let pendingArrays: unknown[][] = []
let elementsPerPiece = 1

answerMessages((request: JsonRequest): JsonReply => (request === 'next' ? sendNextElements() : parseBody(request.body)))

function parseBody({ buffer, byteOffset, byteLength }: Uint8Array): JsonReply {
  try {
    return splitLongArrays(parseJsonBody(Buffer.from(buffer, byteOffset, byteLength)), byteLength)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refused: error.code, message: error.message }
  }
}

function splitLongArrays(value: unknown, bytes: number): JsonReply {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const arrays = Object.entries(object).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const elements = arrays.reduce((total, [, { length }]) => total + length, 0)
  elementsPerPiece = Math.max(1, Math.floor((PIECE_BYTES * elements) / bytes))
  const long = arrays.filter(([, { length }]) => length > elementsPerPiece)
  pendingArrays = long.map(([, own]) => own)
  const emptied = Object.fromEntries(long.map(([name]) => [name, []]))
  return { value: long.length === 0 ? value : { ...object, ...emptied }, arrays: long.map(([name]) => name) }
}

function sendNextElements(): JsonReply {
  const [elements] = pendingArrays
  // The first request went to an earlier thread.
  if (elements === undefined) throw new Error('no elements left')
  const next = elements.splice(0, elementsPerPiece)
  if (elements.length === 0) pendingArrays.shift()
  return { elements: next, isLast: elements.length === 0 }
}
