import type { ErrorBody } from './accounts.ts'
import type { AskAnswer, AskOnceAnswer } from './answers.ts'
import type { CallOptions, Input, Send } from './call-operation.ts'
import { ConnectionError, errorOf } from './client-errors.ts'

/** What a streaming answer tells, in this order: pieces of text with the citations between them, then the whole. */
export type AnswerEvent<Answer extends AskAnswer | AskOnceAnswer> =
  | { type: 'token'; text: string }
  | { type: 'citation'; citation: Answer['citations'][number] }
  | { type: 'done'; answer: Answer }

/**
 * An answer as it is written. It ends with `done`, or rejects: as the request does, with the service's error where the model fails midway, with a
 * {@link ConnectionError} where the connection breaks first; never is the beginning of an answer all there is.
 */
export async function* streamAnswer<Name extends 'ask' | 'askOnce', Answer extends AskAnswer | AskOnceAnswer>(
  send: Send,
  name: Name,
  { signal, ...input }: Input<Name> & CallOptions,
): AsyncGenerator<AnswerEvent<Answer>> {
  const headers = { accept: 'text/event-stream' }
  const answer = await send(name, input as unknown as Input<Name>, { signal, headers })
  for await (const { event, data } of wholeEvents(answer, signal)) {
    if (event === 'token') yield { type: 'token', text: (data as { text: string }).text }
    if (event === 'citation') yield { type: 'citation', citation: data as Answer['citations'][number] }
    if (event === 'done') return yield { type: 'done', answer: data as Answer }
    if (event === 'error') throw errorOf(502, (data as ErrorBody).error)
  }
  throw brokenOff()
}

async function* wholeEvents(answer: Response, signal: AbortSignal | undefined): AsyncGenerator<ServerEvent> {
  try {
    yield* readEvents(answer)
  } catch (cause) {
    signal?.throwIfAborted()
    throw brokenOff(cause)
  }
}

function brokenOff(cause?: unknown): ConnectionError {
  const remedy = 'Ask again: what came until then is the beginning of an answer.'
  return new ConnectionError('The answer broke off before its end.', { code: 'broken_off', status: 0, remedy, cause })
}

/** A server-sent event: its name and its data, parsed. */
export type ServerEvent = { event: string; data: unknown }

/**
 * The events of an answer (HTML Standard, section 9.2), each as soon as it is whole. Ends with the answer; leaving the loop
 * early ends the request. Rejects where the connection breaks, and with SyntaxError for data that is not JSON.
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

/** `null` for a comment, which only keeps the connection open. */
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
