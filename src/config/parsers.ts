import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Parsed } from './setting.ts'

/** How the texts of the environment become values. A parser never repeats a value that may be a secret. */
/** One of the words, exactly. */
export function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => Parsed<Word> {
  const list = words.map((word) => JSON.stringify(word)).join(', ')
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return { value: word }
    return { problem: `must be ${words.length === 1 ? '' : 'one of '}${list}` }
  }
}

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => Parsed<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? { value } : { problem: `must be a whole number from ${min} to ${max}` }
  }
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
const ONLY_DIGITS_AND_DOTS = /^[\d.]+$/

/** An address or a host name, without port or scheme; an IPv6 address may stand in brackets. */
export function parseHost(text: string): Parsed<string> {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return { value: host }
  if (HOST_NAME.test(host) && !ONLY_DIGITS_AND_DOTS.test(host)) return { value: host }
  return { problem: 'must be an IP address or a host name, without scheme and port' }
}

const LANGUAGE = /^[a-z]{3}(_[a-z]+)*$/

/** Codes of languages as their data is named, such as `eng` and `chi_sim`, separated by commas; one twice counts once. */
export function parseLanguages(text: string): Parsed<readonly string[]> {
  const codes = text.split(',').map((code) => code.trim())
  if (codes.every((code) => LANGUAGE.test(code))) return { value: [...new Set(codes)] }
  return { problem: 'must be a comma-separated list of language codes such as eng, deu or chi_sim' }
}

/** A folder, made absolute against the folder the process was started in. */
export function parseFolder(text: string): Parsed<string> {
  if (text.includes('\0')) return { problem: 'must be the path of a folder' }
  return { value: resolve(text) }
}

/**
 * A key that the operator chose; the contract takes any string of 20 characters or more. Without the white space around it, which no
 * header carries: a file that ends with a line end, read into a setting, would be a key that nobody can show. So would one of other
 * letters than those of ASCII, which clients and servers write in a header each in their own way, and one with a control character.
 */
export function parseOwnKey(text: string): Parsed<string | null> {
  if (text === '') return { value: null }
  const key = text.trim()
  if (!/^[ -~]*$/.test(key)) {
    const how = 'choose another of the letters A to Z, digits, signs and spaces, as openssl rand -hex 24 prints one'
    return { problem: `must have characters of ASCII alone, or no header could carry it: ${how}` }
  }
  return key.length >= 20 ? { value: key } : { problem: 'must have 20 characters or more' }
}

/** The URL of a PostgreSQL database; nothing set is `null`. It may hold a password, so nothing of it is repeated. */
export function parseDatabaseUrl(text: string): Parsed<string | null> {
  if (text === '') return { value: null }
  const isOne = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
  return isOne ? { value: text } : { problem: 'must be a URL such as postgres://user:password@host:5432/database' }
}

/** {@link wholeNumber}, or `null` where nothing is set. */
export function optionalNumber(min: number, max: number): (text: string) => Parsed<number | null> {
  const parse = wholeNumber(min, max)
  return (text) => (text === '' ? { value: null } : parse(text))
}

/** A key of another service, without the white space around it, as above; nothing set is `null`. */
export function parseCredential(text: string): Parsed<string | null> {
  return { value: text.trim() || null }
}

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

/** Headers as OTEL_EXPORTER_OTLP_HEADERS has them (W3C Baggage: `name=value`, comma-separated, percent-encoded); what has no name is left out. */
export function parseOtlpHeaders(text: string): Record<string, string> {
  const headers = text.split(',').map((part) => {
    const [name = '', ...value] = part.split('=')
    return [name.trim(), decode(value.join('=').trim())] as const
  })
  return Object.fromEntries(headers.filter(([name]) => name !== ''))
}

/** A percent sign may be one. */
function decode(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text) ? text : decodeURIComponent(text)
}
