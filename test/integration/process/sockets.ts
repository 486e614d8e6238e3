import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * An Internet socket of a process; addresses as printed by the kernel, hexadecimal in its byte
 * order.
 */
export type Socket = { protocol: string; local: string; remote: string }

const PROTOCOLS = ['tcp', 'tcp6', 'udp', 'udp6'] as const
const SOCKET = /^socket:\[(\d+)\]$/

/** The current Internet sockets of a process, from Linux's /proc. */
export function listSockets(pid: number): Socket[] {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => inodeOf(`/proc/${pid}/fd/${fd}`)))
  return PROTOCOLS.flatMap((protocol) => {
    const lines = readFileSync(`/proc/${pid}/net/${protocol}`, 'utf8').trim().split('\n').slice(1)
    return lines.flatMap((line) => {
      // sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode
      const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
      return own.has(inode) ? [{ protocol, local, remote }] : []
    })
  })
}

/** True when both ends are on loopback, or the other end is empty. */
export function staysOnMachine({ local, remote }: Socket): boolean {
  return isLoopback(local) && (isLoopback(remote) || /^0+:0000$/.test(remote))
}

function isLoopback(address: string): boolean {
  const [host = ''] = address.split(':')
  return (
    /^[0-9A-F]{6}7F$/.test(host) || host === `${'0'.repeat(24)}01000000` || /^0{16}FFFF0000[0-9A-F]{6}7F$/.test(host)
  )
}

function inodeOf(path: string): string[] {
  try {
    return SOCKET.exec(readlinkSync(path))?.slice(1) ?? []
  } catch {
    // Closed since the folder was read.
    return []
  }
}
