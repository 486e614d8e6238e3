type Watching = {
  send: typeof fetch
  /** The Idempotency-Key of every POST. */
  key: string
  /** Told of the bytes of the body that have gone so far; `null` where nobody asks. */
  onSent: ((bytes: number) => void) | null
}

/** A fetch that sends its POSTs under one key, so that another process may go on with it, and tells how much of an upload has gone. */
export function createWatchedFetch({ send, key, onSent }: Watching): typeof fetch {
  return async (input, init = {}) => {
    if (init.method !== 'POST') return send(input, init)
    const headers = new Headers(init.headers)
    headers.set('idempotency-key', key)
    if (onSent === null || !(init.body instanceof FormData)) return send(input, { ...init, headers })
    const encoded = new Response(init.body)
    headers.set('content-type', encoded.headers.get('content-type') ?? '')
    const body = encoded.body?.pipeThrough(createCounter(onSent)) ?? null
    // Node demands `duplex` for a body that is a stream.
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
