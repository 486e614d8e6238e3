import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import robotsParser from 'robots-parser'
import { SaxesParser } from 'saxes'
import type { WebsiteSettings } from '../../api/source.ts'
import { ApiError } from '../../errors.ts'
import type { FetchedPage, PageFetcher, ResourceVersion } from '../../url-fetch/url-fetcher.ts'

/** Name of our crawler in robots.txt, and in the User-Agent header. */
const CRAWLER = 'Recollect'
/** RFC 9309, section 2.5: at least 500 kB of a robots.txt must be read. */
const MAX_ROBOTS_BYTES = 512 * 1024
/** Protocol of sitemaps.org: at most 50 MB and 50,000 URLs in a file. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024
const MAX_SITEMAP_URLS = 50_000
/** Maximum files of a sitemap index. */
const MAX_SITEMAPS = 100
/** Our choice: checking a URL of 500 characters against such patterns takes up to 60 ms. */
const MAX_WILDCARD_CHARACTERS = 8 * 1024
/** Longest pause for a website. */
const MAX_PAUSE_MS = 60_000

/** Dependencies of a crawler. */
export type WebDeps = { pages: PageFetcher; temporaryDirectory: string }

/** A download to a temporary file, deleted after `use`. */
export type Download = <Result>(
  url: string,
  version: ResourceVersion | null,
  use: (page: FetchedPage, path: string) => Promise<Result>,
) => Promise<Result>

/**
 * Creates a download with pauses between the requests. Statuses 429 and 503 are tried once more
 * after the time that the server asks for.
 */
export function createDownload(
  { pages, temporaryDirectory }: WebDeps,
  { signal, pauseMs }: { signal: AbortSignal; pauseMs: (url: string) => number },
): Download {
  let lastMs = Number.NEGATIVE_INFINITY

  async function wait(ms: number): Promise<void> {
    const restMs = Math.min(ms, MAX_PAUSE_MS) - (performance.now() - lastMs)
    if (restMs > 0) await pause(restMs, undefined, { signal })
    signal.throwIfAborted()
  }

  return async (url, version, use) => {
    for (let tries = 1; ; tries += 1) {
      const path = join(temporaryDirectory, `source-${randomUUID()}`)
      await wait(pauseMs(url))
      try {
        const page = await pages.fetchPage(url, { path, version }, signal).finally(() => {
          lastMs = performance.now()
        })
        const isBusy = page.status === 429 || page.status === 503
        if (!isBusy || tries > 1) return await use(page, path)
        await wait(readSeconds(page.retryAfter) * 1000)
      } finally {
        await rm(path, { force: true })
      }
    }
  }
}

/** Our choice for a server without a time, or with a date. */
const DEFAULT_RETRY_SECONDS = 5

function readSeconds(retryAfter: string | null): number {
  return retryAfter !== null && /^\d{1,5}$/.test(retryAfter.trim()) ? Number(retryAfter) : DEFAULT_RETRY_SECONDS
}

/** The rules of robots.txt by origin, each read once in a run. */
export type Robots = {
  /** Rejects with `url_fetch_failed` if the server does not answer: all is forbidden then. */
  allows(url: string): Promise<boolean>
  /** Pause between requests by the rules; 0 before the rules are read. */
  crawlDelayMs(url: string): number
}

/** The package is CommonJS, whose default is the function itself. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

type Rules = ReturnType<typeof parseRobots>

/** Creates the rules; `download` reads them. */
export function createRobots(download: () => Download): Robots {
  const rules = new Map<string, Promise<Rules>>()
  const known = new Map<string, Rules>()

  function get(url: string): Promise<Rules> {
    const { origin } = new URL(url)
    const found = rules.get(origin) ?? read(origin)
    rules.set(origin, found)
    return found
  }

  async function read(origin: string): Promise<Rules> {
    const url = `${origin}/robots.txt`
    const text = await download()(url, null, async ({ status, resource }, path) => {
      if (status === 200) return (resource?.bytes ?? 0) > MAX_ROBOTS_BYTES ? readStart(path) : readFile(path, 'utf8')
      // RFC 9309, 2.3.1.3 and 2.3.1.4: without rules all is allowed, without an answer nothing.
      if (status >= 500 || status === 429)
        throw new ApiError('url_fetch_failed', { message: `The server answered ${status} to ${url}.` })
      return ''
    })
    const parsed = parseRobots(url, keepOwnRules(text, url))
    known.set(origin, parsed)
    return parsed
  }

  return {
    allows: async (url) => (await get(url)).isAllowed(url, CRAWLER) !== false,
    crawlDelayMs: (url) => 1000 * (known.get(new URL(url).origin)?.getCrawlDelay(CRAWLER) ?? 0),
  }
}

/**
 * The lines of a robots.txt for this crawler and for all crawlers. The parser keeps each rule once
 * per crawler of the group, which takes gigabytes for a hostile file. It compares each character of
 * a pattern with wildcards with the whole URL. Throws `url_fetch_failed` for too many of these.
 */
