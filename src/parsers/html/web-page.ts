import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Token, Tokenizer } from 'parse5'
import { VOID_ELEMENTS } from './html-elements.ts'
import { getMode } from './html-reader.ts'

/** A page for a crawler. */
export type WebPage = {
  /** Absolute http and https URLs of the links, without fragments, each once. */
  links: string[]
  /** Canonical URL; `null` for none. */
  canonical: string | null
  /** Instructions for crawlers (`<meta name="robots">`). */
  noIndex: boolean
  noFollow: boolean
  /** The page without navigation, headers, footers and sidebars; only `main` if it has text. */
  mainContent: string
}

/** More links of one page are hardly meant for readers. */
const MAX_LINKS = 5000
/** Some milliseconds of work on the event loop. */
const SLICE_CHARACTERS = 64 * 1024
/** A shorter `main` is a placeholder that scripts fill. */
const MIN_MAIN_CHARACTERS = 200
const MIN_KEPT_CHARACTERS = 40

const CUT_ELEMENTS: ReadonlySet<string> = new Set(['nav', 'aside', 'footer', 'header'])
const CUT_ROLES: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search'])
/** Inside, headers and footers belong to the text. */
const CONTENT_ELEMENTS: ReadonlySet<string> = new Set(['main', 'article'])
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template'])

/** Reads links and main content of a page that was downloaded from `url`. */
export async function readWebPage(html: string, url: string): Promise<WebPage> {
  const head = createHeadReader(url)
  const regions = createRegions()
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token: Token.TagToken) {
        tokenizer.state = getMode(token.tagName)
        const attributes = new Map(token.attrs.map(({ name, value }) => [name, value]))
        head.begin(token.tagName, attributes)
        regions.begin(token, attributes)
      },
      onEndTag: regions.end,
      onCharacter: ({ chars }) => regions.text(chars),
      onWhitespaceCharacter() {},
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {},
    },
  )
  for (let at = 0; at < html.length; at += SLICE_CHARACTERS) {
    tokenizer.write(html.slice(at, at + SLICE_CHARACTERS), false)
    await nextTurn()
  }
  tokenizer.write('', true)
  return { ...head.read(), mainContent: regions.select(html) }
}

type Attributes = ReadonlyMap<string, string>

