import type { IncomingMessage } from 'node:http'
import type { Log } from '../observability/log.ts'
import { cleanFileName } from '../text/clean-file-name.ts'
import { saveBody } from './save-body.ts'
import { type FailureMessages, fetchFailed, toApiError, urlNotAllowed } from './url-failure.ts'
import { createUrlGuard, type PrivateAllowlistEntry, type Resolve, resolveBySystem } from './url-guard.ts'

/** Timeouts of a download. */
type FetchTimeouts = {
  /** DNS lookup, connection and TLS of a request. */
  connectMs: number
  /** From connection to the end of the headers. */
  headersMs: number
  /** Between two chunks of the body. */
  idleMs: number
  /** Whole download, including redirects; limits slow bodies. */
  totalMs: number
}

/**
 * Our choice. A server silent for 15 seconds would hardly serve a person either. 100 MB in 5
 * minutes are 3 Mbit/s, and 5 minutes are half of the request limit (API document, "Limits").
 */
export const FETCH_TIMEOUTS: FetchTimeouts = { connectMs: 10_000, headersMs: 15_000, idleMs: 15_000, totalMs: 300_000 }

/** A downloaded resource. All but `bytes` is the server's claim and not reliable. */
export type FetchedResource = {
  /** Size of the decompressed file. */
  bytes: number
  /** URL after redirects, without fragment. */
  finalUrl: string
  /** Media type without parameters, and its charset; `null` for none. */
  contentType: string | null
  charset: string | null
  /** Of Content-Disposition or the URL's path; see {@link readResourceName}. */
  filename: string | null
}

/** Downloads URLs given by callers, only from allowed hosts. */
export type UrlFetcher = {
  /**
   * Checks a URL without a DNS lookup and returns it as fetched, without fragment. Throws
   * `url_not_allowed`, or `validation_failed` for an invalid URL. Gives an early answer; {@link
   * UrlFetcher.fetchToFile} checks again.
   */
  requireUrl(text: string): URL
  /**
   * Downloads to a new file at `path` (mode 0600). Rejects with `url_not_allowed`, `url_too_large`,
   * `url_fetch_failed`, `validation_failed`, `insufficient_storage`, or the signal's reason; no
   * file is left then.
   */
  fetchToFile(text: string, path: string, signal: AbortSignal): Promise<FetchedResource>
}

/** Dependencies and limits of a fetcher. */
export type UrlFetcherDeps = {
  allowPrivate: readonly PrivateAllowlistEntry[]
  /** Maximum size of a resource. */
  maxBytes: number
  timeouts: FetchTimeouts
  maxRedirects: number
  log: Log
  /** Defaults to the system's lookup, which knows `/etc/hosts` and search domains. */
  resolve?: Resolve
  /** The ports of public hosts; 80 and 443 when absent. */
  ports?: readonly number[]
  /** PEM certificates trusted in addition to Node's root certificates. */
  extraRoots?: readonly string[]
}

/**
 * Creates a fetcher with its own guard. A redirect from https to http is refused, because it would
 * lose integrity.
 */
export function createUrlFetcher(deps: UrlFetcherDeps): UrlFetcher {
  const { allowPrivate, maxBytes, timeouts, maxRedirects, log, resolve = resolveBySystem, ports = [80, 443] } = deps
  const guard = createUrlGuard({ allowPrivate, ports, resolve })
  const { connectMs, headersMs } = timeouts
  const connection = { guard, connectMs, ...(deps.extraRoots === undefined ? {} : { extraRoots: deps.extraRoots }) }
  return {
    requireUrl,
    async fetchToFile(text, path, signal) {
      const url = requireUrl(text)
      const late = AbortSignal.timeout(timeouts.totalMs)
      const ending = AbortSignal.any([signal, late])
      try {
        const { response, finalUrl } = await follow(url, ending)
        const bytes = await saveBody(response, { path, limits: { maxBytes, ...timeouts }, signal: ending })
        return { bytes, ...describe(response, finalUrl) }
      } catch (error) {
        signal.throwIfAborted()
        const slow = fetchFailed(`it took longer than ${timeouts.totalMs / 1000} seconds`)
        const failure = toApiError(late.aborted ? slow : error, FETCH_MESSAGES)
        log.info({ host: url.host, error: String(failure), cause: causeOf(failure) }, 'A download failed.')
        throw failure
      }
    },
  }

  function requireUrl(text: string): URL {
    try {
      return guard.requireUrl(text).url
    } catch (error) {
      throw toApiError(error, FETCH_MESSAGES)
    }
  }

  async function follow(first: URL, signal: AbortSignal): Promise<Answer> {
    // Imported on first use: `node:http` and `node:https` as modules load all of Node's `fetch`, a
    // noticeable part of every start.
    const { requestOnce } = await import('./guarded-agent.ts')
    const request = (url: URL) => requestOnce(url, { connection, headersMs, signal })
    let answer: Answer = { response: await request(first), finalUrl: first }
    for (let redirects = 0; answer.response.statusCode !== 200; redirects += 1) {
      answer.response.destroy()
      const target = requireTarget(answer.response)
      if (redirects === maxRedirects) throw fetchFailed(`it redirects more than ${maxRedirects} times`)
      answer = await redirect(target, answer.finalUrl, request)
    }
    return answer
  }

  async function redirect(target: string, from: URL, request: (url: URL) => Promise<IncomingMessage>): Promise<Answer> {
    try {
      const { url } = guard.requireUrl(target, from)
      if (from.protocol === 'https:' && url.protocol === 'http:') throw urlNotAllowed('https must not redirect to http')
      return { response: await request(url), finalUrl: url }
    } catch (error) {
      throw toApiError(error, REDIRECT_MESSAGES)
    }
  }
}

