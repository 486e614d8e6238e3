import fc from 'fast-check'
import type { Operation } from './api-operations.ts'
import { FRAMINGS, frame, UNFINISHED } from './framings.ts'
import { nearBody } from './near-bodies.ts'
import { credentials, type Header, plainHeaders, strangeHeaders } from './near-headers.ts'
import { nearPath, nearQuery } from './near-paths.ts'
import type { Sending } from './raw-client.ts'
import type { Targets } from './targets.ts'

/** A generated request. */
export type NearRequest = {
  operation: Operation
  sending: Sending
  /** The operation's method and path, in valid HTTP. */
  isProper: boolean
}

const METHODS = [
  'get',
  'PATCH',
  'TRACE',
  'OPTIONS',
  'HEAD',
  'PROPFIND',
  'BREW',
  'POST',
  'PUT',
  'DELETE',
  'GET',
  'QUERY',
  'M-SEARCH',
  'CONNECT',
  'X'.repeat(300),
  'G\0T',
  '',
]

/** Requests close to the operations: most are valid except for one fault. */
export function nearRequest(operations: readonly Operation[], targets: Targets): fc.Arbitrary<NearRequest> {
  const weighed = operations.map((operation) => ({
    arbitrary: requestTo(operation, targets),
    weight: operation.takesUpload ? 6 : operation.body === null ? 1 : 3,
  }))
  return fc.oneof(...weighed)
}

function requestTo(operation: Operation, targets: Targets): fc.Arbitrary<NearRequest> {
  return fc
    .record({
      method: fc.oneof(
        { arbitrary: fc.constant(operation.method), weight: 20 },
        { arbitrary: fc.constantFrom(...METHODS), weight: 1 },
      ),
      path: nearPath(operation, targets),
      query: nearQuery(operation, targets),
      body: nearBody(operation, targets),
      credentials: credentials(targets),
      headers: fc.oneof(
        { arbitrary: fc.constant<Header[]>([]), weight: 3 },
        { arbitrary: plainHeaders(targets), weight: 2 },
      ),
      strange: fc.oneof({ arbitrary: fc.constant<Header[]>([]), weight: 12 }, { arbitrary: strangeHeaders, weight: 1 }),
      host: fc.oneof(
        { arbitrary: fc.constant('Host: 127.0.0.1\r\n'), weight: 100 },
        { arbitrary: fc.constantFrom('', 'Host:\r\n', 'Host: a\r\nHost: b\r\n'), weight: 1 },
      ),
      framing: fc.oneof(
        { arbitrary: fc.constant('length'), weight: 12 },
        { arbitrary: fc.constantFrom(...FRAMINGS), weight: 1 },
      ),
      version: fc.oneof(
        { arbitrary: fc.constant('HTTP/1.1'), weight: 60 },
        { arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', ''), weight: 1 },
      ),
    })
    .map(({ method, path, query, body, credentials: keys, headers, strange, host, framing: drawn, version }) => {
      // A deletion needs no body: the service may execute the request after the client left, unseen
      // by the ledger.
      const framing = UNFINISHED.has(drawn) && /delete/i.test(method) ? 'length' : drawn
      const target = spareFor(method, path.text + query.text, targets)
      const type: Header[] = body.contentType === null ? [] : [['Content-Type', body.contentType]]
      const head = [...keys, ...type, ...headers, ...strange].map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const isClean =
        path.isClean &&
        query.isClean &&
        strange.length === 0 &&
        host === 'Host: 127.0.0.1\r\n' &&
        version === 'HTTP/1.1' &&
        framing === 'length' &&
        /^[A-Z]+$/.test(method)
      const bytes = frame(`${method} ${target} ${version}\r\n${host}${head}`, body.content, framing)
      const sending = { bytes, isHead: method === 'HEAD', halfClose: UNFINISHED.has(framing), isReusable: isClean }
      const isProper = isClean && path.isProper && method === operation.method
      // A failure prints its bytes; the full list of requests would bury the failure.
      return { operation, sending, isProper, [fc.toStringMethod]: () => operation.operationId }
    })
}

/** DELETE uses spare resources, and keeps the resources of later requests. */
function spareFor(method: string, target: string, { ids, spare }: Targets): string {
  if (!/delete/i.test(method)) return target
  return (Object.keys(ids) as (keyof Targets['ids'])[]).reduce((text, name) => {
    const [first = ''] = spare[name]
    return ids[name].reduce((one, id, index) => one.replaceAll(id, spare[name][index] ?? first), text)
  }, target)
}
