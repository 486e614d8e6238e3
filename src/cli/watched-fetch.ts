type WatchedFetchOptions = {
  send: typeof fetch
  /** Idempotency-Key of every POST. */
  key: string
  /** Called with the bytes sent so far; `null` if not needed. */
  onSent: ((bytes: number) => void) | null
}

/**
 * A fetch that sends POSTs with a fixed Idempotency-Key, so that another process can resume, and
 * reports upload progress.
 */
export function createWatchedFetch({ send, key, onSent }: WatchedFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    if (init.method !== 'POST') return send(input, init)
    const headers = new Headers(init.headers)
    headers.set('idempotency-key', key)
    if (onSent === null || !(init.body instanceof FormData)) return send(input, { ...init, headers })
    const encoded = new Response(init.body)
    headers.set('content-type', encoded.headers.get('content-type') ?? '')
    const body = encoded.body?.pipeThrough(createCounter(onSent)) ?? null
    // Node requires `duplex` for stream bodies.
    return send(input, { ...init, headers, body, duplex: 'half' } as RequestInit)
  }
}

function createCounter(onSent: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let sent = 0
  return new TransformStream({
    transform(piece, controller) {
      sent += piece.byteLength
      onSent(sent)
      controller.enqueue(piece)
    },
  })
}
