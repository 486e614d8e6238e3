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

/** What a model is made of. */
export type SdkChatModelOptions = {
  name: ModelName<ChatProvider>
  endpoint: ModelEndpoint
  log: Pick<Log, 'warn'>
  timeouts?: Partial<CallTimeouts>
  /** The pause before a failed call is repeated for the first time; half a second when absent. In milliseconds. */
  pauseMs?: number
  /** No answer is larger; 32 MB when absent. */
  maxAnswerBytes?: number
}

/** Our choice: a model that thinks, or a slow machine with a long prompt, is silent for a minute or more; a stream that runs is not. */
const TIMEOUTS: CallTimeouts = { totalMs: 180_000, firstMs: 90_000, gapMs: 30_000 }
/** An answer is ended at so many characters a token that was asked for: some servers know no limit. */
const MAX_CHARACTERS_A_TOKEN = 12

/** Asks the SDK's model in the words given. */
type Ask<Result> = (model: LanguageModelV4, options: LanguageModelV4CallOptions) => PromiseLike<Result>

/**
 * A model behind the SDK's providers, spoken to through their specification (`doGenerate`, `doStream`); docs/decisions/0020 says why. Nothing is
 * loaded and nothing is sent before the first call.
 */
export function createSdkChatModel(options: SdkChatModelOptions): ChatModel {
  const { name, endpoint, log, pauseMs } = options
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const fetch = createLimitedFetch(options.maxAnswerBytes)
  let loading: Promise<LanguageModelV4> | undefined

  function begin({ signal, messages, confidential = [] }: ChatRequest): CallContext {
    return {
      deadline: startDeadline({ totalMs: timeouts.totalMs, signal }),
      who: `${name.provider}:${name.model}`,
      confidential: { apiKey: endpoint.apiKey, prompt: [...messages.map(({ text }) => text), ...confidential] },
    }
  }

  /** Asks with all that was asked for; where the endpoint refuses the form of that (400, 422), once more in plain words. */
  async function ask<Result>(
    request: ChatRequest & { schema?: JsonSchema },
    context: CallContext,
    how: Ask<Result>,
  ): Promise<Result> {
    loading ??= loadLanguageModel({ ...name, endpoint, fetch })
    const model = await loading
    const facts = { name, schema: request.schema, signal: context.deadline.signal }
    try {
      return await how(model, toCallOptions(request, { ...facts, style: 'full' }))
    } catch (error) {
      const { status } = describeFailure(error, context.confidential)
      if (context.deadline.signal.aborted || (status !== 400 && status !== 422)) throw error
      return await how(model, toCallOptions(request, { ...facts, style: 'plain' }))
    }
  }

  async function generate<Result>(
    request: ChatRequest & { schema?: JsonSchema },
    read: (answer: ChatAnswer) => Result,
  ): Promise<Result> {
    const context = begin(request)
    try {
      const work = async () =>
        read(toAnswer(await ask(request, context, (model, call) => model.doGenerate(call)), request))
      return await tryAgain(work, { ...context, silenceMs: null, log, pauseMs })
    } finally {
      context.deadline.end()
    }
  }

  async function* stream(request: ChatRequest): AsyncGenerator<ChatPart> {
    const context = begin(request)
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

/** The pieces as parts of the seam. */
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

/** A model of the SDK's providers, and how it is reached. */
type LanguageModelParts = {
  provider: ChatProvider
  model: string
  endpoint: ModelEndpoint
  fetch: typeof globalThis.fetch
}

/**
 * The SDK's model. Its code is loaded now and not with ours: it takes 24 to 31 MB, which an installation without a model does not pay. Base URL
 * and key are always handed over, so that the SDK never looks for them in the environment.
 */
async function loadLanguageModel({ provider, model, endpoint, fetch }: LanguageModelParts): Promise<LanguageModelV4> {
  const { baseUrl: baseURL } = endpoint
  const apiKey = endpoint.apiKey ?? ''
  // An endpoint of one's own without a key is better spoken to as what it is: the other way sends an empty key.
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

/** What the provider counted, and an estimate of what it did not say. */
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

/** Servers that do not count say zero, or nothing. */
function asCount(count: number | undefined): number | undefined {
  return count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : undefined
}
