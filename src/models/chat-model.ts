import { anySignal } from '../concurrency/wait.ts'
import { ApiError } from '../errors.ts'

/** The seam to language models: what is asked of one, and what comes back. */

/** A picture for a model that sees. */
export type ChatPicture = { bytes: Uint8Array; mediaType: 'image/png' | 'image/jpeg' }

/** One turn. Instructions of ours are `system`; what callers or documents say is `user`. */
export type ChatMessage = {
  role: 'system' | 'user' | 'assistant'
  text: string
  /** Of a `user` turn only; ignored elsewhere. */
  pictures?: readonly ChatPicture[]
}

/** A JSON Schema (draft 7). Strict models want every property `required` and `additionalProperties: false`. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a model is asked. */
export type ChatRequest = {
  messages: readonly ChatMessage[]
  /** Aborting closes the connection and rejects with the signal's reason. */
  signal?: AbortSignal
  /** Texts beside the messages' own that no error may repeat, such as what is known to stand in the pictures; none where absent. */
  confidential?: readonly string[]
  /** Tokens the model may write, its thinking included where it thinks. */
  maxOutputTokens: number
}

/** Tokens that were read and written. */
export type ChatUsage = {
  inputTokens: number
  outputTokens: number
  /** True where the provider said nothing of one of them and it was estimated from the length of the texts. */
  isEstimated: boolean
}

/** A whole answer; its text is never empty. */
export type ChatAnswer = {
  text: string
  usage: ChatUsage
  /** True where the answer ended for want of tokens, not because it was finished. */
  isCut: boolean
}

/** An answer in the shape of the schema it was asked with. */
type ChatObject = { value: unknown; usage: ChatUsage }

/** A piece of a streamed answer. The last one, and only that, is `end`. */
export type ChatPart = { type: 'text'; text: string } | ({ type: 'end' } & Omit<ChatAnswer, 'text'>)

/**
 * A language model. Every function rejects with `model_failed` where the model cannot be reached, does not answer in time or
 * answers with what cannot be used, after trying again where that may help; no key and no prompt stands in the error or its causes.
 */
export type ChatModel = {
  /** As answers name it, such as `gpt-4.1-mini`. */
  readonly name: string
  /** As the setting names it: `openai`, `anthropic`, `google`, `openai-compatible`. */
  readonly provider: string
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number
  generate(request: ChatRequest): Promise<ChatAnswer>
  /** A value that fits the schema, checked; rejects with `model_failed` where the model gives another. */
  generateObject(request: ChatRequest & { schema: JsonSchema }): Promise<ChatObject>
  /**
   * The answer as it is written, one text or more and then the end. Leaving the loop early closes the connection. Throws as the others do,
   * also in the middle, after texts that were handed out already.
   */
  stream(request: ChatRequest): AsyncIterable<ChatPart>
  /** Rejects when the endpoint cannot be reached or refuses the key. Costs no tokens. */
  probe(signal?: AbortSignal): Promise<void>
}

/** A language model whose calls can be ended all at once. */
export type StoppableChatModel = ChatModel & {
  /** Ends what is under way, and whatever is asked later, with `service_unavailable`. */
  stop(): void
}

/** Makes a model stoppable: a service that ends cannot wait for one that is silent. */
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
