import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Deadline } from './deadline.ts'
import { createThinkingFilter } from './drop-thinking.ts'
import { ModelFailure } from './model-failure.ts'

/** A piece of text, or the end with what the provider counted. */
export type StreamPiece =
  | { type: 'text'; text: string }
  | { type: 'end'; counted: LanguageModelV4Usage | undefined; isCut: boolean }

/** How a stream is read. */
export type ReadStreamOptions = { deadline: Deadline; gapMs: number; maxCharacters: number }

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
