import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A gate in front of a model server: while closed, requests wait. */
export type Gate = {
  url: string
  /** From now on requests wait. */
  shut(): void
  open(): void
  /** Resolves when a request waits. */
  arrived(): Promise<void>
  close(): Promise<void>
}

/** An open gate on loopback, in front of the server with this base URL. */
export async function startGate(baseUrl: string): Promise<Gate> {
  let opened: { promise: Promise<void>; resolve: () => void } | null = null
  let arrival = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (opened !== null) {
      arrival.resolve()
      await opened.promise
    }
    const headers = { 'content-type': 'application/json' }
    const target = new URL(request.url ?? '', baseUrl)
    const answer = await fetch(target, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers)
    response.end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${new URL(baseUrl).pathname}`,
    shut() {
      opened = Promise.withResolvers<void>()
      arrival = Promise.withResolvers<void>()
    },
    open() {
      opened?.resolve()
      opened = null
    },
    arrived: () => arrival.promise,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
