import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span in OTLP's JSON, with attributes as an object. */
export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  status: { code?: number }
  facts: Record<string, unknown>
}

type Attribute = { key: string; value: Record<string, unknown> }
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'facts'> & { attributes: Attribute[] })[] }[]
  }[]
}

/** A collector of OpenTelemetry on a free port of loopback. */
export async function openCollector() {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    requests.push({ path, headers, body: await text(request) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const resources = () => requests.flatMap(({ body }) => (JSON.parse(body) as Body).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** All received data as text. */
    everything: () => requests.map(({ body }) => body).join('\n'),
    serviceNames: () => resources().map(({ resource }) => factsOf(resource.attributes)['service.name']),
    spans: (): CollectedSpan[] =>
      resources()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ attributes, ...span }) => ({ ...span, facts: factsOf(attributes) })),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function factsOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