/** Collects links and the instructions for crawlers. */
function createHeadReader(url: string) {
  const links = new Set<string>()
  let base = url
  let canonical: string | null = null
  let robots = ''

  function resolve(href: string | undefined): string | null {
    const target = href === undefined ? null : URL.parse(href.trim(), base)
    if (target === null || !/^https?:$/.test(target.protocol)) return null
    target.hash = ''
    return target.href
  }

  function follow(href: string | undefined): void {
    const target = resolve(href)
    if (target !== null && links.size < MAX_LINKS) links.add(target)
  }

  return {
    begin(name: string, attributes: Attributes): void {
      const rel = attributes.get('rel')?.toLowerCase().split(/\s+/) ?? []
      if ((name === 'a' || name === 'area') && !rel.includes('nofollow')) follow(attributes.get('href'))
      if (name === 'link' && rel.includes('canonical')) canonical ??= resolve(attributes.get('href'))
      if (name === 'base') base = resolve(attributes.get('href')) ?? base
      if (name !== 'meta') return
      const content = attributes.get('content') ?? ''
      if (/^(?:robots|recollect)$/i.test(attributes.get('name') ?? '')) robots += `,${content.toLowerCase()}`
      if (attributes.get('http-equiv')?.toLowerCase() === 'refresh')
        follow(/url\s*=\s*['"]?([^'"]+)/i.exec(content)?.[1])
    },
    read() {
      const asked = robots.split(',').map((word) => word.trim())
      const has = (word: string) => asked.includes(word) || asked.includes('none')
      return { links: [...links], canonical, noIndex: has('noindex'), noFollow: has('nofollow') }
    },
  }
}

type Range = { start: number; end: number }

/** An open region, until the matching end tag. */
type OpenRegion = { name: string; depth: number; start: number }
type Parts = { cut: OpenRegion | null; main: OpenRegion | null; title: OpenRegion | null; silent: string | null }

/** Finds the ranges to keep and to cut. An element without an end tag is neither. */
function createRegions() {
  const cuts: Range[] = []
  const mains: Range[] = []
  const now = { cut: null, main: null, title: null, silent: null } as Parts
  const characters = { main: 0, kept: 0 }
  let title: Range | null = null
  let contents = 0

  function close(part: 'cut' | 'main' | 'title', token: Token.TagToken): Range | null {
    const open = now[part]
    if (open === null || open.name !== token.tagName) return null
    open.depth -= 1
    if (open.depth > 0) return null
    now[part] = null
    return { start: open.start, end: token.location?.endOffset ?? open.start }
  }

  return {
    begin(token: Token.TagToken, attributes: Attributes): void {
      const { tagName: name } = token
      if (VOID_ELEMENTS.has(name)) return
      const region = { name, depth: 1, start: token.location?.startOffset ?? 0 }
      for (const open of [now.cut, now.main]) if (open?.name === name) open.depth += 1
      if (name === 'title' && title === null) now.title ??= region
      if (WITHOUT_TEXT.has(name)) now.silent ??= name
      if (CONTENT_ELEMENTS.has(name)) contents += 1
      if (isMain(name, attributes)) now.main ??= { ...region }
      if (isFrame(name, attributes, contents > 0)) now.cut ??= { ...region }
    },
    end(token: Token.TagToken): void {
      const { tagName: name } = token
      if (now.silent === name) now.silent = null
      if (CONTENT_ELEMENTS.has(name)) contents = Math.max(0, contents - 1)
      title ??= close('title', token)
      const [cut, main] = [close('cut', token), close('main', token)]
      if (cut !== null) cuts.push(cut)
      if (main !== null) mains.push(main)
    },
    text(chars: string): void {
      if (now.cut !== null || now.silent !== null || now.title !== null) return
      characters.kept += chars.length
      if (now.main !== null) characters.main += chars.length
    },
    /** A page of the kept parts; the whole page if hardly anything would be kept. */
    select(html: string): string {
      const whole = { start: 0, end: html.length }
      if (characters.kept < MIN_KEPT_CHARACTERS) return html
      if (characters.main < MIN_MAIN_CHARACTERS) return without(html, whole, cuts)
      const parts = withoutEach(html, mains, cuts)
      const heading = title === null ? '' : html.slice(title.start, title.end)
      return `<!doctype html><meta charset="utf-8">${heading}<body>${parts.join('\n')}`
    },
  }
}

function isMain(name: string, attributes: Attributes): boolean {
  return name === 'main' || attributes.get('role')?.toLowerCase() === 'main'
}

/** True for what surrounds the text of a page. */
function isFrame(name: string, attributes: Attributes, isInContent: boolean): boolean {
  if (CUT_ROLES.has(attributes.get('role')?.toLowerCase() ?? '')) return true
  const isOfContent = isInContent && (name === 'header' || name === 'footer')
  return CUT_ELEMENTS.has(name) && !isOfContent
}

/** Ranges of the page without the cuts inside them. Both lists are in order and do not overlap. */
function withoutEach(html: string, ranges: readonly Range[], cuts: readonly Range[]): string[] {
  let next = 0
  return ranges.map((range) => {
    // Comparing each range with each cut would stop the event loop for a page of many of both.
    while ((cuts[next]?.start ?? range.start) < range.start) next += 1
    const first = next
    while ((cuts[next]?.start ?? range.end) < range.end) next += 1
    return without(html, range, cuts.slice(first, next))
  })
}

/** A range of the page without the cuts inside it. */
function without(html: string, { start, end }: Range, cuts: readonly Range[]): string {
  let at = start
  let text = ''
  for (const cut of cuts) {
    if (cut.start < at || cut.end > end) continue
    text += html.slice(at, cut.start)
    at = cut.end
  }
  return text + html.slice(at, end)
}
