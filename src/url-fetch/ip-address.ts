/** An address as a number, so that every way to write it is the same value. */
export type IpAddress = { readonly family: 4 | 6; readonly value: bigint }

/** A block of addresses: those that share the first `bits` bits with `address`. */
export type IpNetwork = { readonly address: IpAddress; readonly bits: number }

/** ::ffff:0:0/96, an IPv4 address in IPv6 clothes (RFC 4291, section 2.5.5.2). */
const MAPPED_PREFIX = 0xffffn
const IPV4_PART = /^(.*:)(\d{1,3}(?:\.\d{1,3}){3})$/

/**
 * Reads `192.0.2.1` and every form of IPv6 without a zone; a mapped IPv4 address (`::ffff:192.0.2.1`) is that IPv4
 * address, as the kernel connects to it. `null` for everything else, octal, hexadecimal and short forms included: a URL's
 * host is normalised before it comes here.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const value4 = parseIpv4(text)
  if (value4 !== null) return { family: 4, value: value4 }
  const value6 = parseIpv6(text)
  if (value6 === null) return null
  return value6 >> 32n === MAPPED_PREFIX ? embeddedIpv4(value6, 0) : { family: 6, value: value6 }
}

/** Reads `10.0.0.0/8` or `fd00::/8`; bits of the host may be set. `null` for anything else. */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [, written = '', bitsText = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseIpAddress(written)
  const bits = Number(bitsText)
  if (address === null || bitsText === '' || bits > widthOf(address.family)) return null
  // ::ffff:10.0.0.0/104 would have to be 10.0.0.0/8: nobody writes it, so it is refused instead of guessed.
  return address.family === 4 && written.includes(':') ? null : { address, bits }
}

/** True when the address lies in the network; never across the two families. */
export function isInNetwork(address: IpAddress, network: IpNetwork): boolean {
  if (address.family !== network.address.family) return false
  const free = BigInt(widthOf(address.family) - network.bits)
  return address.value >> free === network.address.value >> free
}

/** The IPv4 address in the 32 bits that begin `shift` bits above the end of an IPv6 value. */
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
 * Which addresses a download may not go to: everything that IANA's registries of special-purpose addresses do not call
 * globally reachable, what embeds such an address, and the addresses at which clouds hand out the keys of a machine.
 *
 * Of IPv6 only 2000::/3 is global unicast (RFC 4291, section 2.4; IANA has given out nothing else), so all outside of
 * it is refused without being listed. NAT64 (64:ff9b::/96) is the one way to an IPv4 host from a network that has IPv6
 * alone, and is judged by the address inside. 6to4, Teredo and compatible addresses are relics that lead to an IPv4
 * address of the sender's choice, and are refused whatever that is.
 */
/** Why an address is refused, as it is said to the caller: "its host is not public (…)". */
type AddressRule = {
  readonly name: string
  /** True where not even an opened network opens it; only an entry that names the address itself does. */
  readonly staysClosed: boolean
}

type Row = readonly [name: string, networks: readonly string[]]

/** Looked at first, since some lie in blocks of the list below, and one in public space. */
const NEVER_BY_NETWORK: readonly Row[] = [
  // AWS, Azure, Google, Oracle, DigitalOcean; ECS tasks; Oracle's older one; Alibaba; Azure's wire server; AWS on IPv6.
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

/** IANA IPv4 and IPv6 Special-Purpose Address Registries; the RFC stands with what is not plain from its name. */
const SPECIAL: readonly Row[] = [
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
  // RFC 8215: a network's own translation, whose inside nobody else knows.
  ['a local NAT64', ['64:ff9b:1::/48']],
]

const CLOSED_ROWS = readRows(NEVER_BY_NETWORK)
const SPECIAL_ROWS = readRows(SPECIAL)
const NAT64 = readNetwork('64:ff9b::/96')
const GLOBAL_UNICAST = readNetwork('2000::/3')
/** Interface identifiers of ISATAP (RFC 5214, section 6.1): 0000:5efe or 0200:5efe before the IPv4 address. */
const ISATAP = [0x5efen, 0x200_5efen]

/** The rule that refuses an address, or `null` for one that is public. */
export function findAddressRule(address: IpAddress): AddressRule | null {
  const closed = CLOSED_ROWS.find(({ networks }) => networks.some((network) => isInNetwork(address, network)))
  if (closed !== undefined) return { name: closed.name, staysClosed: true }
  const inside = embeddedAddress(address)
  if (inside !== null) {
    const rule = findAddressRule(inside)
    if (rule !== null || isInNetwork(address, NAT64)) return rule
  }
  const special = SPECIAL_ROWS.find(({ networks }) => networks.some((network) => isInNetwork(address, network)))
  if (special !== undefined) return { name: special.name, staysClosed: false }
  const isGlobal = address.family === 4 || isInNetwork(address, GLOBAL_UNICAST)
  return isGlobal ? null : { name: 'reserved', staysClosed: false }
}

function embeddedAddress(address: IpAddress): IpAddress | null {
  if (address.family === 4) return null
  const isIsatap = ISATAP.includes((address.value >> 32n) & 0xffff_ffffn)
  return isIsatap || isInNetwork(address, NAT64) ? embeddedIpv4(address.value, 0) : null
}

function readRows(rows: readonly Row[]): readonly { name: string; networks: readonly IpNetwork[] }[] {
  return rows.map(([name, networks]) => ({ name, networks: networks.map(readNetwork) }))
}

function readNetwork(text: string): IpNetwork {
  const network = parseIpNetwork(text)
  if (network === null) throw new Error(`${text} is not a network`)
  return network
}
