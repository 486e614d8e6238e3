import type { ModelSetting } from './parse-model.ts'
import type { Parsed } from './setting.ts'

/** Where models are reached and with which keys, as the providers' own variables say; `null` where nothing is set. */
export type ModelAccess = {
  readonly openai: { readonly baseUrl: string | null; readonly apiKey: string | null }
  readonly anthropic: { readonly apiKey: string | null }
  readonly google: { readonly apiKey: string | null }
}

/** The address of a model's endpoint, as {@link addressSuchAs} takes it. */
export const parseBaseUrl = addressSuchAs('http://127.0.0.1:11434/v1')

/** An address without a slash at its end; nothing set is `null`. Credentials in it would end up in logs. A refusal names the example. */
export function addressSuchAs(example: string): (text: string) => Parsed<string | null> {
  return (text) => {
    if (text === '') return { value: null }
    const url = URL.parse(text)
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    if (isPlain && url.search === '') return { value: url.href.replace(/[/#]+$/, '') }
    return { problem: `must be an http or https address without a user, a password and a query, such as ${example}` }
  }
}

/** What else must be set for the model that a setting names, as a whole sentence; `null` where nothing is missing. */
export function missingAccess(setting: string, model: ModelSetting, access: ModelAccess): string | null {
  const { provider } = model
  const named = `${setting} names a model of ${provider}, for which`
  if (provider === 'openai-compatible' && access.openai.baseUrl === null)
    return `${named} OPENAI_BASE_URL must say where it answers.`
  // An endpoint of one's own may ask for no key; OpenAI itself always does.
  if (provider === 'openai' && access.openai.baseUrl === null && access.openai.apiKey === null)
    return `${named} OPENAI_API_KEY must be set, or OPENAI_BASE_URL where it is another endpoint than OpenAI's.`
  if (provider === 'anthropic' && access.anthropic.apiKey === null) return `${named} ANTHROPIC_API_KEY must be set.`
  if (provider === 'google' && access.google.apiKey === null)
    return `${named} GOOGLE_GENERATIVE_AI_API_KEY must be set.`
  return null
}
