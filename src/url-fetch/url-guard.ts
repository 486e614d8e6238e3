/**
 * What stands between a URL that a caller names and the network this service stands in. A URL is judged twice: as text,
 * before anything is looked up, and at every connection, when its name is looked up once and the connection is made to
 * what was judged then. So a name that changes its answer between two look-ups gains nothing.
 */
import { findAddressRule } from './address-rules.ts'
import { type IpAddress, parseIpAddress } from './ip-address.ts'
import { createOpenings, type Openings, type PrivateOpening } from './openings.ts'
import { type ReadUrl, readUrl } from './read-url.ts'
import { type UrlFailure, urlNotAllowed } from './url-failure.ts'

/** All addresses of a name, as text; empty or a rejection when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** An address that was judged and may be connected to. */
export type AdmittedAddress = { readonly address: string; readonly family: 4 | 6 }

/** The guard. What it throws is a {@link UrlFailure}, `url_not_allowed`, saying which rule but never which address. */
export type UrlGuard = {
  /**
   * Judges all that can be judged without a look-up: the form, the scheme, the port, and a host that is an address.
   * Throws also what {@link readUrl} throws.
   */
  requireUrl(text: string, from?: URL): ReadUrl
  /**
   * Looks up a host, as {@link ReadUrl} has it, and judges every address; one that is refused refuses the name. Empty when
   * the name has none. Rejects also as `resolve` does.
   */
  requireAddresses(host: string, port: number): Promise<readonly AdmittedAddress[]>
}

/** How a guard is made. */
export type UrlGuardParts = {
  allowPrivate: readonly PrivateOpening[]
  /** The ports of public hosts. */
  ports: readonly number[]
  resolve: Resolve
}

/** A guard over what is public and what was opened. */
export function createUrlGuard({ allowPrivate, ports, resolve }: UrlGuardParts): UrlGuard {
  const openings = createOpenings(allowPrivate)
  return {
    requireUrl(text, from) {
      const read = readUrl(text, from)
      const { host, port, address } = read
      const refusal = address === null ? judgeName(host, port) : judge(host, port, address)
      if (refusal !== null) throw refusal
      return read
    },
    async requireAddresses(host, port) {
      const literal = parseIpAddress(host)
      const texts = literal === null ? await resolve(host) : [host]
      return texts.map((text) => {
        const address = parseIpAddress(text)
        const refusal = address === null ? urlNotAllowed('its address cannot be read') : judge(host, port, address)
        if (refusal !== null) throw refusal
        return { address: text, family: text.includes(':') ? 6 : 4 }
      })
    },
  }

  function judge(host: string, port: number, address: IpAddress): UrlFailure | null {
    return judgeAddress(address, { host, port, openings, ports })
  }

  function judgeName(name: string, port: number): UrlFailure | null {
    // Whether the name leads to an address that is opened at this port is known once it was looked up.
    if (ports.includes(port) || openings.mayOpenPort(port) || openings.hasName(name, port)) return null
    return portNotAllowed(port)
  }
}

function judgeAddress(
  address: IpAddress,
  { host, port, openings, ports }: { host: string; port: number; openings: Openings; ports: readonly number[] },
): UrlFailure | null {
  if (openings.hasName(host, port) || openings.hasEndpoint(address, port)) return null
  const rule = findAddressRule(address)
  if (rule?.staysClosed !== true && openings.hasNetworkOf(address)) return null
  if (rule !== null) return urlNotAllowed(`its host is not public (${rule.name})`)
  return ports.includes(port) ? null : portNotAllowed(port)
}

function portNotAllowed(port: number): UrlFailure {
  return urlNotAllowed(`port ${port} is not 80 or 443`)
}
