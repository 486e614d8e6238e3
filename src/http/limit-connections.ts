import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../observability/log.ts'
import { addressBlock } from './callers/authenticate.ts'

/** How often the log says that all connections are taken. */
const LOG_PAUSE_MS = 60_000
/** Addresses that it names. */
const ADDRESSES_LOGGED = 5

/** `isBusy`: whether a request is under way on a connection. */
export type ConnectionLimitOptions = {
  maxConnections: number
  isBusy: (socket: Socket) => boolean
  log: Pick<Log, 'warn'>
  nowMs?: () => number
}

/**
 * Keeps a server from having more than `maxConnections`. Beyond, the address with the most connections loses the one that has been without
 * a request for longest, so that one stranger who opens many keeps nobody else out; where all of that address have a request under way, the
 * one with the next most does. Behind a proxy, where all have one address, idle ones make room for new ones. Where each has a request under way, the new connection is closed. The log says who has how many, once a minute.
 */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { maxConnections, isBusy, log, nowMs = () => performance.now() } = options
  /** Of each address, those used longest ago first. */
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
    if (nowMs() - loggedMs < LOG_PAUSE_MS) return
    loggedMs = nowMs()
    const counted = [...connections].map(([address, { size }]) => ({ address, connections: size }))
    const addresses = counted.sort((a, b) => b.connections - a.connections).slice(0, ADDRESSES_LOGGED)
    log.warn({ maxConnections, closed, addresses }, 'All connections are taken; idle ones are closed for new ones.')
    closed = 0
  }

  server.on('connection', (socket: Socket) => {
    const address = addressBlock(socket.remoteAddress ?? 'unknown')
    add(address, socket)
    if (count <= maxConnections) return
    report()
    const idle = chooseIdle() ?? socket
    idle.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage) => {
    const own = connections.get(addressBlock(socket.remoteAddress ?? 'unknown'))
    if (own?.delete(socket)) own.add(socket)
  })
}
