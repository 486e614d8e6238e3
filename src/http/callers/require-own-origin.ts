import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../errors.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/** A request as far as it tells who sent it. */
export type OriginFacts = { method: string; headers: IncomingHttpHeaders }

/**
 * Throws `origin_forbidden` unless Host is a name of this machine: a page whose name was turned to this address (DNS rebinding)
 * has its own name there.
 */
export function requireLoopbackHost({ host = '' }: IncomingHttpHeaders): void {
  if (!LOOPBACK.test(URL.parse(`http://${host}`)?.hostname ?? '')) throw new ApiError('origin_forbidden')
}

/**
 * Lets in what no foreign web page sends (Model Context Protocol, "Transports", security warning): requests without Origin, and
 * those of the service's own. Throws `origin_forbidden`. Without a key nothing else tells the owner's programs from a page that
 * the owner's browser has open, and pages send much without Origin, such as images, links and the forms of old browsers. So then Host has
 * to be of this machine, and what else browsers say of a request has to name no other site.
 */
export function requireOwnOrigin({ method, headers }: OriginFacts, { hasKey }: { hasKey: boolean }): void {
  if (!hasKey) requireLoopbackHost(headers)
  const isForeign =
    headers.origin === undefined ? !hasKey && comesFromOtherSite(method, headers) : !isOwn(headers.origin, headers)
  if (isForeign) throw new ApiError('origin_forbidden')
}

function isOwn(url: string, { host = '' }: IncomingHttpHeaders): boolean {
  const asked = URL.parse(url)
  const own = URL.parse(`${asked?.protocol}//${host}`)
  return asked !== null && own !== null && asked.host === own.host
}

/** Browsers since 2020 (Safari since 2023) send Sec-Fetch-Site, to loopback too; older ones Referer, unless the page forbids it. */
function comesFromOtherSite(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (headers.referer !== undefined) return !isOwn(headers.referer, headers)
  // A form that an old browser sends asks for XHTML, as navigations do. Programs do not; Java's asks for HTML by default.
  const isRead = method === 'GET' || method === 'HEAD'
  return !isRead && /\bapplication\/xhtml\+xml\b/i.test(headers.accept ?? '')
}
