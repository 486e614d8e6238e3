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

/** Agents for `node:http` and `node:https` whose every connection passes the guard. */
type GuardedAgents = { readonly http: HttpAgent; readonly https: HttpsAgent }

/** How guarded agents are made. */
type GuardedAgentParts = {
  guard: Pick<UrlGuard, 'requireAddresses'>
  /** For look-up, connection and TLS handshake together. */
  connectMs: number
  /** Certificates in PEM that are trusted beside those that Node brings. */
  extraRoots?: readonly string[]
  /** Ends what is connecting. Agents are light: make them for one piece of work, since Node keeps a request's own signal from its agent. */
  signal?: AbortSignal
}

type Target = { host: string; port: number; secure: boolean }

/**
 * Agents that look a host up themselves, have every address judged, and connect to one of those. One connection a
 * request, never through a proxy of the environment. TLS is verified against the name of the URL whatever the environment
 * says. A request fails with what the guard throws, with `url_fetch_failed`, or with Node's own error.
 */
export function createGuardedAgents(parts: GuardedAgentParts): GuardedAgents {
  const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) }
  agents.http.createConnection = connectWith(parts, false)
  agents.https.createConnection = connectWith(parts, true)
  return agents
}

function connectWith(parts: GuardedAgentParts, secure: boolean): HttpAgent['createConnection'] {
  return ({ host, port }: ClientRequestArgs, callback) => {
    openConnection({ host: host ?? '', port: Number(port), secure }, parts).then(
      (socket) => callback?.(null, socket),
      // Node ignores the stream that comes with an error, though its type asks for one.
      callback as (error: unknown) => void,
    )
    return undefined
  }
}

async function openConnection(target: Target, parts: GuardedAgentParts): Promise<Socket> {
  const { guard, connectMs, extraRoots } = parts
  const late = AbortSignal.timeout(connectMs)
  const signal = anySignal(parts.signal, late)
  try {
    const addresses = await unlessAborted(guard.requireAddresses(target.host, target.port), signal)
    if (addresses.length === 0) throw fetchFailed('its host was not found')
    const plain = await openPlain(target, addresses, signal)
    return target.secure ? await openSecure(plain, { host: target.host, extraRoots, signal }) : plain
  } catch (error) {
    if (signal.reason !== late.reason || !late.aborted) throw error
    throw fetchFailed(`no connection came about within ${connectMs / 1000} seconds`)
  }
}

/** Node tries the addresses in turn, as after a look-up of its own, and makes no other look-up. */
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
    // Said although it is the default: NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  })
  return whenOpen(secured, 'secureConnect', signal)
}

/** The socket once it is open; destroyed when it fails or the signal comes first. */
function whenOpen<Opening extends Socket>(socket: Opening, event: string, signal: AbortSignal): Promise<Opening> {
  const { promise, resolve, reject } = Promise.withResolvers<Opening>()
  const abort = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  socket.once(event, () => resolve(socket))
  // These listeners stay: an error of a socket that nobody listens to yet, or any more, would end the process.
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the connection was closed before it was open')))
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

/** The promise's outcome, or the signal's reason when that comes first; a look-up cannot be stopped, only left. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** Headers of an answer, in bytes; Node's own default, said because the environment can change that. */
const MAX_HEADER_BYTES = 16 * 1024
/** All that is said of us and of what is wanted. No version, no Referer, no cookies, nothing of the caller's. */
const HEADERS = { 'user-agent': 'Recollect', accept: '*/*', 'accept-encoding': 'identity' } as const

/** What a POST carries. */
export type Posted = { headers: Readonly<Record<string, string>>; body: Buffer }

/** How a request is made; a GET unless something is `posted`. */
type OneRequest = {
  connection: Omit<GuardedAgentParts, 'signal'>
  headersMs: number
  signal: AbortSignal
  posted?: Posted
}

/**
 * One request, with no redirect followed: the answer with its headers read and its body unread. The reader of the body ends
 * it, or destroys it. Rejects with `url_fetch_failed`, with Node's own errors, with what the guard throws, or with the signal's
 * reason.
 */
export function requestOnce(url: URL, { connection, headersMs, signal, posted }: OneRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const agents = createGuardedAgents({ ...connection, signal })
  const sent = posted === undefined ? {} : { method: 'POST', headers: { ...HEADERS, ...posted.headers } }
  const options = { headers: HEADERS, ...sent, signal, maxHeaderSize: MAX_HEADER_BYTES, insecureHTTPParser: false }
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http })
  request.on('response', resolve)
  // Stays for the life of the request: an error after the answer began reaches the reader of the body as well.
  request.on('error', (error) => reject(signal.aborted ? signal.reason : error))
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    reject(fetchFailed('the server answered 101'))
  })
  request.on('close', () => reject(fetchFailed('the connection ended early')))
  limitWait(request, headersMs)
  request.end(posted?.body)
  return promise
}

/** The time from the moment the connection stands to the end of the headers; connecting has its own limit. */
function limitWait(request: ClientRequest, headersMs: number): void {
  request.on('socket', () => {
    const timer = setTimeout(() => {
      request.destroy(fetchFailed(`the server did not answer within ${headersMs / 1000} seconds`))
    }, headersMs)
    for (const event of ['response', 'close'] as const) request.on(event, () => clearTimeout(timer))
  })
}
