import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Log } from '../../observability/log.ts'
import type { ChatAnswer, ChatMessage, ChatModel, ChatPart, ChatRequest, ChatUsage, JsonSchema } from '../chat-model.ts'
import { contextTokensOf, toCallOptions } from './call-options.ts'
import { type CallTimeouts, startDeadline } from './deadline.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { createLimitedFetch, probeEndpoint } from './endpoint.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'
import { describeFailure } from './model-failure.ts'
import type { ChatProvider, ModelName } from './model-name.ts'
import {
  createObjectReader,
  dropThinking,
  isCutBy,
  readStream,
  requireFinish,
  type StreamPiece,
} from './read-answer.ts'
import { type CallContext, toModelError, tryAgain } from './try-again.ts'

/** Options of the model. */
export type SdkChatModelOptions = {
  name: ModelName<ChatProvider>
  endpoint: ModelEndpoint
  log: Pick<Log, 'warn'>
  timeouts?: Partial<CallTimeouts>
  /** Pause before the first retry, in milliseconds. Default: half a second. */
  pauseMs?: number
  /** Maximum size of an answer. Default: 32 MB. */
  maxAnswerBytes?: number
}

/** Our choice, the defaults of `RECOLLECT_LLM_TIMEOUT_SECONDS`. */
const TIMEOUTS: CallTimeouts = { totalMs: 60_000, firstMs: 60_000, gapMs: 30_000 }
/** A reader sees that a stream continues, so the whole may take longer. */
const STREAM_FACTOR = 3
/** Maximum answer length in characters for each requested token: some servers ignore the limit. */
const MAX_CHARACTERS_A_TOKEN = 12

/** One call of the SDK's model. */
type CallModel<Result> = (model: LanguageModelV4, options: LanguageModelV4CallOptions) => PromiseLike<Result>

/**
 * A model behind the SDK's providers, called by their specification (`doGenerate`, `doStream`;
 * docs/decisions/0020). Before the first call nothing is loaded or sent.
 */
export function createSdkChatModel(options: SdkChatModelOptions): ChatModel {
  const { name, endpoint, log, pauseMs } = options
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const fetch = createLimitedFetch(options.maxAnswerBytes)
  let loading: Promise<LanguageModelV4> | undefined

  function begin({ signal, messages, confidential = [] }: ChatRequest, totalMs: number): CallContext {
    return {
      deadline: startDeadline({ totalMs, signal }),
      who: `${name.provider}:${name.model}`,
      confidential: { apiKey: endpoint.apiKey, prompt: [...messages.map(({ text }) => text), ...confidential] },
    }
  }

  const ask = createAsk(name, () => {
    loading ??= loadLanguageModel({ ...name, endpoint, fetch })
    return loading
  })

  async function generate<Result>(request: AskedRequest, read: (answer: ChatAnswer) => Result): Promise<Result> {
    const context = begin(request, timeouts.totalMs)
    try {
      const work = async () =>
        read(toAnswer(await ask(request, context, (model, call) => model.doGenerate(call)), request))
      return await tryAgain(work, { ...context, silenceMs: null, log, pauseMs })
    } finally {
      context.deadline.end()
    }
  }

  async function* stream(request: ChatRequest): AsyncGenerator<ChatPart> {
    const context = begin(request, STREAM_FACTOR * timeouts.totalMs)
    const { deadline } = context
    const reading = { deadline, gapMs: timeouts.gapMs, maxCharacters: mostCharacters(request) }
    try {
      const begun = await tryAgain(
        async () => {
          const { stream: parts } = await ask(request, context, (model, call) => model.doStream(call))
          const pieces = readStream(parts, reading)
          return { pieces, first: await pieces.next() }
        },
        { ...context, silenceMs: timeouts.firstMs, log, pauseMs },
      )
      yield* tell(begun, request, context)
    } finally {
      deadline.end()
    }
  }

  return {
    name: name.model,
    provider: name.provider,
    contextTokens: contextTokensOf(name),
    generate: (request) => generate(request, (answer) => answer),
    async generateObject(request) {
      const readObject = await createObjectReader(request.schema)
      return await generate(request, ({ text, usage }) => ({ value: readObject(text), usage }))
    },
    stream,
    probe: (signal) => probeEndpoint(endpoint, { provider: name.provider, signal }),
  }
}

