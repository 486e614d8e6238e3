/**
 * A load balancer on loopback, like HAProxy with deploy/haproxy.cfg: new connections go in turn to
 * processes that report ready. Open connections stay with their process until either side closes.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A running balancer. */
export type Balancer = {
  url: string
  /** The number of connections without a ready process, or refused by their process. */
  refused(): number
  /** The number of processes that refused connections before reporting not ready. */
  vanished(): number
  close(): Promise<void>
}

/** Between two looks at a process; HAProxy's, there, is a second. */
const LOOK_MS = 250
const LOOK_TIMEOUT_MS = 2000

/** Starts a balancer for processes whose addresses may change with every start. */
export async function startBalancer(addresses: () => readonly string[]): Promise<Balancer> {
  const ready = new Set<string>()
  const sockets = new Set<Socket>()
  let turn = 0
  let refused = 0
  let vanished = 0

  async function look(): Promise<void> {
    const known = addresses()
    for (const address of ready) if (!known.includes(address)) ready.delete(address)
    await Promise.all(
      known.map(async (address) => {
        const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS)
        const isReady = await fetch(`${address}/health/ready`, { signal }).then(
          async (answer) => {
            await answer.arrayBuffer()
            return answer.ok
          },
          () => {
            // A slow process, as on a busy machine, still exists.
            if (ready.has(address) && !signal.aborted) vanished += 1
            return false
          },
        )
        if (isReady) ready.add(address)
        else ready.delete(address)
      }),
    )
  }

  function passOn(client: Socket, tries: number): void {
    const choices = [...ready]
    const address = choices[turn++ % Math.max(1, choices.length)]
    if (address === undefined || tries === 0) {
      refused += 1
      return void client.resetAndDestroy()
    }
    const upstream = connect(Number(new URL(address).port), '127.0.0.1')
    upstream.once('error', () => {
      // Nothing was sent, so another process may take the connection.
      if (upstream.bytesWritten === 0 && upstream.bytesRead === 0 && !client.destroyed) passOn(client, tries - 1)
    })
    upstream.once('connect', () => join(client, upstream))
  }

  function join(client: Socket, upstream: Socket): void {
    client.pipe(upstream).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined)
      socket.once('close', () => other.destroy())
    }
  }

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => undefined)
    client.once('close', () => sockets.delete(client))
    passOn(client, 3)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await look()
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, LOOK_MS)
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    refused: () => refused,
    vanished: () => vanished,
    async close() {
      clearInterval(timer)
      await looking
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
