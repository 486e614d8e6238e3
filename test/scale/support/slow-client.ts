import { connect, type Socket } from 'node:net'

/** A connection that does nothing quickly. */
export type SlowClient = {
  socket: Socket
  /** When the other side ended it, by `performance.now()`; resolves then. */
  ended: Promise<number>
  isOpen(): boolean
  /** What came, its beginning. */
  received(): string
}

/** How one behaves: what it sends at once, and the bytes it sends one by one after that. */
export type Slowness = { first?: string | Buffer; drips?: string; pauseMs?: number; reads?: boolean }

/** Keeps no more than this of what comes. */
const KEPT_CHARACTERS = 2000

/** Opens a connection to a port of loopback that behaves so. It waits for ever, until the other side ends it or `socket.destroy()`. */
export async function openSlowClient(port: number, slowness: Slowness = {}): Promise<SlowClient> {
  const { first, drips = '', pauseMs = 1000, reads = true } = slowness
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // Who does not read learns of the end by what the system says of its writes, if at all.
  socket.on('error', () => undefined)
  let received = ''
  if (reads) {
    socket.on('data', (piece: Buffer) => {
      if (received.length < KEPT_CHARACTERS) received += piece.toString('latin1')
    })
  } else socket.pause()
  let isOpen = true
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const close = () => {
    isOpen = false
    clearInterval(dripping)
    end(performance.now())
  }
  socket.once('end', close).once('close', close)
  if (first !== undefined) socket.write(first)
  let sent = 0
  const dripping = setInterval(() => {
    if (sent < drips.length) socket.write(drips[sent++] ?? '')
  }, pauseMs)
  return { socket, ended, isOpen: () => isOpen, received: () => received }
}
