import type { ErrorBody } from './accounts.ts'
import type { AskAnswer, AskOnceAnswer } from './answers.ts'
import type { CallOptions, Input, Send } from './call-operation.ts'
import { ConnectionError, toRecollectError } from './client-errors.ts'

/** Events of a streamed answer: text parts and citations, followed by the final answer. */
export type AnswerEvent<Answer extends AskAnswer | AskOnceAnswer> =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: Answer['citations'][number] }
  | { type: 'done'; answer: Answer }

/**
 * Streams an answer. Ends with a `done` event or rejects. Reasons to reject are an error of the
 * request, a failed model, or a broken connection ({@link ConnectionError}). A partial answer never
 * ends normally.
 */
export async function* streamAnswer<Name extends 'ask' | 'askOnce', Answer extends AskAnswer | AskOnceAnswer>(
  send: Send,
  name: Name,
  { signal, ...input }: Input<Name> & CallOptions,
): AsyncGenerator<AnswerEvent<Answer>> {
  const headers = { accept: 'text/event-stream' }
  const answer = await send(name, input as unknown as Input<Name>, { signal, headers })
  for await (const { event, data } of readEventsOrInterrupt(answer, signal)) {
    if (event === 'token') yield { type: 'token', text: (data as { text: string }).text }
    if (event === 'citation') yield { type: 'citation', citation: data as Answer['citations'][number] }
    if (event === 'done') return yield { type: 'done', answer: data as Answer }
    if (event === 'error') throw toRecollectError(502, (data as ErrorBody).error)
  }
  throw interruptedError()
}

async function* readEventsOrInterrupt(answer: Response, signal: AbortSignal | undefined): AsyncGenerator<ServerEvent> {
  try {
    yield* readEvents(answer)
  } catch (cause) {
    signal?.throwIfAborted()
    throw interruptedError(cause)
  }
}

function interruptedError(cause?: unknown): ConnectionError {
  const remedy = 'Ask again. The text received so far is incomplete.'
  return new ConnectionError('The answer was interrupted.', { code: 'broken_off', status: 0, remedy, cause })
}

/** Server-sent event with parsed data. */
export type ServerEvent = { event: string; data: unknown }

/**
 * Yields the events of a response (HTML Standard, section 9.2) as they arrive. Leaving the loop
 * early ends the request. Rejects if the connection breaks, and with SyntaxError for data that is
 * not JSON.
 */
export async function* readEvents(answer: Response): AsyncGenerator<ServerEvent> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      text += decoder.decode(value, { stream: !done })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== null) yield event
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Returns `null` for a comment, which only keeps the connection open. */
function parseEvent(block: string): ServerEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([a-z]+):? ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value ?? ''
    if (field === 'data') data.push(value ?? '')
  }
  return data.length === 0 ? null : { event, data: JSON.parse(data.join('\n')) as unknown }
}
