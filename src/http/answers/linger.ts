import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long the rest of a refused body is read and thrown away, in all and without a byte (nginx: lingering_time, lingering_timeout). */
const LINGER_MS = 30_000
const LINGER_IDLE_MS = 5000

/**
 * Sees to a connection whose answer goes out before the whole body came in. Closed at once, it would take the answer
 * from a sender who still writes, so the rest is read and thrown away for a while; not after a time-out, when nothing
 * is coming, and not while the server closes.
 */
export function lingerAfter(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void {
  response.once('finish', () => {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    // Node forgets a request when its answer is out: without this whoever still reads the body would never hear of the end.
    onceOver(request, () => {
      if (socket.destroyed) request.destroy()
    })
    if (response.statusCode === 504 || closing.aborted) socket.destroySoon()
    else drain(request, closing)
  })
}

function drain(request: IncomingMessage, closing: AbortSignal): void {
  const { socket } = request
  const end = () => socket.destroy()
  const total = setTimeout(end, LINGER_MS)
  const idle = setTimeout(end, LINGER_IDLE_MS)
  const settle = () => {
    clearTimeout(total)
    clearTimeout(idle)
    closing.removeEventListener('abort', end)
  }
  closing.addEventListener('abort', end)
  onceOver(request, settle)
  request.unpipe()
  // Whoever read before may have paused it, and a listener alone does not undo that.
  request.on('data', () => idle.refresh()).resume()
}

/** Acts once, when the body has come or the connection has ended. Nothing stays on a connection, which lives on for many requests. */
function onceOver(request: IncomingMessage, act: () => void): void {
  const { socket } = request
  const over = () => {
    socket.off('close', over)
    request.off('end', over)
    act()
  }
  socket.once('close', over)
  request.once('end', over)
}
