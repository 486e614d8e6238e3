import { anySignal } from '../concurrency/any-signal.ts'
import { ApiError } from '../errors.ts'
import type { ChatModel, ChatRequest } from './chat-model.ts'

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
