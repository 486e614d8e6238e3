import { ModelFailure } from './model-failure.ts'

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
