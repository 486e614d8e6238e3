import { resolvePart } from '../ooxml/package/office-package.ts'
import { getAttribute, type XmlHandler } from '../ooxml/package/read-xml.ts'
import type { Block } from '../parse-event.ts'
import type { EpubPackage } from './epub-events.ts'

/** An entry of the table of contents. */
export type ContentsEntry = {
  title: string
  /** Level from 1. */
  depth: number
  /** Id of an element; empty for the start of the file. */
  fragment: string
}

/** Entries by part in lower case, in the order of the table. */
export type Contents = ReadonlyMap<string, readonly ContentsEntry[]>

type Written = { title: string; depth: number; target: string | null }

const MAX_ENTRIES = 50_000
const MAX_TITLE_CHARACTERS = 300

/** Reads the table of contents, of EPUB 3 or else of EPUB 2. */
export async function readContents({ contents, parseOptional }: EpubPackage): Promise<Contents> {
  for (const [part, createHandler] of [
    [contents.nav, createNavHandler],
    [contents.ncx, createNcxHandler],
  ] as const) {
    if (part === null) continue
    const entries: Written[] = []
    await parseOptional(part, createHandler(entries))
    if (entries.length > 0) return groupByPart(part, entries)
  }
  return new Map()
}

/** An entry without a target names the group of the entries below, and begins at the first. */
function groupByPart(source: string, entries: readonly Written[]): Contents {
  const byPart = new Map<string, ContentsEntry[]>()
  let target: string | null = null
  for (const entry of entries.toReversed()) {
    target = entry.target ?? target
    if (target === null || entry.title === '') continue
    const part = resolvePart(source, target).toLowerCase()
    const fragment = target.split('#')[1] ?? ''
    const own = byPart.get(part) ?? []
    byPart.set(part, own)
    own.push({ title: entry.title, depth: entry.depth, fragment: decodeFragment(fragment) })
  }
  for (const own of byPart.values()) own.reverse()
  return byPart
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // A percent sign outside of an escape.
    return fragment
  }
}

function toTitle(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARACTERS).toWellFormed()
}

/** Reads a navigation document. EPUB 3.3, section 7. */
function createNavHandler(entries: Written[]): XmlHandler {
  let depth = 0
  let isContents = false
  let entry: Written | null = null
  return {
    open(name, attributes) {
      if (name === 'nav') isContents = /\btoc\b/.test(getAttribute(attributes, 'type') ?? '')
      else if (name === 'ol') depth += 1
      else if ((name === 'a' || name === 'span') && isContents && entry === null && depth > 0)
        entry = { title: '', depth, target: getAttribute(attributes, 'href') }
      return false
    },
    close(name) {
      if (name === 'nav') isContents = false
      else if (name === 'ol') depth -= 1
      else if (entry !== null && name === (entry.target === null ? 'span' : 'a')) {
        if (entries.length < MAX_ENTRIES) entries.push({ ...entry, title: toTitle(entry.title) })
        entry = null
      }
    },
    text(text) {
      if (entry !== null) entry.title += text
    },
  }
}

/** Reads the table of EPUB 2. Open Packaging Format 2.0.1, section 2.4.1. */
function createNcxHandler(entries: Written[]): XmlHandler {
  let depth = 0
  let title: string | null = null
  return {
    open(name, attributes) {
      if (name === 'navPoint') depth += 1
      else if (name === 'navLabel') title = ''
      else if (name === 'content' && title !== null && entries.length < MAX_ENTRIES) {
        entries.push({ title: toTitle(title), depth, target: getAttribute(attributes, 'src') })
        title = null
      }
      return name === 'pageList' || name === 'navList' || name === 'head'
    },
    close(name) {
      if (name === 'navPoint') depth -= 1
    },
    text(text) {
      if (title !== null) title += text
    },
  }
}

/** Adds the titles of the table of contents to the blocks of a book. */
export type ChapterTitles = {
  /** The next block belongs to this entry. */
  begin(entry: ContentsEntry): void
  add(block: Block): void
  /** A file ends: its last title does not continue in the next file. */
  endFile(): void
}

/** A title may be set in several paragraphs. */
const MAX_TITLE_BLOCKS = 4
const MAX_LEVEL = 6

/**
 * Creates the filter of a book. A title repeated as a heading is not added. A title repeated
 * in paragraphs replaces the paragraphs. A title without text is kept if titles below follow.
 */
export function createChapterTitles(emit: (block: Block) => void): ChapterTitles {
  let waiting: ContentsEntry[] = []
  /** Blocks after the first waiting title, possible repeats. */
  let held: Block[] = []
  /** True after a file, until the next file confirms or drops the waiting titles. */
  let isStale = false

  function emitTitle({ title, depth }: ContentsEntry): void {
    emit({ text: `${title}\n\n`, kind: 'heading', level: Math.min(depth, MAX_LEVEL), heading: title })
  }

  function emitHeld(): void {
    for (const block of held.splice(0)) emit(block)
  }

  /** Compares the held blocks with the waiting titles. `isComplete`: no further block follows. */
  function settle(isComplete: boolean): void {
    while (waiting.length > 0 && hasText(held)) {
      const entry = waiting[0] as ContentsEntry
      const place = compare(entry.title, held)
      if (place === 'begins' && !isComplete) return
      waiting.shift()
      if (place === 'same-heading') emitHeld()
      else emitTitle(entry)
      if (place === 'same') held = []
    }
    if (waiting.length === 0) emitHeld()
  }

  return {
    begin(entry) {
      settle(true)
      waiting = waiting.filter(({ depth }) => depth < entry.depth)
      waiting.push(entry)
      isStale = false
    },
    add(block) {
      if (isStale) waiting = []
      isStale = false
      if (waiting.length === 0) {
        emit(block)
        return
      }
      held.push(block)
      settle(false)
    },
    endFile() {
      settle(true)
      emitHeld()
      isStale = true
    },
  }
}

type Place = 'same' | 'same-heading' | 'begins' | 'other'

/** Relation of a title to the blocks at its place. */
function compare(title: string, blocks: readonly Block[]): Place {
  const filled = blocks.filter(({ text }) => text.trim() !== '')
  const wanted = toLetters(title)
  const [first] = filled
  const isHeading = first?.kind === 'heading'
  const found = toLetters(filled.map(({ text }) => text).join(' '))
  if (found === wanted) return isHeading ? 'same-heading' : 'same'
  const own = toLetters(first?.text ?? '')
  if (isHeading && own !== '' && (wanted.includes(own) || own.includes(wanted))) return 'same-heading'
  return wanted.startsWith(found) && blocks.length < MAX_TITLE_BLOCKS ? 'begins' : 'other'
}

function hasText(blocks: readonly Block[]): boolean {
  return blocks.some(({ text }) => text.trim() !== '')
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
