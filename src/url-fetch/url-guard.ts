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
 * Protects this network from URLs given by callers. Each URL is checked twice: as text before any
 * lookup, and at every connection. At connection time the name is resolved once, and the connection
 * goes to the checked address. A name whose DNS answer changes between lookups gains nothing.
 *
 * Returns all addresses of a name as text; empty or rejected for none.
 */
export type Resolve = (name: string) => Promise<readonly string[]>

/** An address that passed the check. */
export type AdmittedAddress = { readonly address: string; readonly family: 4 | 6 }

/**
 * The guard. Throws {@link UrlFailure} with `url_not_allowed`, which names the rule but never the
 * address.
 */
export type UrlGuard = {
  /**
   * Checks everything possible without a lookup: form, scheme, port, and a literal address. Also
   * throws the errors of {@link readUrl}.
   */
  requireUrl(text: string, from?: URL): ReadUrl
  /**
   * Resolves a host of {@link ReadUrl} and checks every address; a single refused address refuses
   * the name. Empty if the name has no address. Also rejects as `resolve` does.
   */
  requireAddresses(host: string, port: number): Promise<readonly AdmittedAddress[]>
}

/** Dependencies of a guard. */
type UrlGuardDeps = {
  allowPrivate: readonly PrivateAllowlistEntry[]
  /** Allowed ports of public hosts. */
  ports: readonly number[]
  resolve: Resolve
}

/** Creates a guard that allows public hosts and the allowlist. */
export function createUrlGuard({ allowPrivate, ports, resolve }: UrlGuardDeps): UrlGuard {
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
        const refusal = address === null ? urlNotAllowed('its address is invalid') : judge(host, port, address)
        if (refusal !== null) throw refusal
        return { address: text, family: text.includes(':') ? 6 : 4 }
      })
    },
  }

  function judge(host: string, port: number, address: IpAddress): UrlFailure | null {
    return judgeAddress(address, { host, port, allowlist, ports })
  }

  function judgeName(name: string, port: number): UrlFailure | null {
    // An allowed address at this port is known only after the lookup.
    if (ports.includes(port) || allowlist.mayAllowPort(port) || allowlist.hasName(name, port)) return null
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
  if (rule?.requiresExactEntry !== true && allowlist.hasNetworkOf(address)) return null
  if (rule !== null) return urlNotAllowed(`its host is not public (${rule.name})`)
  return ports.includes(port) ? null : portNotAllowed(port)
}

function portNotAllowed(port: number): UrlFailure {
  return urlNotAllowed(`port ${port} is not 80 or 443`)
}

/**
 * Resolves a name with the system's lookup, which knows `/etc/hosts` and search domains. Rejects
 * for none.
 */
export async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/**
 * Maximum URL length; the API's schema has the same limit. Signed URLs of object stores reach about
 * 2,000 characters.
 */
const MAX_URL_CHARACTERS = 8192

/** A URL in the normalized form used for checks and requests. */
type ReadUrl = {
  /** Without credentials, fragment and a trailing dot of the host. */
  readonly url: URL
  /** The host without brackets. */
  readonly host: string
  readonly port: number
  /** The host as an address, in any notation; `null` for a name. */
  readonly address: IpAddress | null
}

/**
 * Parses an absolute http or https URL, or a redirect target, which may be relative to `from`.
 *
 * Throws `validation_failed` for an invalid URL, and a {@link UrlFailure} for an invalid target.
 * Throws `url_not_allowed` for other schemes, credentials and an unreadable host. The same for
 * characters that parsers treat differently (backslashes, tabs, line ends): the checked host must
 * be the host connected to.
 */
function readUrl(text: string, from?: URL): ReadUrl {
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  if (trimmed === '' || trimmed.length > MAX_URL_CHARACTERS) {
    throw invalidUrl(`must have 1 to ${MAX_URL_CHARACTERS} characters`, from)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects such characters
  if (/[\0-\x1f\x7f]/.test(trimmed)) throw urlNotAllowed('it contains control characters')
  if (/^[^?#]*\\/.test(trimmed)) throw urlNotAllowed('it contains a backslash')
  const url = URL.parse(trimmed, from?.href)
  if (url === null) throw unreadable(trimmed, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw urlNotAllowed('its scheme is not http or https')
  }
  if (url.username !== '' || url.password !== '') throw urlNotAllowed('it contains a user name or a password')
  return normalizeUrl(url)
}

function normalizeUrl(url: URL): ReadUrl {
  url.hash = ''
  // `example.com.` equals `example.com`, but no certificate contains the dot. `127.0.0.1.` parses
  // as an address once the dot is gone.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const address = parseIpAddress(host)
  // Anything that the system treats as an address must be checked as an address.
  if (address === null && (isIP(host) !== 0 || !isHostName(host)))
    throw urlNotAllowed('its host is not a valid host name')
  return { url, host, port, address }
}

/**
 * Labels of 1 to 63 characters, 253 in total, the last not numeric. Underscores occur in real
 * names.
 */
function isHostName(host: string): boolean {
  return /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*(?!\d+$)[a-z0-9_-]{1,63}$/.test(host)
}

function unreadable(text: string, from: URL | undefined): ApiError | UrlFailure {
  return /^https?:\/*[^/]/i.test(text)
    ? urlNotAllowed('its host or port is invalid')
    : invalidUrl('must be an absolute http or https URL', from)
}

function invalidUrl(why: string, from: URL | undefined): ApiError | UrlFailure {
  return from === undefined ? invalid('url', why) : fetchFailed('it redirects to an invalid URL')
}

/**
 * An allowlist entry for private hosts. A host (name or address) is allowed at a single port; a
 * name is allowed with any address. A CIDR network is allowed at every port, because CIDR has no
 * port.
 */
export type PrivateAllowlistEntry = { readonly host: string; readonly port: number } | { readonly network: string }

/** Lookups over all allowlist entries. */
type PrivateAllowlist = {
  /** True if the host name is allowed at the port. */
  hasName(name: string, port: number): boolean
  /** True if the address itself is allowed at the port. */
  hasEndpoint(address: IpAddress, port: number): boolean
  /** True if the address is inside an allowed network. */
  hasNetworkOf(address: IpAddress): boolean
  /**
   * True if any address is allowed at the port, so that a name must be resolved before its port is
   * judged.
   */
  mayAllowPort(port: number): boolean
}

/** Throws an `Error` that names an invalid network; the settings parser already rejects those. */
function createPrivateAllowlist(entries: readonly PrivateAllowlistEntry[]): PrivateAllowlist {
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
    mayAllowPort: (port) => networks.length > 0 || ports.has(port),
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
