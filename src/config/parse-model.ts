import { resolve } from 'node:path'
import type { Parsed } from './setting.ts'

/** A model as a setting names it. */
export type ModelSetting<Provider extends string = string> = {
  readonly provider: Provider
  /** What the provider calls it; an absolute path where the provider is `onnx`. */
  readonly model: string
  /** Tokens of its context where the setting says so, else `null`. */
  readonly contextTokens: number | null
}

/** `@32k` or `@1m` at the end. A number without a letter belongs to the name: some providers end theirs with `@20260301`. */
const CONTEXT = /@(\d{1,5})(k|m)$/i
const TOKENS = { k: 1024, m: 1024 * 1024 } as const

/**
 * A parser of one of `words`, or of `<provider>:<model>` with one of `providers`: `openai:gpt-4.1-mini`, `openai-compatible:qwen3:8b@32k`,
 * `onnx:./models/mini`. The model may have colons of its own; `@32k` at its end says how many tokens its context has.
 */
export function modelOr<const Word extends string, const Provider extends string>(
  words: readonly Word[],
  providers: readonly Provider[],
): (text: string) => Parsed<Word | ModelSetting<Provider>> {
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
