import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ChatMessage, ChatUsage } from '../chat-model.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'

/** What the provider counted, and an estimate of what it did not say. */
export function toUsage(
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
