import type { ErrorBody } from './accounts.ts'
import type { AskAnswer, AskOnceAnswer } from './answers.ts'
import { type CallOptions, type Input, sendOperation } from './call-operation.ts'
import { ConnectionError, errorOf } from './client-errors.ts'
import { readEvents, type ServerEvent } from './read-events.ts'
import type { Transport } from './send-request.ts'

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
  transport: Transport,
  name: Name,
  input: Input<Name>,
  { signal }: CallOptions,
): AsyncGenerator<AnswerEvent<Answer>> {
  const answer = await sendOperation(transport, name, input, { signal, headers: { accept: 'text/event-stream' } })
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
