import { ModelFailure } from './model-failure.ts'

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
