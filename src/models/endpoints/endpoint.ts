import { ModelFailure } from './model-failure.ts'
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

/** No honest answer of a model is larger: 128,000 tokens as server-sent events are about 30 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/**
 * `fetch` for endpoints of models: an answer that does not end is broken off, and no redirect is followed, since it would carry key and prompt
 * to another host.
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

/** A POST of JSON to an endpoint of a model. */
export type JsonPost = { url: string; apiKey: string | null; body: unknown; signal: AbortSignal; fetch: typeof fetch }

/**
 * The JSON of the answer. Throws {@link ModelFailure} where there is none, an error with the fields that the SDK's have (`statusCode`,
 * `responseHeaders`, `responseBody`) for an answer of 400 and more, and what `fetch` throws.
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
