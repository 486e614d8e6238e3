import type { IncomingMessage } from 'node:http'
import type { Log } from '../observability/log.ts'
import type { OpenAgents, requestOnce } from './guarded-agent.ts'
import { fromHeaderBytes, readMediaType, readResourceName } from './resource-name.ts'
import { saveBody } from './save-body.ts'
import { type FailureMessages, fetchFailed, toApiError, urlNotAllowed } from './url-failure.ts'
import {
  createUrlGuard,
  type PrivateAllowlistEntry,
  type Resolve,
  resolveBySystem,
  type UrlGuard,
} from './url-guard.ts'

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

/** The version of a resource, as its server names it; `null` for none. */
export type ResourceVersion = { etag: string | null; lastModified: string | null }

/** A response other than a redirect. `resource` is `null` unless the status is 200. */
export type FetchedPage = ResourceVersion & {
  status: number
  finalUrl: string
  retryAfter: string | null
  resource: FetchedResource | null
}

/** Downloads pages that may be gone or unchanged, as {@link UrlFetcher} does. */
export type PageFetcher = Pick<UrlFetcher, 'requireUrl'> & {
  /**
   * Downloads a resource to a new file at `path`, unless it has the given version (304) or the
   * server has another status than 200. Rejects as {@link UrlFetcher.fetchToFile} does.
   */
  fetchPage(
    text: string,
    asked: { path: string; version: ResourceVersion | null },
    signal: AbortSignal,
  ): Promise<FetchedPage>
  openAgents: OpenAgents
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
export function createUrlFetcher(deps: UrlFetcherDeps): UrlFetcher & PageFetcher {
  const { allowPrivate, maxBytes, timeouts, maxRedirects, log, resolve = resolveBySystem, ports = [80, 443] } = deps
  const guard = createUrlGuard({ allowPrivate, ports, resolve })
  const { connectMs, headersMs } = timeouts
  const connection = { guard, connectMs, ...(deps.extraRoots === undefined ? {} : { extraRoots: deps.extraRoots }) }
  const following = { guard, connection, headersMs, maxRedirects }
  return {
    requireUrl,
    fetchToFile: (text, path, signal) =>
      withTimeLimit(text, signal, async (url, ending) => {
        const { response, finalUrl } = await follow(following, url, { signal: ending })
        requireSuccess(response)
        const bytes = await saveBody(response, { path, limits: { maxBytes, ...timeouts }, signal: ending })
        return { bytes, ...describe(response, finalUrl) }
      }),
    fetchPage: (text, { path, version }, signal) =>
      withTimeLimit(text, signal, async (url, ending) => {
        const { response, finalUrl } = await follow(following, url, {
          signal: ending,
          conditions: toConditions(version),
        })
        const page = describePage(response, finalUrl)
        if (page.status !== 200) {
          response.destroy()
          return { ...page, resource: null }
        }
        const bytes = await saveBody(response, { path, limits: { maxBytes, ...timeouts }, signal: ending })
        return { ...page, resource: { bytes, ...describe(response, finalUrl) } }
      }),
    async openAgents(signal) {
      const { createGuardedAgents } = await import('./guarded-agent.ts')
      return createGuardedAgents({ ...connection, signal })
    },
  }

  async function withTimeLimit<Result>(
    text: string,
    signal: AbortSignal,
    fetch: (url: URL, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const url = requireUrl(text)
    const late = AbortSignal.timeout(timeouts.totalMs)
    try {
      return await fetch(url, AbortSignal.any([signal, late]))
    } catch (error) {
      signal.throwIfAborted()
      const slow = fetchFailed(`it took longer than ${timeouts.totalMs / 1000} seconds`)
      const failure = toApiError(late.aborted ? slow : error, FETCH_MESSAGES)
      log.info({ host: url.host, error: String(failure), cause: causeOf(failure) }, 'A download failed.')
      throw failure
    }
  }

  function requireUrl(text: string): URL {
    try {
      return guard.requireUrl(text).url
    } catch (error) {
      throw toApiError(error, FETCH_MESSAGES)
    }
  }
}

type FollowDeps = {
  guard: UrlGuard
  connection: Parameters<typeof requestOnce>[1]['connection']
  headersMs: number
  maxRedirects: number
}

/** The first response that is no redirect. */
async function follow(
  { guard, connection, headersMs, maxRedirects }: FollowDeps,
  first: URL,
  { signal, conditions = {} }: FollowOptions,
): Promise<Answer> {
  // Imported on first use: `node:http` and `node:https` as modules load all of Node's `fetch`, a
  // noticeable part of every start.
  const { requestOnce } = await import('./guarded-agent.ts')
  const request = (url: URL) => requestOnce(url, { connection, headersMs, signal, conditions })
  let answer: Answer = { response: await request(first), finalUrl: first }
  for (let redirects = 0; ; redirects += 1) {
    const target = readTarget(answer.response)
    if (target === null) return answer
    answer.response.destroy()
    if (redirects === maxRedirects) throw fetchFailed(`it redirects more than ${maxRedirects} times`)
    answer = await redirect(target, answer.finalUrl)
  }

  async function redirect(target: string, from: URL): Promise<Answer> {
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
type FollowOptions = { signal: AbortSignal; conditions?: Record<string, string> }

const REDIRECTS = [301, 302, 303, 307, 308]

/** Returns the redirect target; `null` for a response that is no redirect. */
function readTarget({ statusCode = 0, headers: { location } }: IncomingMessage): string | null {
  return REDIRECTS.includes(statusCode) && location !== undefined ? fromHeaderBytes(location) : null
}

/** Throws `url_fetch_failed` for any other status than 200. */
function requireSuccess(response: IncomingMessage): void {
  const { statusCode = 0 } = response
  if (statusCode === 200) return
  response.destroy()
  throw fetchFailed(`the server answered ${statusCode}`)
}

function toConditions(version: ResourceVersion | null): Record<string, string> {
  return {
    ...(version?.etag && { 'if-none-match': version.etag }),
    ...(version?.lastModified && { 'if-modified-since': version.lastModified }),
  }
}

/** Longer values are no versions, but a way to fill our tables. */
const MAX_VERSION_CHARACTERS = 500

function describePage({ statusCode = 0, headers }: IncomingMessage, url: URL): Omit<FetchedPage, 'resource'> {
  const { etag = null, 'last-modified': lastModified = null, 'retry-after': retryAfter = null } = headers
  const short = (text: string | null) => (text !== null && text.length <= MAX_VERSION_CHARACTERS ? text : null)
  return { status: statusCode, finalUrl: url.href, etag: short(etag), lastModified: short(lastModified), retryAfter }
}

function describe(response: IncomingMessage, url: URL): Omit<FetchedResource, 'bytes'> {
  const media = readMediaType(response.headers['content-type'])
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
