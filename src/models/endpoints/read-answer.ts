import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { JsonSchema } from '../chat-model.ts'
import type { Deadline } from './deadline.ts'
import { ModelFailure } from './model-failure.ts'

/** A piece of text, or the end with the provider's counts. */
export type StreamPiece =
  | { type: 'text'; text: string }
  | { type: 'end'; counted: LanguageModelV4Usage | undefined; isCut: boolean }

/** Options for reading a stream. */
type ReadStreamOptions = { deadline: Deadline; gapMs: number; maxCharacters: number }

/**
 * Yields the texts of a stream without thinking, then the end. Stops after `maxCharacters`. Throws
 * an error contained in the stream, and {@link ModelFailure} if the stream breaks off or stays
 * silent. Leaving the loop closes the stream.
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
    // The time limit excludes the reader's time, since a reader may be slow.
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

/** Throws if the answer is unusable: broken off, filtered before the first word, or empty. */
export function requireFinish(reason: LanguageModelV4FinishReason | undefined, characters: number): void {
  const why = reason?.unified
  if (why === undefined || why === 'error' || why === 'interrupted')
    throw new ModelFailure('garbage', 'broke off in the middle of the answer')
  if (characters > 0) return
  if (why === 'content-filter') throw new ModelFailure('garbage', 'refused to answer (content filter)')
  if (why === 'length') throw new ModelFailure('garbage', 'used up its tokens before the first word')
  throw new ModelFailure('garbage', 'gave an empty answer')
}

/** True if the answer was cut off. */
export function isCutBy(reason: LanguageModelV4FinishReason | undefined): boolean {
  return reason?.unified === 'length' || reason?.unified === 'content-filter'
}

/** Removes thinking from the start of an answer, piece by piece. */
type ThinkingFilter = {
  /** Returns the text known to be answer so far and not yet returned; often empty at first. */
  push(piece: string): string
  /** Returns the withheld text if it turns out to be answer. */
  end(): string
}

const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * Some servers of open models leave `<think>…</think>` at the start of the answer. Surrounding
 * white space is removed, too. Unclosed thinking means that there is no answer.
 */
export function createThinkingFilter(): ThinkingFilter {
  let held = ''
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'

  /**
   * Advances as far as the buffered pieces allow. Keeps only what the next step needs, since
   * thinking can be long.
   */
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

/** Extracts the value from an answer that should be JSON. */
type ObjectReader = (text: string) => unknown

const FENCE = /^```[a-z]*\s*\n([\s\S]*?)\n?```\s*$/i

/**
 * Creates a reader of answers that match a schema. Models prompted only in words wrap JSON in a
 * fence or a sentence, which is removed. The reader throws {@link ModelFailure} of kind `garbage`
 * for anything else, with the place in the schema but never the value.
 */
export async function createObjectReader(schema: JsonSchema): Promise<ObjectReader> {
  // Loaded on demand: 20 MB that an installation without a model does not pay.
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
      // Try the next, shorter candidate; without JSON in any, the last failure is thrown.
    }
  }
  throw new ModelFailure('garbage', 'gave no JSON where JSON was asked for')
}
