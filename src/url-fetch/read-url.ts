import { isIP } from 'node:net'
import { type ApiError, invalid } from '../errors.ts'
import { type IpAddress, parseIpAddress } from './ip-address.ts'
import { fetchFailed, type UrlFailure, urlNotAllowed } from './url-failure.ts'

/** Longest URL that is read; the API's schema has the same limit. Signed URLs of object stores reach about 2,000. */
const MAX_URL_CHARACTERS = 8192

/** A URL in the one form in which it is judged and fetched. */
export type ReadUrl = {
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
export function readUrl(text: string, from?: URL): ReadUrl {
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
