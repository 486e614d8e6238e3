import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createGuardedAgents, type GuardedAgentParts } from './guarded-agent.ts'
import { fetchFailed } from './url-failure.ts'

/** Headers of an answer, in bytes; Node's own default, said because the environment can change that. */
const MAX_HEADER_BYTES = 16 * 1024
/** All that is said of us and of what is wanted. No version, no Referer, no cookies, nothing of the caller's. */
const HEADERS = { 'user-agent': 'Recollect', accept: '*/*', 'accept-encoding': 'identity' } as const

/** What a POST carries. */
export type Posted = { headers: Readonly<Record<string, string>>; body: Buffer }

/** How a request is made; a GET unless something is `posted`. */
export type OneRequest = {
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
