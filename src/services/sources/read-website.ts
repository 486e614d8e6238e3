import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { SourceRunResource, WebsiteSettings } from '../../api/source.ts'
import type { Source, SourceItem } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { DOCUMENT_FIELDS, SOURCES } from '../../limits.ts'
import { decodeFile } from '../../parsers/encoding/decode-file.ts'
import { readWebPage, type WebPage } from '../../parsers/html/web-page.ts'
import { sniff } from '../../parsers/sniff.ts'
import type { FetchedPage, FetchedResource, ResourceVersion } from '../../url-fetch/url-fetcher.ts'
import type { UploadedFile } from '../ingest/ingest.ts'
import type { SourceRun } from './source-run.ts'
import {
  createDownload,
  createRobots,
  createScope,
  type Download,
  isAsset,
  type Robots,
  readSitemap,
  type Scope,
  type WebDeps,
} from './website-rules.ts'

/** Larger pages are added whole, without links. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024

/**
 * A version of a page, the hash of the content (many servers name no version), and the number of
 * links from a start URL.
 */
type PageFingerprint = ResourceVersion & { hash: string; depth: number }

type Visit = { url: string; depth: number; isStart: boolean }

type Crawl = {
  settings: WebsiteSettings
  run: SourceRun
  download: Download
  robots: Robots
  scope: Scope
  queue: Visit[]
  queued: Set<string>
  /** Pages of earlier runs to remove at the end. */
  gone: Set<string>
  /** Number of pages found in the run. */
  alive: number
  /** Number of downloads left. */
  visitsLeft: number
  isFull: boolean
  /** True if servers may answer 304. */
  isConditional: boolean
}

/**
 * Reads a website into a run, by URL. Start URLs and the sitemap come first, then the links. Pages
 * of earlier runs without a link come last. A page is removed only if the server reports the page
 * as gone, moved or not for crawlers. A website without an answer loses nothing.
 */
export async function readWebsite(
  deps: WebDeps,
  { source, settings }: { source: Source; settings: WebsiteSettings },
  run: SourceRun,
): Promise<void> {
  const crawl = { ...openCrawl(deps, settings, run), isConditional: isWhole(source) }
  for (const url of settings.startUrls) enqueue(crawl, { url, depth: 0, isStart: true })
  if (settings.sitemapUrl !== null)
    for (const url of await readSitemap(crawl.download, settings.sitemapUrl))
      enqueue(crawl, { url, depth: 0, isStart: false })
  await visitAll(crawl)
  for await (const item of run.listUnseen()) {
    if (crawl.gone.has(item.key)) continue
    const { depth = settings.maxDepth } = readFingerprint(item)
    if (crawl.scope.has(item.key)) crawl.queue.push({ url: item.key, depth, isStart: false })
    else crawl.gone.add(item.key)
  }
  await visitAll(crawl)
  await finish(crawl)
}

/**
 * True if the last run has followed all links. Otherwise unchanged pages are read again for their
 * links.
 */
function isWhole({ attempts, last_run: last, updated_at: changedAt }: Source): boolean {
  if (last === null || attempts > 1) return false
  const { outcome, startedAt } = JSON.parse(last) as SourceRunResource
  return outcome === 'completed' && changedAt < startedAt
}

function openCrawl(deps: WebDeps, settings: WebsiteSettings, run: SourceRun): Omit<Crawl, 'isConditional'> {
  const robots = createRobots(() => download)
  const pauseMs = (url: string) => Math.max(settings.pauseMs, robots.crawlDelayMs(url))
  const download = createDownload(deps, { signal: run.signal, pauseMs })
  const scope = createScope(settings)
  const found = { queue: [], queued: new Set<string>(), gone: new Set<string>(), alive: 0, isFull: false }
  const visitsLeft = Math.max(SOURCES.visits.least, SOURCES.visits.perPage * settings.maxPages)
  return { settings, run, download, robots, scope, visitsLeft, ...found }
}

function enqueue(crawl: Crawl, visit: Visit): void {
  const { queue, queued, settings } = crawl
  const { url, depth } = visit
  if (depth > settings.maxDepth || queued.has(url)) return
  if (queued.size >= SOURCES.items) {
    crawl.isFull = true
    return
  }
  queued.add(url)
  queue.push(visit)
}

async function visitAll(crawl: Crawl): Promise<void> {
  for (let visit = crawl.queue.shift(); visit !== undefined; visit = crawl.queue.shift()) {
    crawl.run.signal.throwIfAborted()
    if (crawl.run.hasSeen(visit.url) || crawl.gone.has(visit.url)) continue
    try {
      await visitPage(crawl, visit)
    } catch (error) {
      if (crawl.run.signal.aborted || !(error instanceof ApiError) || !isOfPage(error)) throw error
      crawl.run.fail(visit.url, error.message)
    }
  }
}

/** True for a failed download; further errors concern the run. */
function isOfPage({ code }: ApiError): boolean {
  return ['url_fetch_failed', 'url_not_allowed', 'url_too_large', 'validation_failed'].includes(code)
}

async function finish({ run, gone, alive, isFull, settings }: Crawl): Promise<void> {
  if (alive === 0) {
    await run.finish(new Set())
    const { problems } = run.report
    const cause = problems[0] === undefined ? '' : ` ${problems[0].item}: ${problems[0].reason}`
    throw new ApiError('url_fetch_failed', {
      message: `No page could be read, so all documents were kept.${cause}`.slice(0, 2000),
    })
  }
  if (isFull) {
    const { maxPages } = settings
    const cause =
      run.room.documents < maxPages
        ? 'The website leads to too many pages'
        : `There are more pages than maxPages (${maxPages})`
    run.report.reason = `${cause}; the rest was left out.`
  }
  await run.finish(gone)
}

