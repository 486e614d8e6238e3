/** What the operator opened although it is private: single hosts at one port, or networks. */
import { type IpAddress, type IpNetwork, isInNetwork, parseIpAddress, parseIpNetwork } from './ip-address.ts'

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
