import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import type { ParsedSetting } from './setting.ts'

/** Parsers of environment variables. A parser never repeats a value that may be a secret. */
/** Exactly one of the words. */
export function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => ParsedSetting<Word> {
  const list = words.map((word) => JSON.stringify(word)).join(', ')
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return { value: word }
    return { problem: `must be ${words.length === 1 ? '' : 'one of '}${list}` }
  }
}

/** An integer from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => ParsedSetting<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? { value } : { problem: `must be a whole number from ${min} to ${max}` }
  }
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
const ONLY_DIGITS_AND_DOTS = /^[\d.]+$/

/** An address or a host name, without port or scheme; an IPv6 address may be in brackets. */
export function parseHost(text: string): ParsedSetting<string> {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return { value: host }
  if (HOST_NAME.test(host) && !ONLY_DIGITS_AND_DOTS.test(host)) return { value: host }
  return { problem: 'must be an IP address or a host name, without scheme and port' }
}

const LANGUAGE = /^[a-z]{2,3}(_[a-z]+)*$/

/** Comma-separated language codes, named as their data: `eng`, `chi_sim`. Duplicates count once. */
export function parseLanguages(text: string): ParsedSetting<readonly string[]> {
  const codes = text.split(',').map((code) => code.trim())
  if (codes.every((code) => LANGUAGE.test(code))) return { value: [...new Set(codes)] }
  return { problem: 'must be a comma-separated list of language codes such as eng, deu or chi_sim' }
}

/** A folder, resolved against the working directory. */
export function parseFolder(text: string): ParsedSetting<string> {
  if (text.includes('\0')) return { problem: 'must be the path of a folder' }
  return { value: resolve(text) }
}

/** Absolute paths of folders, separated by commas; unset is an empty list. */
export function parseFolders(text: string): ParsedSetting<readonly string[]> {
  if (text.trim() === '') return { value: [] }
  const folders = text.split(',').map((part) => part.trim())
  const wrong = folders.find((folder) => !isAbsolute(folder) || folder.includes('\0'))
  if (wrong === undefined) return { value: [...new Set(folders.map((folder) => resolve(folder)))] }
  return { problem: `must be absolute paths of folders, separated by commas; ${JSON.stringify(wrong)} is none` }
}

/**
 * A key chosen by the operator: by the contract, any string of 20 characters or more. White space
 * around it is removed, since headers drop it: a key read from a file with a final newline could
 * never match. Non-ASCII letters are refused, since clients and servers encode them differently in
 * headers, and so are control characters.
 */
export function parseOwnKey(text: string): ParsedSetting<string | null> {
  if (text === '') return { value: null }
  const key = text.trim()
  if (!/^[ -~]*$/.test(key)) {
    const how = 'choose another of the letters A to Z, digits, signs and spaces, as openssl rand -hex 24 prints one'
    return { problem: `must have characters of ASCII alone, or no header could carry it: ${how}` }
  }
  return key.length >= 20 ? { value: key } : { problem: 'must have 20 characters or more' }
}

/**
 * A PostgreSQL URL; unset is `null`. The URL may contain a password, so messages never repeat it.
 */
export function parseDatabaseUrl(text: string): ParsedSetting<string | null> {
  if (text === '') return { value: null }
  const isOne = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
  return isOne ? { value: text } : { problem: 'must be a URL such as postgres://user:password@host:5432/database' }
}

const SIZE = /^(\d{1,12})\s*(MB|GB)?$/i
const UNITS = { MB: 1024 ** 2, GB: 1024 ** 3 } as const

/** Parses a size such as `512MB` or `2GB` in bytes; a number alone is in MB, unset is `null`. */
export function parseSize(text: string): ParsedSetting<number | null> {
  if (text === '') return { value: null }
  const [, digits, unit = 'MB'] = SIZE.exec(text) ?? []
  if (digits === undefined) return { problem: 'must be a size such as 512MB or 2GB, or 0' }
  return { value: Number(digits) * (unit.toUpperCase() === 'GB' ? UNITS.GB : UNITS.MB) }
}

/** {@link wholeNumber}, or `null` if unset. */
export function optionalNumber(min: number, max: number): (text: string) => ParsedSetting<number | null> {
  const parse = wholeNumber(min, max)
  return (text) => (text === '' ? { value: null } : parse(text))
}

/** A key of another service, without surrounding white space; unset is `null`. */
export function parseCredential(text: string): ParsedSetting<string | null> {
  return { value: text.trim() || null }
}

/** A host with one port, or a network in CIDR form. */
export type AllowedPrivate = { readonly host: string; readonly port: number } | { readonly network: string }

const EXPECTED = 'must be a comma-separated list of host:port, [IPv6]:port and CIDR such as 10.0.0.0/8'
const parsePort = wholeNumber(1, 65_535)

/**
 * Parses `RECOLLECT_URL_ALLOW_PRIVATE`: `nas.lan:8080, 10.0.0.0/8, [fd00::5]:443`. Host names are
 * lower-cased, IPv6 addresses lose their brackets, and a problem names the first invalid entry.
 * Unset is an empty list.
 */
export function parseAllowPrivate(text: string): ParsedSetting<readonly AllowedPrivate[]> {
  if (text.trim() === '') return { value: [] }
  const entries: AllowedPrivate[] = []
  for (const written of text.split(',').map((part) => part.trim())) {
    const entry = written.includes('/') ? readNetwork(written) : readHost(written)
    if (entry === null) return { problem: `${EXPECTED}; ${JSON.stringify(written)} is neither` }
    entries.push(entry)
  }
  return { value: entries }
}

/** Web origins, separated by commas, as browsers send them. */
export function parseOrigins(text: string): ParsedSetting<readonly string[]> {
  if (text.trim() === '') return { value: [] }
  const origins = text.split(',').map((part) => part.trim())
  const wrong = origins.find((origin) => !/^https?:/.test(origin) || URL.parse(origin)?.origin !== origin)
  if (wrong === undefined) return { value: origins }
  return {
    problem: `must be origins such as https://app.example.com, without a path; ${JSON.stringify(wrong)} is none`,
  }
}

function readNetwork(text: string): AllowedPrivate | null {
  const [, address = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  // ::ffff:10.0.0.0/104 means 10.0.0.0/8, and must be given in that form.
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

/**
 * Headers in the format of OTEL_EXPORTER_OTLP_HEADERS (W3C Baggage: `name=value`, comma-separated,
 * percent-encoded). Entries without a name are skipped.
 */
export function parseOtlpHeaders(text: string): Record<string, string> {
  const headers = text.split(',').map((part) => {
    const [name = '', ...value] = part.split('=')
    return [name.trim(), decode(value.join('=').trim())] as const
  })
  return Object.fromEntries(headers.filter(([name]) => name !== ''))
}

/** Keeps the text if it is not valid percent-encoding. */
function decode(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text) ? text : decodeURIComponent(text)
}