type AskedRequest = ChatRequest & { schema?: JsonSchema }

/**
 * Calls with all options. If the endpoint rejects the form (400 or 422), calls once more with plain
 * options.
 */
function createAsk(name: ModelName<ChatProvider>, load: () => Promise<LanguageModelV4>) {
  return async <Result>(request: AskedRequest, context: CallContext, how: CallModel<Result>): Promise<Result> => {
    const model = await load()
    const facts = { name, schema: request.schema, signal: context.deadline.signal }
    try {
      return await how(model, toCallOptions(request, { ...facts, style: 'full' }))
    } catch (error) {
      const { status } = describeFailure(error, context.confidential)
      if (context.deadline.signal.aborted || (status !== 400 && status !== 422)) throw error
      return await how(model, toCallOptions(request, { ...facts, style: 'plain' }))
    }
  }
}

/** Converts stream pieces to parts of {@link ChatModel}. */
async function* tell(
  { pieces, first }: { pieces: AsyncGenerator<StreamPiece>; first: IteratorResult<StreamPiece> },
  request: ChatRequest,
  context: CallContext,
): AsyncGenerator<ChatPart> {
  let text = ''
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) {
      const piece = next.value
      if (piece.type === 'end') {
        yield { type: 'end', usage: toUsage(piece.counted, { messages: request.messages, text }), isCut: piece.isCut }
        return
      }
      text += piece.text
      yield piece
    }
  } catch (error) {
    throw toModelError(error, context)
  } finally {
    await pieces.return(undefined)
  }
}

function toAnswer(result: LanguageModelV4GenerateResult, request: ChatRequest): ChatAnswer {
  const written =
    result.structuredOutputText ?? result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const whole = dropThinking(written).trim()
  requireFinish(result.finishReason, whole.length)
  const text = whole.slice(0, mostCharacters(request))
  const isCut = text.length < whole.length || isCutBy(result.finishReason)
  return { text, usage: toUsage(result.usage, { messages: request.messages, text }), isCut }
}

function mostCharacters({ maxOutputTokens }: ChatRequest): number {
  return maxOutputTokens * MAX_CHARACTERS_A_TOKEN
}

/** A model of the SDK's providers, and its endpoint. */
type PromptParts = {
  provider: ChatProvider
  model: string
  endpoint: ModelEndpoint
  fetch: typeof globalThis.fetch
}

/**
 * Loads the SDK's model on demand: the code takes 24 to 31 MB, which an installation without a
 * model does not pay. Base URL and key are always passed, so that the SDK never reads them from the
 * environment.
 */
async function loadLanguageModel({ provider, model, endpoint, fetch }: PromptParts): Promise<LanguageModelV4> {
  const { baseUrl: baseURL } = endpoint
  const apiKey = endpoint.apiKey ?? ''
  // Without a key, use the compatible provider: the OpenAI provider would send an empty key.
  if (provider === 'openai' && apiKey !== '') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL, apiKey, fetch }).chat(model)
  }
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey, fetch }).languageModel(model)
  }
  if (provider === 'google') {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ baseURL, apiKey, fetch }).languageModel(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const key = apiKey === '' ? {} : { apiKey }
  const options = { name: 'compatible', includeUsage: true, supportsStructuredOutputs: true }
  return createOpenAICompatible({ baseURL, ...key, ...options, fetch }).chatModel(model)
}

/** Counts of the provider, with estimates for missing ones. */
function toUsage(
  counted: LanguageModelV4Usage | undefined,
  { messages, text }: { messages: readonly ChatMessage[]; text: string },
): ChatUsage {
  const [input, output] = [counted?.inputTokens.total, counted?.outputTokens.total].map(asCount)
  return {
    inputTokens: input ?? estimatePromptTokens(messages),
    outputTokens: output ?? estimateTokens(text),
    isEstimated: input === undefined || output === undefined,
  }
}

/** Servers without counts return zero or nothing. */
function asCount(count: number | undefined): number | undefined {
  return count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : undefined
}
