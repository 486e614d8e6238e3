import { resolve } from 'node:path'
import type { ParsedSetting } from './setting.ts'

/** A model as named in a setting. */
export type ModelSetting<Provider extends string = string> = {
  readonly provider: Provider
  /** The provider's name of the model; an absolute path for `onnx`. */
  readonly model: string
  /** Context size in tokens from the setting, else `null`. */
  readonly contextTokens: number | null
}

/**
 * `@32k` or `@1m` at the end. A number without a letter belongs to the name: some providers use
 * suffixes like `@20260301`.
 */
const CONTEXT = /@(\d{1,5})(k|m)$/i
const TOKENS = { k: 1024, m: 1024 * 1024 } as const

/**
 * A parser of a word of `words`, or of `<provider>:<model>` with a provider of `providers`:
 * `openai:gpt-4.1-mini`, `openai-compatible:qwen3:8b@32k`, `onnx:./models/mini`. The model may
 * contain colons; a final `@32k` is the context size in tokens.
 */
export function modelOr<const Word extends string, const Provider extends string>(
  words: readonly Word[],
  providers: readonly Provider[],
): (text: string) => ParsedSetting<Word | ModelSetting<Provider>> {
  const forms = [
    ...words.map((word) => JSON.stringify(word)),
    ...providers.map((name) => `${name}:${name === 'onnx' ? '<folder>' : '<model>'}`),
  ]
  const problem = `must be ${words.length === 0 ? 'one of ' : ''}${forms.join(', ')}`
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return { value: word }
    const value = readModel(text, providers)
    return value === null ? { problem } : { value }
  }
}

function readModel<Provider extends string>(
  text: string,
  providers: readonly Provider[],
): ModelSetting<Provider> | null {
  const colon = text.indexOf(':')
  const provider = providers.find((name) => name === text.slice(0, colon))
  const written = text.slice(colon + 1).trim()
  if (colon === -1 || provider === undefined || written === '' || written.includes('\0')) return null
  if (provider === 'onnx') return { provider, model: resolve(written), contextTokens: null }
  const [tail = '', count = '', letter = ''] = CONTEXT.exec(written) ?? []
  const model = written.slice(0, written.length - tail.length)
  if (model === '' || /\s|\p{Cc}/u.test(model)) return null
  const contextTokens = tail === '' ? null : Number(count) * TOKENS[letter.toLowerCase() === 'k' ? 'k' : 'm']
  return contextTokens === 0 ? null : { provider, model, contextTokens }
}

/** Endpoints and keys of models, from the providers' own variables; `null` if unset. */
export type ModelAccess = {
  readonly openai: { readonly baseUrl: string | null; readonly apiKey: string | null }
  readonly anthropic: { readonly apiKey: string | null }
  readonly google: { readonly apiKey: string | null }
}

/** Address of a model's endpoint, see {@link addressSuchAs}. */
export const parseBaseUrl = addressSuchAs('http://127.0.0.1:11434/v1')

/**
 * A parser of an address without a trailing slash; unset is `null`. Credentials in the address
 * would reach logs, and are refused. `example` is part of the error message.
 */
export function addressSuchAs(example: string): (text: string) => ParsedSetting<string | null> {
  return (text) => {
    if (text === '') return { value: null }
    const url = URL.parse(text)
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    if (isPlain && url.search === '') return { value: url.href.replace(/[/#]+$/, '') }
    return { problem: `must be an http or https address without a user, a password and a query, such as ${example}` }
  }
}

/** A missing setting that the model needs, as a sentence; `null` if complete. */
export function missingAccess(setting: string, model: ModelSetting, access: ModelAccess): string | null {
  const { provider } = model
  const named = `${setting} names a model of ${provider}, for which`
  if (provider === 'openai-compatible' && access.openai.baseUrl === null)
    return `${named} OPENAI_BASE_URL must say where it answers.`
  // A custom endpoint may need no key; OpenAI always does.
  if (provider === 'openai' && access.openai.baseUrl === null && access.openai.apiKey === null)
    return `${named} OPENAI_API_KEY must be set, or OPENAI_BASE_URL where it is another endpoint than OpenAI's.`
  if (provider === 'anthropic' && access.anthropic.apiKey === null) return `${named} ANTHROPIC_API_KEY must be set.`
  if (provider === 'google' && access.google.apiKey === null)
    return `${named} GOOGLE_GENERATIVE_AI_API_KEY must be set.`
  return null
}

/** Providers of language and vision models. */
const CHAT_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
/** Models of these providers, for documentation. */
export const CHAT_MODELS = CHAT_PROVIDERS.map((name) => `\`${name}:<model>\``).join(', ')
/** Parses the name of a language or vision model. */
export const parseChatModel = modelOr([], CHAT_PROVIDERS)
/** The same, or `embedded`. */
export const parseOcrEngine = modelOr(['embedded'], CHAT_PROVIDERS)
