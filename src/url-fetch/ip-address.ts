/** An IP address as a number, so that all notations compare equal. */
export type IpAddress = { readonly family: 4 | 6; readonly value: bigint }

/** A network: addresses that share the first `bits` bits with `address`. */
export type IpNetwork = { readonly address: IpAddress; readonly bits: number }

/** ::ffff:0:0/96, an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2). */
const MAPPED_PREFIX = 0xffffn
const IPV4_PART = /^(.*:)(\d{1,3}(?:\.\d{1,3}){3})$/

/**
 * Parses `192.0.2.1` and every form of IPv6 without a zone. A mapped address (`::ffff:192.0.2.1`)
 * becomes the IPv4 address that the kernel connects to.
 *
 * Returns `null` for everything else, including octal, hexadecimal and short forms: URL hosts are
 * normalized before.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const value4 = parseIpv4(text)
  if (value4 !== null) return { family: 4, value: value4 }
  const value6 = parseIpv6(text)
  if (value6 === null) return null
  return value6 >> 32n === MAPPED_PREFIX ? embeddedIpv4(value6, 0) : { family: 6, value: value6 }
}

/** Parses `10.0.0.0/8` or `fd00::/8`; host bits are allowed. Returns `null` for anything else. */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [, written = '', bitsText = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseIpAddress(written)
  const bits = Number(bitsText)
  if (address === null || bitsText === '' || bits > widthOf(address.family)) return null
  // ::ffff:10.0.0.0/104 would mean 10.0.0.0/8. The form is never used in practice, so refuse rather
  // than guess.
  return address.family === 4 && written.includes(':') ? null : { address, bits }
}

/** True when the address lies in the network; never across the two families. */
export function isInNetwork(address: IpAddress, network: IpNetwork): boolean {
  if (address.family !== network.address.family) return false
  const free = BigInt(widthOf(address.family) - network.bits)
  return address.value >> free === network.address.value >> free
}

/** Returns the IPv4 address in 32 bits of an IPv6 value, `shift` bits above the end. */
function embeddedIpv4(value: bigint, shift: number): IpAddress {
  return { family: 4, value: (value >> BigInt(shift)) & 0xffff_ffffn }
}

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128
}

function parseIpv4(text: string): bigint | null {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return null
  const parts = text.split('.').map(Number)
  return parts.every((part) => part <= 255) ? joinGroups(parts, 8n) : null
}

function parseIpv6(text: string): bigint | null {
  const written = replaceIpv4Part(text)
  if (written === null || !/^[0-9a-f:]{2,39}$/i.test(written)) return null
  const [head = '', tail, ...more] = written.split('::')
  if (more.length > 0) return null
  const first = readGroups(head)
  const last = tail === undefined ? [] : readGroups(tail)
  if (first === null || last === null) return null
  const missing = 8 - first.length - last.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return joinGroups([...first, ...new Array<number>(missing).fill(0), ...last], 16n)
}

