import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response for a path of {@link openWebServer}; a body may arrive in pieces, or later. */
export type Page = {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | Iterable<Uint8Array> | Promise<string>
}

/**
 * A web server on a free loopback port. Records every request; unknown paths are 404, and a page
 * whose ETag the client knows is 304.
 */
export async function openWebServer(pages: Readonly<Record<string, Page>>) {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const { status = 200, headers = {}, body = '' } = pages[path] ?? { status: 404 }
    if (headers['etag'] !== undefined && headers['etag'] === request.headers['if-none-match'])
      return void response.writeHead(304, headers).end()
    response.writeHead(status, headers)
    if (typeof body === 'string' || body instanceof Uint8Array) response.end(body)
    else if (body instanceof Promise) void body.then((text) => response.end(text))
    else sendPieces(body)

    function sendPieces(pieces: Iterable<Uint8Array>): void {
      const left = pieces[Symbol.iterator]()
      const send = (): void => {
        for (;;) {
          const { done, value } = left.next()
          if (done === true) return void response.end()
          if (!response.write(value)) return void response.once('drain', send)
        }
      }
      send()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
