import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type ApiError, invalid } from '../errors.ts'
import {
  findAddressRule,
  type IpAddress,
  type IpNetwork,
  isInNetwork,
  parseIpAddress,
  parseIpNetwork,
} from './ip-address.ts'
import { fetchFailed, type UrlFailure, urlNotAllowed } from './url-failure.ts'

/**
 * What stands between a URL that a caller names and the network this service stands in. A URL is judged twice: as text,
 * before anything is looked up, and at every connection, when its name is looked up once and the connection is made to
 * what was judged then. So a name that changes its answer between two look-ups gains nothing.
 */
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
type UrlGuardParts = {
  allowPrivate: readonly PrivateOpening[]
  /** The ports of public hosts. */
  ports: readonly number[]
  resolve: Resolve
}

/** A guard over what is public and what was opened. */
export function createUrlGuard({ allowPrivate, ports, resolve }: UrlGuardParts): UrlGuard {
  const allowlist = createPrivateAllowlist(allowPrivate)
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
    return judgeAddress(address, { host, port, allowlist, ports })
  }

  function judgeName(name: string, port: number): UrlFailure | null {
    // Whether the name leads to an address that is opened at this port is known once it was looked up.
    if (ports.includes(port) || allowlist.mayOpenPort(port) || allowlist.hasName(name, port)) return null
    return portNotAllowed(port)
  }
}

function judgeAddress(
  address: IpAddress,
  {
    host,
    port,
    allowlist,
    ports,
  }: { host: string; port: number; allowlist: PrivateAllowlist; ports: readonly number[] },
): UrlFailure | null {
  if (allowlist.hasName(host, port) || allowlist.hasEndpoint(address, port)) return null
  const rule = findAddressRule(address)
  if (rule?.staysClosed !== true && allowlist.hasNetworkOf(address)) return null
  if (rule !== null) return urlNotAllowed(`its host is not public (${rule.name})`)
  return ports.includes(port) ? null : portNotAllowed(port)
}

function portNotAllowed(port: number): UrlFailure {
  return urlNotAllowed(`port ${port} is not 80 or 443`)
}

/** All addresses of a name as the system finds them, which knows `/etc/hosts` and search domains. Rejects when there are none. */
export async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/** Longest URL that is read; the API's schema has the same limit. Signed URLs of object stores reach about 2,000. */
const MAX_URL_CHARACTERS = 8192

/** A URL in the one form in which it is judged and fetched. */
type ReadUrl = {
  /** Without credentials, fragment and a trailing dot of the host. */
  readonly url: URL
  /** The host without brackets. */
  readonly host: string
  readonly port: number
  /** The host where it is an address, in whatever form it was written; `null` for a name. */
  readonly address: IpAddress | null
}

/**
 * Reads an absolute http or https URL, or the target of a redirect of `from`, which may be relative to it. Throws
 * `validation_failed` for what is no URL at all, a {@link UrlFailure} for such a target; another, `url_not_allowed`, for another scheme, credentials, a host that cannot be read, and
 * characters that programs read differently (backslashes, tabs, line ends): nobody shall check one host and connect to another.
 */
function readUrl(text: string, from?: URL): ReadUrl {
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  if (trimmed === '' || trimmed.length > MAX_URL_CHARACTERS) {
    throw noUrl(`must have 1 to ${MAX_URL_CHARACTERS} characters`, from)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\0-\x1f\x7f]/.test(trimmed)) throw urlNotAllowed('it contains control characters')
  if (/^[^?#]*\\/.test(trimmed)) throw urlNotAllowed('it contains a backslash')
  const url = URL.parse(trimmed, from?.href)
  if (url === null) throw unreadable(trimmed, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw urlNotAllowed('its scheme is not http or https')
  }
  if (url.username !== '' || url.password !== '') throw urlNotAllowed('it contains a user name or a password')
  return inOneForm(url)
}

function inOneForm(url: URL): ReadUrl {
  url.hash = ''
  // example.com. is example.com, but no certificate names it so; 127.0.0.1. is read as an address once it has lost its dot.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const address = parseIpAddress(host)
  // What the system takes for an address must have been judged as one.
  if (address === null && (isIP(host) !== 0 || !isHostName(host))) throw urlNotAllowed('its host is not a host name')
  return { url, host, port, address }
}

/** Labels of 1 to 63 characters, 253 in all, the last one not a number; underscores occur in real names. */
function isHostName(host: string): boolean {
  return /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*(?!\d+$)[a-z0-9_-]{1,63}$/.test(host)
}

function unreadable(text: string, from: URL | undefined): ApiError | UrlFailure {
  return /^https?:\/*[^/]/i.test(text)
    ? urlNotAllowed('its host or port cannot be read')
    : noUrl('must be an absolute http or https URL', from)
}

function noUrl(why: string, from: URL | undefined): ApiError | UrlFailure {
  return from === undefined ? invalid('url', why) : fetchFailed('it redirects to what is no URL')
}

/** What the operator opened although it is private: single hosts at one port, or networks. */
/**
 * One opened thing. A host (a name or an address) is opened at its one port; a name whatever its addresses are. A network
 * in CIDR form is opened at every port, since CIDR has no place for one.
 */
export type PrivateOpening = { readonly host: string; readonly port: number } | { readonly network: string }

/** The questions that are asked of all openings together. */
export type PrivateAllowlist = {
  /** True when this host name is opened at this port. */
  hasName(name: string, port: number): boolean
  /** True when this address itself is opened at this port, however a URL or a name came to it. */
  hasEndpoint(address: IpAddress, port: number): boolean
  /** True when the address lies in an opened network. */
  hasNetworkOf(address: IpAddress): boolean
  /** True when some address is opened at this port, so that a name's port can only be judged with its addresses. */
  mayOpenPort(port: number): boolean
}

/** Throws an `Error` naming an entry that is no network; the settings' parser lets none through. */
export function createPrivateAllowlist(entries: readonly PrivateOpening[]): PrivateAllowlist {
  const networks: IpNetwork[] = []
  const names = new Set<string>()
  const endpoints = new Set<string>()
  const ports = new Set<number>()
  for (const entry of entries) {
    if ('network' in entry) networks.push(requireNetwork(entry.network))
    else addHost(entry)
  }
  return {
    hasName: (name, port) => names.has(`${name}:${port}`),
    hasEndpoint: (address, port) => endpoints.has(endpointKey(address, port)),
    hasNetworkOf: (address) => networks.some((network) => isInNetwork(address, network)),
    mayOpenPort: (port) => networks.length > 0 || ports.has(port),
  }

  function addHost({ host, port }: { host: string; port: number }): void {
    const address = parseIpAddress(host)
    if (address === null) {
      names.add(`${host.toLowerCase().replace(/\.$/, '')}:${port}`)
    } else {
      endpoints.add(endpointKey(address, port))
      ports.add(port)
    }
  }
}

function endpointKey(address: IpAddress, port: number): string {
  return `${address.family}:${address.value}:${port}`
}

function requireNetwork(text: string): IpNetwork {
  const network = parseIpNetwork(text)
  if (network === null) throw new Error(`${text} is not a network in CIDR form`)
  return network
}
