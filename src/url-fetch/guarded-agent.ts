import {
  type ClientRequest,
  type ClientRequestArgs,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import { anySignal } from '../concurrency/wait.ts'
import { fetchFailed } from './url-failure.ts'
import type { AdmittedAddress, UrlGuard } from './url-guard.ts'

/** Agents for `node:http` and `node:https` that check every connection with the guard. */
type GuardedAgents = { readonly http: HttpAgent; readonly https: HttpsAgent }

/** Opens agents that connect only to allowed addresses, until the signal fires. */
export type OpenAgents = (signal: AbortSignal) => Promise<GuardedAgents>

/** Dependencies and limits of guarded agents. */
type GuardedAgentDeps = {
  guard: Pick<UrlGuard, 'requireAddresses'>
  /** For DNS lookup, connection and TLS handshake together. */
  connectMs: number
  /** PEM certificates trusted in addition to Node's root certificates. */
  extraRoots?: readonly string[]
  /**
   * Cancels connecting. Node does not pass a request's signal to its agent, so create agents per
   * task.
   */
  signal?: AbortSignal
}

type Target = { host: string; port: number; secure: boolean }

/**
 * Creates agents that resolve hosts themselves, check every address, and connect only to checked
 * addresses. Each request has its own connection, and proxy variables are ignored.
 *
 * TLS is always verified against the host name, regardless of the environment. Requests fail with
 * the guard's error, `url_fetch_failed`, or Node's error.
 */
export function createGuardedAgents(deps: GuardedAgentDeps): GuardedAgents {
  const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) }
  agents.http.createConnection = connectWith(deps, false)
  agents.https.createConnection = connectWith(deps, true)
  return agents
}

function connectWith(deps: GuardedAgentDeps, secure: boolean): HttpAgent['createConnection'] {
  return ({ host, port }: ClientRequestArgs, callback) => {
    openConnection({ host: host ?? '', port: Number(port), secure }, deps).then(
      (socket) => callback?.(null, socket),
      // Node's type requires a stream, but Node ignores it on error.
      callback as (error: unknown) => void,
    )
    return undefined
  }
}

async function openConnection(target: Target, deps: GuardedAgentDeps): Promise<Socket> {
  const { guard, connectMs, extraRoots } = deps
  const late = AbortSignal.timeout(connectMs)
  const signal = anySignal(deps.signal, late)
  try {
    const addresses = await rejectOnAbort(guard.requireAddresses(target.host, target.port), signal)
    if (addresses.length === 0) throw fetchFailed('its host was not found')
    const plain = await openPlain(target, addresses, signal)
    return target.secure ? await openSecure(plain, { host: target.host, extraRoots, signal }) : plain
  } catch (error) {
    if (signal.reason !== late.reason || !late.aborted) throw error
    throw fetchFailed(`the connection timed out after ${connectMs / 1000} seconds`)
  }
}

/** Node tries the addresses in turn without another lookup. */
function openPlain(
  { host, port }: Target,
  addresses: readonly AdmittedAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connectTcp({
    host,
    port,
    lookup: (_host, _options, callback) => callback(null, [...addresses]),
    autoSelectFamily: true,
  })
  return whenOpen(socket, 'connect', signal)
}

function openSecure(
  socket: Socket,
  { host, extraRoots, signal }: { host: string; extraRoots: readonly string[] | undefined; signal: AbortSignal },
): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(extraRoots === undefined ? {} : { ca: [...rootCertificates, ...extraRoots] }),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  })
  return whenOpen(secured, 'secureConnect', signal)
}

/** Resolves to the socket once open; destroys it on failure or abort. */
function whenOpen<Opening extends Socket>(socket: Opening, event: string, signal: AbortSignal): Promise<Opening> {
  const { promise, resolve, reject } = Promise.withResolvers<Opening>()
  const abort = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  socket.once(event, () => resolve(socket))
  // The listeners stay attached: an unhandled error of a socket would end the process.
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the connection was closed before it was open')))
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

/**
 * Returns the promise's outcome, or the signal's reason if aborted first. DNS lookups cannot be
 * cancelled.
 */
function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Maximum size of response headers. Equals Node's default, which the environment can change. */
const MAX_HEADER_BYTES = 16 * 1024
/** All request headers. No version, Referer, cookies or data of the caller. */
const HEADERS = { 'user-agent': 'Recollect', accept: '*/*', 'accept-encoding': 'identity' } as const

/** Headers and body of a POST. */
export type PostRequest = { headers: Readonly<Record<string, string>>; body: Buffer }

/** Options of a request; a GET unless `posted` is set. */
type RequestOptions = {
  connection: Omit<GuardedAgentDeps, 'signal'>
  headersMs: number
  signal: AbortSignal
  posted?: PostRequest
  /** Conditions of a GET. */
  conditions?: Readonly<Record<string, string>>
}

/**
 * Sends a request without following redirects. Resolves when the headers have arrived; the caller
 * reads or destroys the body.
 *
 * Rejects with `url_fetch_failed`, Node's errors, the guard's errors, or the signal's reason.
 */
export function requestOnce(
  url: URL,
  { connection, headersMs, signal, posted, conditions }: RequestOptions,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const agents = createGuardedAgents({ ...connection, signal })
  const sent = posted === undefined ? {} : { method: 'POST', headers: { ...HEADERS, ...posted.headers } }
  const options = {
    headers: { ...HEADERS, ...conditions },
    ...sent,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  }
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http })
  request.on('response', resolve)
  // Stays for the life of the request: a later error also reaches the reader of the body.
  request.on('error', (error) => reject(signal.aborted ? signal.reason : error))
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    reject(fetchFailed('the server answered 101'))
  })
  request.on('close', () => reject(fetchFailed('the connection was closed early')))
  limitHeaderWait(request, headersMs)
  request.end(posted?.body)
  return promise
}

/** Limits the time from connection to the end of the headers. Connecting has a separate limit. */
function limitHeaderWait(request: ClientRequest, headersMs: number): void {
  request.on('socket', () => {
    const timer = setTimeout(() => {
      request.destroy(fetchFailed(`the server did not answer within ${headersMs / 1000} seconds`))
    }, headersMs)
    for (const event of ['response', 'close'] as const) request.on(event, () => clearTimeout(timer))
  })
}
