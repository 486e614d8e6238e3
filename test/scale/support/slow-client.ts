import { connect, type Socket } from 'node:net'

/** A slow connection. */
export type SlowClient = {
  socket: Socket
  /** Resolves when the other side ends the connection, with `performance.now()`. */
  ended: Promise<number>
  isOpen(): boolean
  /** The beginning of the received data. */
  received(): string
}

/** The behaviour of a slow client: first data, then single bytes. */
export type Slowness = { first?: string | Buffer; drips?: string; pauseMs?: number; reads?: boolean }

/** The kept part of the received data. */
const KEPT_CHARACTERS = 2000

/**
 * Opens a slow connection to a loopback port. The connection stays open until the other side ends
 * it or `socket.destroy()`.
 */
export async function openSlowClient(port: number, slowness: Slowness = {}): Promise<SlowClient> {
  const { first, drips = '', pauseMs = 1000, reads = true } = slowness
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // A client that does not read learns about the end only from failed writes, if at all.
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
