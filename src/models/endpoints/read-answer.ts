import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { JsonSchema } from '../chat-model.ts'
import type { Deadline } from './deadline.ts'
import { ModelFailure } from './model-failure.ts'

/** A piece of text, or the end with what the provider counted. */
export type StreamPiece =
  | { type: 'text'; text: string }
  | { type: 'end'; counted: LanguageModelV4Usage | undefined; isCut: boolean }

/** How a stream is read. */
type ReadStreamOptions = { deadline: Deadline; gapMs: number; maxCharacters: number }

/**
 * The texts of a stream, thinking left out, then the end. A stream that goes past `maxCharacters` is ended there. Throws what the stream carries
 * as an error, and {@link ModelFailure} where it breaks off or says nothing. Leaving the loop closes the stream.
 */
export async function* readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  { deadline, gapMs, maxCharacters }: ReadStreamOptions,
): AsyncGenerator<StreamPiece> {
  const thinking = createThinkingFilter()
  let characters = 0
  let finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined
  for await (const part of stream) {
    deadline.expectWithin(gapMs)
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') finish = part
    const text = part.type === 'text-delta' ? thinking.push(part.delta) : ''
    if (text === '') continue
    characters += text.length
    // The clock stands while the text is with its reader, who may be slow.
    deadline.expectWithin(null)
    yield { type: 'text', text }
    if (characters >= maxCharacters) return yield { type: 'end', counted: undefined, isCut: true }
    deadline.expectWithin(gapMs)
  }
  const rest = thinking.end()
  if (rest !== '') yield { type: 'text', text: rest }
  requireFinish(finish?.finishReason, characters + rest.length)
  yield { type: 'end', counted: finish?.usage, isCut: isCutBy(finish?.finishReason) }
}

/** Throws where the answer is none: broken off, stopped by a filter before its first word, or empty. */
export function requireFinish(reason: LanguageModelV4FinishReason | undefined, characters: number): void {
  const why = reason?.unified
  if (why === undefined || why === 'error' || why === 'interrupted')
    throw new ModelFailure('garbage', 'broke off in the middle of the answer')
  if (characters > 0) return
  if (why === 'content-filter') throw new ModelFailure('garbage', 'refused to answer (content filter)')
  if (why === 'length') throw new ModelFailure('garbage', 'used up its tokens before the first word')
  throw new ModelFailure('garbage', 'gave an empty answer')
}

/** True where the answer ended before it was finished. */
export function isCutBy(reason: LanguageModelV4FinishReason | undefined): boolean {
  return reason?.unified === 'length' || reason?.unified === 'content-filter'
}

/** Takes the thinking off the beginning of an answer, piece by piece. */
type ThinkingFilter = {
  /** What of the pieces so far can be told, beyond what was told before; often nothing at first. */
  push(piece: string): string
  /** What was held back and turns out to be answer. */
  end(): string
}

const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * Some servers of open models leave `<think>…</think>` at the beginning of the answer. White space around it goes too. What is never closed was
 * never an answer.
 */
export function createThinkingFilter(): ThinkingFilter {
  let held = ''
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'

  /** Goes as far as the pieces that are held allow; holds no more of them than the next step needs, since thinking can be long. */
  function settle(): string {
    if (state === 'thinking') {
      const close = held.indexOf(CLOSE)
      held = close === -1 ? held.slice(1 - CLOSE.length) : held.slice(close + CLOSE.length)
      if (close === -1) return ''
      state = 'gap'
    }
    held = held.trimStart()
    if (held === '') return ''
    if (state === 'start' && held.startsWith(OPEN)) {
      held = held.slice(OPEN.length)
      state = 'thinking'
      return settle()
    }
    return state === 'start' && OPEN.startsWith(held) ? '' : letGo()
  }

  function letGo(): string {
    const text = held
    held = ''
    state = 'answer'
    return text
  }

  return {
    push(piece) {
      if (state === 'answer') return piece
      held += piece
      return settle()
    },
    end() {
      return state === 'thinking' ? '' : letGo()
    },
  }
}

/** A whole answer without its thinking. */
export function dropThinking(text: string): string {
  const filter = createThinkingFilter()
  return filter.push(text) + filter.end()
}

/** Reads the value out of an answer that should be JSON. */
type ObjectReader = (text: string) => unknown

const FENCE = /^```[a-z]*\s*\n([\s\S]*?)\n?```\s*$/i

/**
 * A reader for answers in the shape of a schema. Models that were only asked in words put a fence or a sentence around their JSON, which is taken
 * off. The reader throws {@link ModelFailure} of kind `garbage` for what is no JSON and for what does not fit, naming the place and never the value.
 */
export async function createObjectReader(schema: JsonSchema): Promise<ObjectReader> {
  // Loaded when first needed: 20 MB that an installation without a model does not pay.
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (text) => {
    const value = parse(text)
    if (validator.Check(value)) return value
    const [, [first]] = validator.Errors(value)
    throw new ModelFailure(
      'garbage',
      `gave JSON that does not fit the schema${first === undefined ? '' : ` at ${first.instancePath || '/'}`}`,
    )
  }
}

function parse(text: string): unknown {
  const trimmed = text.trim()
  const [, fenced = trimmed] = FENCE.exec(trimmed) ?? []
  const start = fenced.search(/[[{]/)
  const end = Math.max(fenced.lastIndexOf('}'), fenced.lastIndexOf(']'))
  for (const candidate of [fenced, start === -1 ? '' : fenced.slice(start, end + 1)]) {
    try {
      return JSON.parse(candidate)
    } catch {
      // The next candidate is shorter; when none is JSON, that is the failure.
    }
  }
  throw new ModelFailure('garbage', 'gave no JSON where JSON was asked for')
}