async function visitPage(crawl: Crawl, visit: Visit): Promise<void> {
  const { run, robots, scope, gone } = crawl
  const { url } = visit
  if (!scope.has(url) && !visit.isStart) return
  if (isAsset(url) && !visit.isStart) return
  const most = DOCUMENT_FIELDS.externalIdCharacters
  if (url.length > most && !visit.isStart) return run.skip(url, `It has more than ${most} characters.`)
  const known = await run.getKnown(url)
  const isNew = known === null || known.document_id === null
  // A website may link, redirect or point to ever further pages without a document, and checking
  // its rules takes time.
  if ((isNew && run.room.documents >= crawl.settings.maxPages) || crawl.visitsLeft === 0) {
    crawl.isFull = true
    return
  }
  crawl.visitsLeft -= 1
  if (!(await robots.allows(url))) {
    if (known !== null) gone.add(url)
    return note(crawl, visit, 'robots.txt does not allow it.')
  }
  await crawl.download(url, known === null || !crawl.isConditional ? null : readVersion(known), async (page, path) => {
    if (page.finalUrl !== url) return followRedirect(crawl, visit, page.finalUrl)
    if (page.status === 304 && known !== null) {
      crawl.alive += 1
      return run.keepUnchanged(known)
    }
    if (page.status === 404 || page.status === 410) {
      gone.add(url)
      return note(crawl, visit, `The server answered ${page.status}.`)
    }
    if (page.resource === null) return run.fail(url, `The server answered ${page.status}.`)
    await readPage(crawl, { visit, known, page, resource: page.resource, path })
  })
}

/** Reports a start URL without a page. Further links without a page are no problem. */
function note({ run }: Crawl, { url, isStart }: Visit, reason: string): void {
  if (isStart) run.fail(url, reason)
}

function followRedirect(crawl: Crawl, { url, depth, isStart }: Visit, target: string): void {
  if (isStart) crawl.scope.addStart(target)
  crawl.gone.add(url)
  enqueue(crawl, { url: target, depth, isStart })
}

function readFingerprint({ fingerprint }: SourceItem): Partial<PageFingerprint> {
  return JSON.parse(fingerprint ?? '{}') as Partial<PageFingerprint>
}

function readVersion(known: SourceItem): ResourceVersion {
  const { etag = null, lastModified = null } = readFingerprint(known)
  return { etag, lastModified }
}

type ReadPage = {
  visit: Visit
  known: SourceItem | null
  page: FetchedPage
  resource: FetchedResource
  path: string
}

async function readPage(crawl: Crawl, { visit, known, page, resource, path }: ReadPage): Promise<void> {
  const { run, settings } = crawl
  const { url } = visit
  const file = toFile(resource, path)
  const html = await readHtml(file, url)
  crawl.alive += 1
  if (html !== null && !followPage(crawl, visit, html)) return void crawl.gone.add(url)
  const isCut = html !== null && settings.mainContent
  if (isCut) await writeFile(path, html.mainContent)
  const hash = isCut ? hashOf(html.mainContent) : await hashFile(path)
  const { etag, lastModified } = page
  const fingerprint = JSON.stringify({ etag, lastModified, hash, depth: visit.depth } satisfies PageFingerprint)
  if (known !== null && readFingerprint(known).hash === hash) return run.keepUnchanged(known, fingerprint)
  const content = isCut ? toCutFile(file, html.mainContent) : file
  await run.put(url, { file: content, fingerprint, url })
}

/** Enqueues the links of a page. False: the URL gets no document. */
function followPage(crawl: Crawl, { url, depth }: Visit, page: WebPage): boolean {
  const { scope } = crawl
  if (!page.noFollow)
    for (const link of page.links) if (scope.has(link)) enqueue(crawl, { url: link, depth: depth + 1, isStart: false })
  if (page.noIndex) return false
  const { canonical } = page
  if (canonical === null || canonical === url || !scope.has(canonical)) return true
  enqueue(crawl, { url: canonical, depth, isStart: false })
  return false
}

function toFile({ bytes, filename, contentType, charset }: FetchedResource, path: string): UploadedFile {
  const declaredType = contentType === null || charset === null ? contentType : `${contentType}; charset=${charset}`
  // Servers send a page under any name, such as `README.md`.
  const isPage = /^(?:text\/html|application\/xhtml\+xml)\b/.test(declaredType ?? '')
  return { path, bytes, filename: isPage ? null : filename, declaredType }
}

function toCutFile(file: UploadedFile, html: string): UploadedFile {
  return { ...file, bytes: Buffer.byteLength(html), declaredType: 'text/html; charset=utf-8' }
}

/** Links and content of an HTML page; `null` for other files and for very large pages. */
async function readHtml(file: UploadedFile, url: string): Promise<WebPage | null> {
  if (file.bytes > MAX_PAGE_BYTES || file.bytes === 0) return null
  const type = await sniff(file).catch((error: unknown) => {
    // The add reports the reason.
    if (error instanceof ApiError) return null
    throw error
  })
  if (type?.format !== 'html' || type.encoding === null) return null
  let text = ''
  for await (const piece of decodeFile(file.path, { encoding: type.encoding, isPacked: false })) text += piece.text
  return readWebPage(text, url)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
