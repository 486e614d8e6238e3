/** Runs in the thread of `json-parser.ts`: answers a `JsonRequest` after the other. */
import { ApiError } from '../../errors.ts'
import { answerMessages } from '../../service/threads/answer-messages.ts'
import { parseJsonBody } from './json-body.ts'
import type { JsonReply, JsonRequest } from './json-thread-messages.ts'

/** Elements that are taken over in one turn of the other side's event loop: documents of 100 tags and as much metadata in 5 ms. */
const ELEMENTS_AT_ONCE = 50

/** What is left of the arrays that were asked for last. */
let waiting: unknown[][] = []

answerMessages((request: JsonRequest): JsonReply => (request === 'next' ? giveNext() : begin(request.body)))

function begin({ buffer, byteOffset, byteLength }: Uint8Array): JsonReply {
  try {
    return takeApart(parseJsonBody(Buffer.from(buffer, byteOffset, byteLength)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refused: error.code, message: error.message }
  }
}

function takeApart(value: unknown): JsonReply {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  const long = Object.entries(object).filter(([, own]) => Array.isArray(own) && own.length > ELEMENTS_AT_ONCE)
  waiting = long.map(([, elements]) => elements as unknown[])
  const emptied = Object.fromEntries(long.map(([name]) => [name, []]))
  return { value: long.length === 0 ? value : { ...object, ...emptied }, arrays: long.map(([name]) => name) }
}

function giveNext(): JsonReply {
  const [elements] = waiting
  // Another thread than this one was asked to begin.
  if (elements === undefined) throw new Error('there is nothing left')
  const next = elements.splice(0, ELEMENTS_AT_ONCE)
  if (elements.length === 0) waiting.shift()
  return { elements: next, isLast: elements.length === 0 }
}
