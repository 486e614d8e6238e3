import type { ChatProvider } from './model-name.ts'

/** Where a model answers, and with which key. */
export type ModelEndpoint = {
  /** Without the path of a call: `http://127.0.0.1:11434/v1`. */
  baseUrl: string
  /** `null` where none is asked for, as with models on one's own machine. */
  apiKey: string | null
}

/** Where each provider answers when no setting says otherwise; `openai-compatible` always has to say. */
export const DEFAULT_BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': null,
} as const satisfies Record<ChatProvider, string | null>
