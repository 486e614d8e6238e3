/**
 * The chat protocols: the place of the prompt in a request, and the format of an answer, whole and
 * streamed.
 */
import type { RecordedRequest } from './model-server.ts'

/** The end of an answer. */
type Ending = { finish: string; withoutUsage: boolean }

export type Dialect = {
  isStream(request: RecordedRequest): boolean
  readPrompt(body: unknown): string
  toBody(text: string, request: RecordedRequest, ending?: Ending): unknown
  toEvents(
    text: string,
    request: RecordedRequest,
    ending: Ending,
  ): { opening: string[]; pieces: string[]; closing: string[] }
}

const PROPER: Ending = { finish: 'stop', withoutUsage: false }
/** The reported usage of every answer. */
const SCRIPTED_USAGE = { input: 120, output: 30 } as const

const OPENAI: Dialect = {
  isStream: ({ body }) => body.stream === true,
  readPrompt: (body) => joinTexts((body as { messages?: unknown }).messages),
  toBody: (text, { body }, { finish, withoutUsage } = PROPER) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
    ...(withoutUsage ? {} : { usage: openAiUsage() }),
  }),
  toEvents(text, { body }, { finish, withoutUsage }) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: body.model,
        choices: [{ index: 0, delta, finish_reason }],
      })
    return {
      opening: [chunk({ role: 'assistant', content: '' })],
      pieces: cut(text).map((content) => chunk({ content })),
      closing: [
        chunk({}, finish),
        ...(withoutUsage ? [] : [event({ id: 'chatcmpl-1', choices: [], usage: openAiUsage() })]),
        'data: [DONE]\n\n',
      ],
    }
  },
}

const ANTHROPIC: Dialect = {
  isStream: ({ body }) => body.stream === true,
  readPrompt: (body) => {
    const { system, messages } = body as { system?: unknown; messages?: unknown }
    return [joinTexts(system), joinTexts(messages)].filter((text) => text !== '').join('\n')
  },
  toBody: (text, { body }, { finish } = PROPER) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [answerBlock(text, body)],
    stop_reason: finish === 'stop' ? 'end_turn' : 'max_tokens',
    stop_sequence: null,
    usage: { input_tokens: SCRIPTED_USAGE.input, output_tokens: SCRIPTED_USAGE.output },
  }),
  toEvents(text, { body }, { finish }) {
    const usage = { input_tokens: SCRIPTED_USAGE.input, output_tokens: 1 }
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    return {
      opening: [
        named({ type: 'message_start', message }),
        named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ],
      pieces: cut(text).map((piece) =>
        named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }),
      ),
      closing: [
        named({ type: 'content_block_stop', index: 0 }),
        named({
          type: 'message_delta',
          delta: { stop_reason: finish === 'stop' ? 'end_turn' : 'max_tokens', stop_sequence: null },
          usage: { output_tokens: SCRIPTED_USAGE.output },
        }),
        named({ type: 'message_stop' }),
      ],
    }
  },
}

const GOOGLE: Dialect = {
  isStream: ({ path }) => path.endsWith(':streamGenerateContent'),
  readPrompt: (body) => {
    const { systemInstruction, contents } = body as { systemInstruction?: unknown; contents?: unknown }
    return [joinTexts(systemInstruction), joinTexts(contents)].filter((text) => text !== '').join('\n')
  },
  toBody: (text, _request, { finish } = PROPER) => googlePart(text, finish),
  toEvents: (text, _request, { finish }) => ({
    opening: [],
    pieces: cut(text).map((piece) => event(googlePart(piece, null))),
    closing: [event(googlePart('', finish))],
  }),
}

/** The protocol of a path; `null` for a path without chat. */
export function findDialect(path: string): Dialect | null {
  if (path.endsWith('/chat/completions')) return OPENAI
  if (path.endsWith('/messages')) return ANTHROPIC
  return /:(stream)?[gG]enerateContent$/.test(path) ? GOOGLE : null
}

function openAiUsage(): object {
  const { input, output } = SCRIPTED_USAGE
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function googlePart(text: string, finish: string | null): object {
  return {
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        index: 0,
        ...(finish === null ? {} : { finishReason: finish === 'stop' ? 'STOP' : 'MAX_TOKENS' }),
      },
    ],
    usageMetadata: {
      promptTokenCount: SCRIPTED_USAGE.input,
      candidatesTokenCount: SCRIPTED_USAGE.output,
      totalTokenCount: SCRIPTED_USAGE.input + SCRIPTED_USAGE.output,
    },
  }
}

/** A request for structured output as a mandatory tool call gets this call as its answer. */
function answerBlock(text: string, { tools }: { tools?: { name: string }[] }): object {
  const [tool] = tools ?? []
  return tool === undefined
    ? { type: 'text', text }
    : { type: 'tool_use', id: 'toolu_1', name: tool.name, input: JSON.parse(text) }
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function named(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\n${event(data)}`
}

/** Words with the space before them, as models stream them. */
function cut(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? []
}

/** Every string under a key `text` or as the whole `content`, in order. */
function joinTexts(value: unknown): string {
  const texts: string[] = []
  const visit = (node: unknown, key: string) => {
    if (typeof node === 'string' && (key === 'text' || key === 'content' || key === '')) texts.push(node)
    else if (Array.isArray(node)) for (const item of node) visit(item, key === 'content' ? 'part' : key)
    else if (typeof node === 'object' && node !== null)
      for (const [name, item] of Object.entries(node)) visit(item, name)
  }
  visit(value, '')
  return texts.join('\n')
}
