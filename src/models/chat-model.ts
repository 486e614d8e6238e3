import { anySignal } from '../concurrency/wait.ts'
import { ApiError } from '../errors.ts'

/** Interface of language models. */

/** An image for a vision model. */
export type ChatPicture = { bytes: Uint8Array; mediaType: 'image/png' | 'image/jpeg' }

/** One turn. Our instructions are `system`; texts of callers and documents are `user`. */
export type ChatMessage = {
  role: 'system' | 'user' | 'assistant'
  text: string
  /** Only for `user` turns; ignored elsewhere. */
  pictures?: readonly ChatPicture[]
}

/**
 * A JSON Schema (draft 7). Strict models require every property in `required`, and
 * `additionalProperties: false`.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A request to a language model. */
export type ChatRequest = {
  messages: readonly ChatMessage[]
  /** Aborting closes the connection and rejects with the signal's reason. */
  signal?: AbortSignal
  /**
   * Further texts that no error may repeat, such as text known to be in the pictures. Default:
   * none.
   */
  confidential?: readonly string[]
  /** Maximum tokens of the output, thinking included. */
  maxOutputTokens: number
}

/** Tokens of input and output. */
export type ChatUsage = {
  inputTokens: number
  outputTokens: number
  /**
   * True if the provider omitted a count, which was then estimated from the length of the texts.
   */
  isEstimated: boolean
}

/** A complete answer; the text is never empty. */
export type ChatAnswer = {
  text: string
  usage: ChatUsage
  /** True if the answer was cut at the token limit. */
  isCut: boolean
}

/** An answer that matches the schema of its request. */
type ChatObject = { value: unknown; usage: ChatUsage }

/** A part of a streamed answer. The last part, and only the last, is `end`. */
export type ChatPart = { type: 'text'; text: string } | ({ type: 'end' } & Omit<ChatAnswer, 'text'>)

/**
 * A language model. Every function retries transient failures. It rejects with `model_failed` if
 * the model is unreachable, too slow, or returns an unusable answer. Neither the error nor its
 * causes contain the key or the prompt.
 */
export type ChatModel = {
  /** Name in answers, such as `gpt-4.1-mini`. */
  readonly name: string
  /** Name in the setting: `openai`, `anthropic`, `google` or `openai-compatible`. */
  readonly provider: string
  /** Size of the context: tokens of prompt and answer together. */
  readonly contextTokens: number
  generate(request: ChatRequest): Promise<ChatAnswer>
  /**
   * A value validated against the schema. Rejects with `model_failed` if the model returns any
   * other.
   */
  generateObject(request: ChatRequest & { schema: JsonSchema }): Promise<ChatObject>
  /**
   * Streams the answer: at least one text part, then the end. Leaving the loop early closes the
   * connection. Throws like the other functions, also after some parts were yielded.
   */
  stream(request: ChatRequest): AsyncIterable<ChatPart>
  /** Rejects if the endpoint is unreachable or refuses the key. Costs no tokens. */
  probe(signal?: AbortSignal): Promise<void>
}

/** A language model with a stop for all its calls. */
export type StoppableChatModel = ChatModel & {
  /** Ends running and later calls with `service_unavailable`. */
  stop(): void
}

/** Makes a model stoppable, since a stopping service cannot wait for a silent model. */
export function createStoppableChatModel(chat: ChatModel): StoppableChatModel {
  const stopping = new AbortController()
  const stoppable = <Request extends ChatRequest>(request: Request): Request => ({
    ...request,
    signal: anySignal(stopping.signal, request.signal),
  })
  return {
    ...chat,
    generate: (request) => chat.generate(stoppable(request)),
    generateObject: (request) => chat.generateObject(stoppable(request)),
    stream: (request) => chat.stream(stoppable(request)),
    stop: () => stopping.abort(new ApiError('service_unavailable', { message: 'The server stops.' })),
  }
}