/** `::192.0.2.1` as `::c000:201`; `null` when the dotted part is no IPv4 address. */
function replaceIpv4Part(text: string): string | null {
  const [, before, dotted] = IPV4_PART.exec(text) ?? []
  if (before === undefined || dotted === undefined) return text
  const value = parseIpv4(dotted)
  return value === null ? null : `${before}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
}

function readGroups(text: string): number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}

function joinGroups(groups: readonly number[], bits: bigint): bigint {
  return groups.reduce((value, group) => (value << bits) | BigInt(group), 0n)
}

/**
 * Addresses that downloads must not reach. Refused are addresses that IANA's special-purpose
 * registries do not call globally reachable, addresses that embed such an address, and cloud
 * metadata addresses.
 *
 * In IPv6 only 2000::/3 is global unicast (RFC 4291, section 2.4; IANA has assigned nothing else),
 * so everything outside is refused without a list. NAT64 (64:ff9b::/96) is the only path to IPv4
 * hosts from an IPv6-only network, and is checked by the embedded address.
 *
 * 6to4, Teredo and IPv4-compatible addresses are obsolete and lead to an IPv4 address of the
 * sender's choice. All are refused.
 *
 * Reason of a refusal, as in "its host is not public (…)".
 */
type AddressRule = {
  readonly name: string
  /**
   * True if an allowed network does not include the address; only an entry for the address itself
   * does.
   */
  readonly requiresExactEntry: boolean
}

type Row = readonly [name: string, networks: readonly string[]]

/** Checked first: some addresses are inside blocks of the list below, one is in public space. */
const EXACT_ENTRY_ONLY: readonly Row[] = [
  // AWS, Azure, Google, Oracle, DigitalOcean; ECS tasks; Oracle (old); Alibaba; Azure's wire
  // server; AWS on IPv6.
  [
    'a cloud metadata address',
    [
      '169.254.169.254/32',
      '169.254.170.2/32',
      '169.254.170.23/32',
      '192.0.0.192/32',
      '100.100.100.200/32',
      '168.63.129.16/32',
      'fd00:ec2::254/128',
      'fd00:ec2::23/128',
      'fd20:ce::254/128',
    ],
  ],
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['broadcast', ['255.255.255.255/32']],
]

/**
 * IANA IPv4 and IPv6 Special-Purpose Address Registries, with the RFC of entries that need an
 * explanation.
 */
const SPECIAL_PURPOSE: readonly Row[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['site-local', ['fec0::/10']],
  ['of a carrier-grade NAT', ['100.64.0.0/10']],
  // Protocol assignments (RFC 6890, RFC 2928); 2001::/23 holds Teredo, ORCHID and more.
  ['Teredo', ['2001::/32']],
  ['reserved', ['192.0.0.0/24', '2001::/23', '240.0.0.0/4', '5f00::/16']],
  ['for documentation', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20']],
  ['for benchmarking', ['198.18.0.0/15']],
  ['6to4', ['192.88.99.0/24', '2002::/16']],
  ['IPv4-compatible', ['::/96']],
  // RFC 8215: a network's own translation, whose target is unknown from outside.
  ['a local NAT64', ['64:ff9b:1::/48']],
]

const EXACT_ENTRY_RULES = parseRules(EXACT_ENTRY_ONLY)
const SPECIAL_RULES = parseRules(SPECIAL_PURPOSE)
const NAT64 = requireNetwork('64:ff9b::/96')
const GLOBAL_UNICAST = requireNetwork('2000::/3')
/**
 * Interface identifiers of ISATAP (RFC 5214, section 6.1): 0000:5efe or 0200:5efe before the IPv4
 * address.
 */
const ISATAP = [0x5efen, 0x200_5efen]

/** Returns the rule that refuses an address, or `null` for a public address. */
export function findAddressRule(address: IpAddress): AddressRule | null {
  const closed = EXACT_ENTRY_RULES.find(({ networks }) => networks.some((network) => isInNetwork(address, network)))
  if (closed !== undefined) return { name: closed.name, requiresExactEntry: true }
  const inside = embeddedAddress(address)
  if (inside !== null) {
    const rule = findAddressRule(inside)
    if (rule !== null || isInNetwork(address, NAT64)) return rule
  }
  const special = SPECIAL_RULES.find(({ networks }) => networks.some((network) => isInNetwork(address, network)))
  if (special !== undefined) return { name: special.name, requiresExactEntry: false }
  const isGlobal = address.family === 4 || isInNetwork(address, GLOBAL_UNICAST)
  return isGlobal ? null : { name: 'reserved', requiresExactEntry: false }
}

function embeddedAddress(address: IpAddress): IpAddress | null {
  if (address.family === 4) return null
  const isIsatap = ISATAP.includes((address.value >> 32n) & 0xffff_ffffn)
  return isIsatap || isInNetwork(address, NAT64) ? embeddedIpv4(address.value, 0) : null
}

function parseRules(rows: readonly Row[]): readonly { name: string; networks: readonly IpNetwork[] }[] {
  return rows.map(([name, networks]) => ({ name, networks: networks.map(requireNetwork) }))
}

function requireNetwork(text: string): IpNetwork {
  const network = parseIpNetwork(text)
  if (network === null) throw new Error(`${text} is not a network`)
  return network
}