const FETCH_MESSAGES: FailureMessages = {
  refused: 'The URL is not allowed',
  failed: 'The resource could not be downloaded',
}
/** The refused URL is a redirect target, not the caller's URL. */
const REDIRECT_MESSAGES: FailureMessages = {
  ...FETCH_MESSAGES,
  refused: 'The URL redirects to a URL that is not allowed',
}

type Answer = { response: IncomingMessage; finalUrl: URL }

const REDIRECTS = [301, 302, 303, 307, 308]

/** Returns the redirect target; throws `url_fetch_failed` for any other status than 200. */
function requireTarget({ statusCode = 0, headers: { location } }: IncomingMessage): string {
  if (REDIRECTS.includes(statusCode) && location !== undefined) return fromHeaderBytes(location)
  throw fetchFailed(`the server answered ${statusCode}`)
}

function describe(response: IncomingMessage, url: URL): Omit<FetchedResource, 'bytes'> {
  const media: MediaType | null = readMediaType(response.headers['content-type'])
  return {
    finalUrl: url.href,
    contentType: media?.type ?? null,
    charset: media?.charset ?? null,
    filename: readResourceName(response.headers['content-disposition'], url),
  }
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause !== undefined ? String(error.cause) : undefined
}

/**
 * Name of a downloaded resource, from Content-Disposition (RFC 6266: `filename*` before
 * `filename`), else the last path segment of the URL; `null` for none. Cleaned by {@link
 * cleanFileName}.
 */
export function readResourceName(contentDisposition: string | undefined, url: URL): string | null {
  const header = (contentDisposition ?? '').slice(0, 4096)
  const named = [extendedName(header), plainName(header), lastSegment(url)]
  return named.map((name) => cleanFileName(name ?? undefined)).find((name) => name !== null) ?? null
}

/** `filename*=UTF-8''na%C3%AFve.txt` (RFC 8187); `null` for other charsets. */
function extendedName(header: string): string | null {
  const [, charset = '', encoded = ''] = /(?:^|;)\s*filename\*\s*=\s*"?([\w-]+)'[^']*'([^\s;"]*)/i.exec(header) ?? []
  if (/^utf-?8$/i.test(charset)) return decodePercents(encoded)
  return /^iso-8859-1$/i.test(charset) ? decodeLatin(encoded) : null
}

function plainName(header: string): string | null {
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]+))/i.exec(header) ?? []
  // A backslash before anything but a quote is a Windows path separator, not an escape, as in
  // browsers.
  const sent = quoted?.replace(/\\(["\\])/g, '$1') ?? token
  if (sent === undefined) return null
  const text = fromHeaderBytes(sent)
  // RFC 6266, appendix D: some servers percent-encode here too; a name with a literal %41 is rarer.
  return /%[0-9a-f]{2}/i.test(text) ? (decodePercents(text) ?? text) : text
}

function lastSegment(url: URL): string | null {
  const segment = url.pathname.split('/').at(-1) ?? ''
  return decodePercents(segment) ?? segment
}

/** Node decodes headers as Latin-1; senders of non-ASCII bytes nearly always mean UTF-8. */
function fromHeaderBytes(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header
  const text = Buffer.from(header, 'latin1').toString('utf8')
  return text.includes('�') ? header : text
}

function decodePercents(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function decodeLatin(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Content of a Content-Type header in lower case; `charset` is `null` for none. */
type MediaType = { readonly type: string; readonly charset: string | null }

/** Parses a Content-Type header; `null` if absent or not a media type. */
export function readMediaType(header: string | undefined): MediaType | null {
  const [first = '', ...parameters] = (header ?? '').slice(0, 500).toLowerCase().split(';')
  const type = first.trim()
  if (!/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type)) return null
  const charsets = parameters.map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(parameter)?.[1])
  return { type, charset: charsets.find((charset) => charset !== undefined) ?? null }
}