function keepOwnRules(text: string, url: string): string {
  const kept: string[] = []
  const agents = new Set<string>()
  let isGroupOver = true
  let wildcardCharacters = 0
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = '', value = ''] = /^([^#:]*):([^#]*)/.exec(line) ?? []
    if (field.trim() === '') continue
    if (field.trim().toLowerCase() !== 'user-agent') {
      isGroupOver = true
      if (agents.size === 0) continue
      if (value.includes('*')) wildcardCharacters += value.length
      kept.push(`${field}:${value}`)
      continue
    }
    if (isGroupOver) agents.clear()
    isGroupOver = false
    const agent = value.toLowerCase().replace(/\/.*/, '').trim()
    if (agents.has(agent) || (agent !== '*' && agent !== CRAWLER.toLowerCase())) continue
    agents.add(agent)
    kept.push(`User-agent: ${agent}`)
  }
  if (wildcardCharacters > MAX_WILDCARD_CHARACTERS)
    throw new ApiError('url_fetch_failed', { message: `The rules of ${url} have too many wildcards.` })
  return kept.join('\n')
}

async function readStart(path: string): Promise<string> {
  let text = ''
  for await (const chunk of createReadStream(path, { end: MAX_ROBOTS_BYTES - 1, encoding: 'utf8' })) text += chunk
  return text
}

/** The URLs of a website. */
export type Scope = {
  has(url: string): boolean
  /** Extends the scope by the folder of a start URL's target, unless prefixes were given. */
  addStart(url: string): void
}

/** Creates the scope of the settings. */
export function createScope({ startUrls, sitemapUrl, prefixes }: WebsiteSettings): Scope {
  const given = [...prefixes]
  const isOpen = prefixes.length === 0
  const add = (url: string) => void (isOpen && given.push(url))
  for (const url of startUrls) add(folderOf(url))
  if (sitemapUrl !== null && startUrls.length === 0) add(`${new URL(sitemapUrl).origin}/`)
  return { has: (url) => given.some((prefix) => url.startsWith(prefix)), addStart: (url) => add(folderOf(url)) }
}

function folderOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.slice(0, pathname.lastIndexOf('/') + 1)
}

/** Endings of files that pages load, and of files that the service does not read. */
const ASSETS = new RegExp(
  '\\.(?:css|js|mjs|map|json|xml|rss|atom|ico|png|jpe?g|gif|webp|avif|svg|bmp|tiff?|woff2?|ttf|eot|otf|mp[34]|m4[av]|' +
    'webm|ogg|wav|avi|mov|mkv|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|msi|deb|rpm|apk|iso|jar|wasm)$',
  'i',
)

/** True for a link that is no page or document. */
export function isAsset(url: string): boolean {
  return ASSETS.test(new URL(url).pathname)
}

/** URLs of a sitemap, or of the sitemaps of an index. Rejects if the first file cannot be read. */
export async function readSitemap(download: Download, first: string): Promise<string[]> {
  const files = [first]
  const urls = new Set<string>()
  for (let at = 0; at < files.length && urls.size < MAX_SITEMAP_URLS; at += 1) {
    const url = files[at] ?? first
    const found = await download(url, null, async ({ status }, path) => {
      if (status !== 200)
        throw new ApiError('url_fetch_failed', { message: `The server answered ${status} to ${url}.` })
      return parseSitemap(path, url)
    })
    for (const page of found.pages) if (urls.size < MAX_SITEMAP_URLS) urls.add(page)
    for (const file of found.sitemaps) if (files.length < MAX_SITEMAPS && !files.includes(file)) files.push(file)
  }
  return [...urls]
}

async function parseSitemap(path: string, base: string): Promise<{ pages: string[]; sitemaps: string[] }> {
  const found = { pages: [] as string[], sitemaps: [] as string[] }
  const parser = new SaxesParser({ xmlns: false })
  let text: string | null = null
  let isIndex = false
  parser.on('opentag', ({ name }) => {
    if (name === 'sitemapindex') isIndex = true
    if (name === 'loc') text = ''
  })
  parser.on('text', (piece) => {
    if (text !== null && text.length < 10_000) text += piece
  })
  parser.on('closetag', ({ name }) => {
    const target = name === 'loc' && text !== null ? URL.parse(text.trim(), base) : null
    if (name === 'loc') text = null
    if (target === null || !/^https?:$/.test(target.protocol)) return
    target.hash = ''
    const [list, most] = isIndex ? [found.sitemaps, MAX_SITEMAPS] : [found.pages, MAX_SITEMAP_URLS]
    if (list.length < most) list.push(target.href)
  })
  try {
    for await (const piece of openText(path)) parser.write(piece)
    parser.close()
  } catch (error) {
    const cause = error instanceof Error ? error : undefined
    throw new ApiError('url_fetch_failed', { message: `The sitemap ${base} is not valid XML.`, cause })
  }
  return found
}

/** The text of a file, unpacked if it is a gzip file. */
async function* openText(path: string): AsyncGenerator<string> {
  const [head] = await createReadStream(path, { end: 1 }).toArray()
  const isPacked = (head as Buffer | undefined)?.toString('hex') === '1f8b'
  const file = createReadStream(path)
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const chunk of isPacked ? file.pipe(createGunzip()) : file) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_SITEMAP_BYTES) throw new Error('the sitemap has more than 50 MB')
    yield decoder.decode(chunk as Buffer, { stream: true })
  }
  yield decoder.decode()
}
