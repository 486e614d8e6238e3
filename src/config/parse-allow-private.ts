import { isIP } from 'node:net'
import { parseHost, wholeNumber } from './parsers.ts'
import type { Parsed } from './setting.ts'

/** A host opened at one port, or a network in CIDR form. */
export type AllowedPrivate = { readonly host: string; readonly port: number } | { readonly network: string }

const EXPECTED = 'must be a comma-separated list of host:port, [IPv6]:port and CIDR such as 10.0.0.0/8'
const parsePort = wholeNumber(1, 65_535)

/**
 * Reads what `RECOLLECT_URL_ALLOW_PRIVATE` takes: `nas.lan:8080, 10.0.0.0/8, [fd00::5]:443`. Host names come lower-cased,
 * IPv6 addresses without brackets; a problem names the first entry that is wrong. Nothing set is an empty list.
 */
export function parseAllowPrivate(text: string): Parsed<readonly AllowedPrivate[]> {
  if (text.trim() === '') return { value: [] }
  const entries: AllowedPrivate[] = []
  for (const written of text.split(',').map((part) => part.trim())) {
    const entry = written.includes('/') ? readNetwork(written) : readHost(written)
    if (entry === null) return { problem: `${EXPECTED}; ${JSON.stringify(written)} is neither` }
    entries.push(entry)
  }
  return { value: entries }
}

function readNetwork(text: string): AllowedPrivate | null {
  const [, address = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  // ::ffff:10.0.0.0/104 means 10.0.0.0/8, and is asked for in that form.
  if (family === 0 || Number(bits) > most || /^::ffff:/i.test(address)) return null
  return { network: text }
}

function readHost(text: string): AllowedPrivate | null {
  const [, bracketed, plain, portText = ''] = /^(?:\[([^\]%]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const port = parsePort(portText)
  const host = bracketed ?? plain ?? ''
  if ('problem' in port || (bracketed !== undefined && isIP(bracketed) !== 6)) return null
  const parsed = parseHost(host)
  return 'problem' in parsed ? null : { host: parsed.value.toLowerCase(), port: port.value }
}
