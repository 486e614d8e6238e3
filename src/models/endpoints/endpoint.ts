import { anySignal } from '../../concurrency/wait.ts'
import { describeFailure, ModelFailure, modelFailed } from './model-failure.ts'
import type { ChatProvider } from './model-name.ts'

/** Address and key of a model. */
export type ModelEndpoint = {
  /** Without the path of a call: `http://127.0.0.1:11434/v1`. */
  baseUrl: string
  /** `null` without a key, as for local models. */
  apiKey: string | null
}

/** Default address of each provider; `openai-compatible` has none. */
export const DEFAULT_BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': null,
} as const satisfies Record<ChatProvider, string | null>

/** Larger than any real answer: 128,000 tokens as server-sent events take about 30 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/**
 * A `fetch` for model endpoints. It stops reading endless answers, and follows no redirects, which
 * would send key and prompt to another host.
 */
export function createLimitedFetch(maxBytes: number = MAX_ANSWER_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { status, statusText, headers } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      throw new ModelFailure(
        'garbage',
        `answered ${status}, a redirect, which is not followed: its base URL is not the final one`,
      )
    }
    if (response.body === null) return response
    return new Response(response.body.pipeThrough(limitBytes(maxBytes)), { status, statusText, headers })
  }
}

function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) controller.enqueue(chunk)
      else controller.error(new ModelFailure('garbage', `answered with more than ${maxBytes} bytes`))
    },
  })
}

/** A POST of JSON to a model endpoint. */
type JsonPost = { url: string; apiKey: string | null; body: unknown; signal: AbortSignal; fetch: typeof fetch }

/**
 * Returns the JSON of the answer. Throws {@link ModelFailure} if the body is not JSON. For a status
 * of 400 or more, throws an error with the SDK's fields (`statusCode`, `responseHeaders`,
 * `responseBody`). Throws the errors of `fetch`, too.
 */
export async function postJson({ url, apiKey, body, signal, fetch }: JsonPost): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === null || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    signal,
  })
  const text = await response.text()
  if (!response.ok) {
    const responseHeaders = Object.fromEntries(response.headers)
    throw Object.assign(new Error(response.statusText), {
      statusCode: response.status,
      responseHeaders,
      responseBody: text,
    })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ModelFailure('garbage', 'answered with what is no JSON')
  }
}

const PROBE_MS = 5_000
const MAX_LIST_BYTES = 4 * 1024 * 1024
/** The version of Anthropic's protocol, as in its SDK. */
const ANTHROPIC_VERSION = '2023-06-01'

/**
 * Requests the endpoint's list of models, which costs no tokens. Rejects with `model_failed` if the
 * endpoint is unreachable, refuses the key or is broken. Any other answer passes, since some
 * servers have no such list.
 */
export async function probeEndpoint(
  { baseUrl, apiKey }: ModelEndpoint,
  { provider, signal }: { provider: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const late = AbortSignal.timeout(PROBE_MS)
  try {
    const response = await createLimitedFetch(MAX_LIST_BYTES)(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: headersOf(provider, apiKey),
      signal: anySignal(signal, late),
    })
    await response.body?.cancel()
    const { status } = response
    if (status === 401 || status === 403) throw new ModelFailure('status', `refuses the key (${status})`, { status })
    if (status >= 500) throw new ModelFailure('status', `answered ${status}`, { status })
  } catch (error) {
    signal?.throwIfAborted()
    const failure = late.aborted
      ? new ModelFailure('timeout', `did not answer within ${PROBE_MS / 1000} s`)
      : describeFailure(error, { apiKey, prompt: [] })
    throw modelFailed(failure, { who: provider, tries: 1 })
  }
}

function headersOf(provider: string, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION }
  if (provider === 'google') return { 'x-goog-api-key': apiKey }
  return { authorization: `Bearer ${apiKey}` }
}
