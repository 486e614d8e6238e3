import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** Parts of a request that reveal its origin. */
export type OriginFacts = { method: string; headers: IncomingHttpHeaders }

/**
 * Throws `origin_forbidden` unless Host is a loopback name. After DNS rebinding, a foreign page
 * sends its own name.
 */
export function requireLoopbackHost({ host = '' }: IncomingHttpHeaders): void {
  if (!LOOPBACK.test(URL.parse(`http://${host}`)?.hostname ?? '')) throw new ApiError('origin_forbidden')
}

/**
 * Rejects requests of foreign web pages with `origin_forbidden` (Model Context Protocol,
 * "Transports", security warning). Requests without Origin and of the same origin pass.
 *
 * Without authentication, only the origin distinguishes local programs from a foreign page in the
 * browser. Pages send many requests without Origin, such as images, links and forms of old
 * browsers. So Host must be a loopback name, and no other header may name a foreign site.
 */
export function requireSameOrigin({ method, headers }: OriginFacts, { hasKey }: { hasKey: boolean }): void {
  if (!hasKey) requireLoopbackHost(headers)
  const isForeign =
    headers.origin === undefined
      ? !hasKey && comesFromOtherSite(method, headers)
      : !isSameOrigin(headers.origin, headers)
  if (isForeign) throw new ApiError('origin_forbidden')
}

/**
 * Rejects requests with a session from pages outside of the console, with `origin_forbidden`. A
 * browser sends the cookie also for foreign pages. Browsers name the origin of changes; without
 * Origin and Sec-Fetch-Site, only reads pass.
 */
export function requireOwnPage({ method, headers }: OriginFacts, publicUrl: string): void {
  const isRead = method === 'GET' || method === 'HEAD'
  const site = headers['sec-fetch-site']
  const isOwn =
    headers.origin === undefined
      ? site === 'same-origin' || (isRead && (site === undefined || site === 'none'))
      : headers.origin === publicUrl
  if (!isOwn)
    throw new ApiError('origin_forbidden', { remedy: `Open the console at ${publicUrl}, or send an API key.` })
}

function isSameOrigin(url: string, { host = '' }: IncomingHttpHeaders): boolean {
  const asked = URL.parse(url)
  const own = URL.parse(`${asked?.protocol}//${host}`)
  return asked !== null && own !== null && asked.host === own.host
}

/**
 * Browsers since 2020 (Safari since 2023) send Sec-Fetch-Site, also to loopback. Older browsers
 * send Referer, unless the page forbids it.
 */
function comesFromOtherSite(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (headers.referer !== undefined) return !isSameOrigin(headers.referer, headers)
  // Forms of old browsers accept XHTML, like navigations. Programs do not; Java accepts HTML by
  // default.
  const isRead = method === 'GET' || method === 'HEAD'
  return !isRead && /\bapplication\/xhtml\+xml\b/i.test(headers.accept ?? '')
}

/** Request headers of the API that pages may send. Browsers always allow simple ones. */
const REQUEST_HEADERS = 'Authorization, X-API-Key, Content-Type, Idempotency-Key, Last-Event-ID, Range'
/** Response headers that pages may read, beside simple ones. */
const RESPONSE_HEADERS =
  'Location, Retry-After, X-Request-Id, Content-Disposition, Content-Range, RateLimit, RateLimit-Policy'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Browsers ask again after this time; Chromium after two hours at the latest. */
const MAX_AGE_SECONDS = 600

/**
 * Lets web pages of some origins call the API with a key (Fetch standard, "CORS protocol").
 * Credentials of browsers, such as cookies, are never accepted. Without origins, no header is sent.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async ({ headers, method }, reply) => {
    // Caches must not give the answer for one origin to another one.
    reply.header('vary', 'Origin')
    const { origin } = headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', RESPONSE_HEADERS)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return
    reply.header('access-control-allow-methods', METHODS)
    // Clients add further headers, such as X-Stainless-OS of OpenAI's.
    reply.header('access-control-allow-headers', headers['access-control-request-headers'] ?? REQUEST_HEADERS)
    reply.header('access-control-max-age', String(MAX_AGE_SECONDS))
  })
}
