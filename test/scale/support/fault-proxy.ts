/**
 * A TCP proxy on loopback between the service and a server, with faults of networks and servers. A
 * fault also affects open connections.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The current behaviour of the proxy. */
export type Fault =
  | { kind: 'pass' }
  /** Closes connections immediately. */
  | { kind: 'refuse' }
  /** Keeps connections open and passes nothing. */
  | { kind: 'blackhole' }
  /** One connection is reset when so many bytes have gone to the server; then everything passes. */
  | { kind: 'reset'; afterBytes: number }
  /**
   * The next matching request reaches the server, and its connection is reset before the response;
   * later traffic passes.
   */
  | { kind: 'lose-reply'; to: RegExp }
  /** Everything takes so much longer, each way. */
  | { kind: 'slow'; delayMs: number }
  /** Every request is answered with 503 and an empty body. */
  | { kind: 'unavailable' }

/** A running proxy. */
export type FaultProxy = {
  url: string
  port: number
  /** Changes the behaviour. */
  set(fault: Fault): void
  /** Forwarded HTTP requests, and bytes in both directions, since the start. */
  counts(): { requests: number; sentBytes: number; receivedBytes: number }
  close(): Promise<void>
}

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
const REQUEST = /^(?:GET|HEAD|PUT|POST|DELETE) \S+ HTTP\/1\.1\r\n/

/** Starts a proxy to a loopback port; initially all traffic passes. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: Fault = { kind: 'pass' }
  const counts = { requests: 0, sentBytes: 0, receivedBytes: 0 }
  const clients = new Set<Socket>()
  /** Connections whose response will be lost. */
  const losing = new Set<Socket>()

  /** False when the piece goes no further. */
  function admit(client: Socket, piece: Buffer): boolean {
    if (fault.kind === 'refuse') client.resetAndDestroy()
    else if (fault.kind === 'unavailable') client.end(UNAVAILABLE)
    else if (fault.kind === 'reset') {
      const afterBytes = fault.afterBytes - piece.length
      fault = afterBytes > 0 ? { kind: 'reset', afterBytes } : { kind: 'pass' }
      if (afterBytes > 0) return true
      client.resetAndDestroy()
    } else if (fault.kind === 'lose-reply') {
      if (fault.to.test(piece.toString('latin1'))) {
        losing.add(client)
        fault = { kind: 'pass' }
      }
      return true
    } else return fault.kind !== 'blackhole'
    return false
  }

  function pass(from: Socket, to: Socket, piece: Buffer): void {
    if (to.destroyed) return
    if (!to.write(piece)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
  }

  const server = createServer((client) => {
    if (fault.kind === 'refuse') return void client.resetAndDestroy()
    clients.add(client)
    const upstream = connect(targetPort, '127.0.0.1')
    client.on('data', (piece: Buffer) => {
      if (!admit(client, piece)) return
      counts.sentBytes += piece.length
      if (REQUEST.test(piece.toString('latin1', 0, 4096))) counts.requests += 1
      later(fault, () => pass(client, upstream, piece))
    })
    upstream.on('data', (piece: Buffer) => {
      if (fault.kind === 'blackhole') return
      if (losing.delete(client)) return void client.resetAndDestroy()
      counts.receivedBytes += piece.length
      later(fault, () => pass(upstream, client, piece))
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      // Both sides handle the end of a connection.
      socket.on('error', () => undefined)
      socket.on('close', () => void other.destroy())
    }
    client.on('close', () => clients.delete(client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    set(next) {
      fault = next
      if (next.kind === 'refuse') for (const client of clients) client.resetAndDestroy()
    },
    counts: () => ({ ...counts }),
    async close() {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function later(fault: Fault, pass: () => void): void {
  if (fault.kind === 'slow') setTimeout(pass, fault.delayMs)
  else pass()
}
