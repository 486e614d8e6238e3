import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../observability/log.ts'
import { clientNetwork } from './callers/authenticate.ts'

/** Interval of the log message about the connection limit. */
const LOG_INTERVAL_MS = 60_000
/** Number of addresses in the log message. */
const MAX_LOGGED_ADDRESSES = 5

/** `isBusy` returns whether a connection has a running request. */
export type ConnectionLimitOptions = {
  maxConnections: number
  isBusy: (socket: Socket) => boolean
  log: Pick<Log, 'warn'>
  nowMs?: () => number
}

/**
 * Limits a server to `maxConnections`. At the limit, the address with the most connections loses
 * its least recently used idle one. So a single client with many connections cannot lock out
 * others. If all connections of that address are busy, the address with the next most connections
 * loses one. Behind a proxy, where all clients share an address, idle connections make room for new
 * ones. If every connection is busy, the new one is closed. A log message per minute names the
 * addresses with the most connections.
 */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { maxConnections, isBusy, log, nowMs = () => performance.now() } = options
  /** Connections by address, least recently used first. */
  const connections = new Map<string, Set<Socket>>()
  let count = 0
  let closed = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  function add(address: string, socket: Socket): void {
    const own = connections.get(address) ?? new Set()
    connections.set(address, own.add(socket))
    count += 1
    socket.once('close', () => {
      count -= 1
      own.delete(socket)
      if (own.size === 0 && connections.get(address) === own) connections.delete(address)
    })
  }

  function chooseIdle(): Socket | undefined {
    const mostFirst = [...connections.values()].sort((a, b) => b.size - a.size)
    for (const own of mostFirst) for (const socket of own) if (!isBusy(socket) && !socket.destroyed) return socket
    return undefined
  }

  function report(): void {
    closed += 1
    if (nowMs() - loggedMs < LOG_INTERVAL_MS) return
    loggedMs = nowMs()
    const counted = [...connections].map(([address, { size }]) => ({ address, connections: size }))
    const addresses = counted.sort((a, b) => b.connections - a.connections).slice(0, MAX_LOGGED_ADDRESSES)
    log.warn(
      { maxConnections, closed, addresses },
      'connection limit reached: closing idle connections to accept new ones',
    )
    closed = 0
  }

  server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress ?? 'unknown')
    add(address, socket)
    if (count <= maxConnections) return
    report()
    const idle = chooseIdle() ?? socket
    idle.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage) => {
    const own = connections.get(clientNetwork(socket.remoteAddress ?? 'unknown'))
    if (own?.delete(socket)) own.add(socket)
  })
}
