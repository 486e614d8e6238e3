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
export function embeddedIpv4(value: bigint, shift: number): IpAddress {
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
