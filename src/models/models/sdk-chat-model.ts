import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { Log } from '../../observability/log.ts'
import type { ChatAnswer, ChatModel, ChatPart, ChatRequest, JsonSchema } from '../chat-model.ts'
import { contextTokensOf } from './context-tokens.ts'
import { type CallTimeouts, startDeadline } from './deadline.ts'
import { describeFailure } from './describe-failure.ts'
import { dropThinking } from './drop-thinking.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { createLimitedFetch } from './limited-fetch.ts'
import { loadLanguageModel } from './load-language-model.ts'
import type { ChatProvider, ModelName } from './model-name.ts'
import { probeEndpoint } from './probe-endpoint.ts'
import { createObjectReader } from './read-object.ts'
import { isCutBy, readStream, requireFinish, type StreamPiece } from './read-stream.ts'
import { toCallOptions } from './to-call-options.ts'
import { type CallContext, toModelError, tryAgain } from './try-again.ts'
import { toUsage } from './usage.ts'

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
const MOST_CHARACTERS_A_TOKEN = 12

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
  return maxOutputTokens * MOST_CHARACTERS_A_TOKEN
}
