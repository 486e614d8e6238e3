import { connect, type Socket } from 'node:net'

/** An answer from the wire. `body` is decoded from chunks. */
export type RawAnswer = { status: number; headers: Map<string, string>; body: Buffer }

/** A request, byte for byte. */
export type Sending = {
  bytes: Buffer
  /** Ends the client's side after the bytes, as an interrupted client does. */
  halfClose: boolean
  /** The answer to HEAD has a length and no body. */
  isHead: boolean
  /** The connection is in a known state after the answer and may be used again. */
  isReusable: boolean
}

const EMPTY = Buffer.alloc(0)

/**
 * Sends raw bytes and reads one answer, reusing connections where safe. `send` rejects without a
 * complete answer in time, or when the connection ends early.
 */
export function createRawClient({ port, timeoutMs }: { port: number; timeoutMs: number }) {
  const idle: Socket[] = []

  function open(): Socket {
    const kept = idle.pop()
    if (kept !== undefined && !kept.destroyed && kept.writable) return kept
    // The next use notices an error between two uses.
    return connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
  }

  function send(sending: Sending): Promise<RawAnswer> {
    const socket = open()
    const wasUsed = socket.bytesWritten > 0
    return exchange(socket, sending, timeoutMs).then(
      (answer) => {
        const isKept = sending.isReusable && answer.headers.get('connection') !== 'close'
        if (isKept) idle.push(socket)
        else socket.destroy()
        return answer
      },
      (error: unknown) => {
        socket.destroy()
        // The server may close a kept connection at the moment of reuse, so the request never
        // arrived.
        if (wasUsed && error instanceof Unanswered && error.received === 0) return send(sending)
        throw error
      },
    )
  }

  return {
    send,
    close(): void {
      for (const socket of idle.splice(0)) socket.destroy()
    },
  }
}

/** The connection ended without a complete answer, after `received` bytes. */
export class Unanswered extends Error {
  readonly received: number

  constructor(message: string, received: Buffer) {
    super(`${message} after ${received.length} bytes: ${received.toString('latin1').slice(0, 500)}`)
    const isInterim = received.toString('latin1') === 'HTTP/1.1 100 Continue\r\n\r\n'
    this.received = isInterim ? 0 : received.length
  }
}

function exchange(socket: Socket, { bytes, halfClose, isHead }: Sending, timeoutMs: number): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = EMPTY
    const finish = (act: () => void) => {
      clearTimeout(timer)
      socket.off('data', take).off('end', end).off('close', end).off('error', fail)
      act()
    }
    const read = (isOver: boolean) => {
      const answer = readAnswer(received, { isHead, isOver })
      if (answer !== null) finish(() => resolve(answer))
      else if (isOver) finish(() => reject(new Unanswered('the connection ended without a whole answer', received)))
    }
    const take = (piece: Buffer) => {
      received = Buffer.concat([received, piece])
      read(false)
    }
    const end = () => read(true)
    const fail = (error: Error) => {
      const answer = readAnswer(received, { isHead, isOver: true })
      if (answer !== null) finish(() => resolve(answer))
      else finish(() => reject(new Unanswered(error.message, received)))
    }
    const timer = setTimeout(
      () => finish(() => reject(new Error(`no whole answer within ${timeoutMs} ms: ${received.toString('latin1')}`))),
      timeoutMs,
    )
    socket.on('data', take).on('end', end).on('close', end).on('error', fail)
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** The first final answer in the received data; `null` while incomplete. */
function readAnswer(received: Buffer, { isHead, isOver }: { isHead: boolean; isOver: boolean }): RawAnswer | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  const rest = received.subarray(headEnd + 4)
  if (status === 100) return readAnswer(rest, { isHead, isOver })
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = isHead || status === 204 || status === 304 ? EMPTY : readBody(rest, headers, isOver)
  return body === null ? null : { status, headers, body }
}

function readBody(rest: Buffer, headers: Map<string, string>, isOver: boolean): Buffer | null {
  const length = headers.get('content-length')
  if (length !== undefined) return rest.length < Number(length) ? null : rest.subarray(0, Number(length))
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest)
  return isOver ? rest : null
}

function readChunks(rest: Buffer): Buffer | null {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const length = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + length
    if (end + 2 > rest.length) return null
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(rest.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
