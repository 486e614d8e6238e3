import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../errors.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/**
 * Lets in what no foreign web page sends (Model Context Protocol, "Transports", security warning): requests without Origin, and
 * those of the service's own. Where keys are switched off, Host has to be a name of this machine as well: a page whose name was
 * turned to this address has its own name in both headers. Throws `origin_forbidden`.
 */
export function requireOwnOrigin({ origin, host = '' }: IncomingHttpHeaders, { hasKey }: { hasKey: boolean }): void {
  if (!hasKey && !LOOPBACK.test(URL.parse(`http://${host}`)?.hostname ?? '')) throw new ApiError('origin_forbidden')
  if (origin === undefined) return
  const asked = URL.parse(origin)
  const own = URL.parse(`${asked?.protocol}//${host}`)
  if (asked === null || own === null || asked.host !== own.host) throw new ApiError('origin_forbidden')
}
