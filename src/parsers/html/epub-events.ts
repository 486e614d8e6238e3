import { ApiError } from '../../errors.ts'
import { type ByteSource, bufferBytes, readOpenFile } from '../byte-source.ts'
import { decodeBytes } from '../encoding/decode-file.ts'
import { detectEncoding, getMarkupCharset } from '../encoding/detect-encoding.ts'
import { surveyBytes } from '../encoding/survey-bytes.ts'
import { resolvePart } from '../ooxml/package/office-package.ts'
import { type Attributes, getAttribute, readXml, type XmlHandler } from '../ooxml/package/read-xml.ts'
import { createUnpackBudget, type UnpackBudget } from '../ooxml/package/unpack-budget.ts'
import { openZip } from '../ooxml/package/zip-archive.ts'
import {
  type Block,
  copyProtected,
  isTooLargeUnpacked,
  type ParseEvent,
  type SourceFile,
  unreadable,
} from '../parse-event.ts'
import {
  type ChapterTitles,
  type Contents,
  type ContentsEntry,
  createChapterTitles,
  readContents,
} from './epub-contents.ts'
import { createPageTokenizer } from './html-reader.ts'

/** Longer chapters are skipped with a warning. */
const MAX_CHAPTER_BYTES = 64 * 1024 * 1024
/** Warnings about chapters, before the rest is counted. */
const MAX_WARNINGS = 10
/** Characters read before events are yielded. */
const SLICE_CHARACTERS = 64 * 1024
/** A document type with declarations, allowed in XML only. */
const DECLARATIONS = /<!DOCTYPE[^<>[]*\[[^\]]*\]\s*>/i
const PICTURE = /<(?:\w+:)?(?:img|image|object|canvas)\b/i

/**
 * Reads a book (EPUB 2 or 3) in reading order: title and authors as a record, chapters as web
 * pages. Titles of the table of contents are headings where the text lacks them.
 *
 * Throws `unprocessable_document` if copy protected, damaged, or without text.
 */
export function readEpub({ path }: Pick<SourceFile, 'path'>): AsyncGenerator<ParseEvent> {
  return readOpenFile(path, (source) => readEpubBytes(source, createUnpackBudget()))
}

/** The same from bytes. Unpacked bytes count against `budget`. */
export async function* readEpubBytes(source: ByteSource, budget: UnpackBudget): AsyncGenerator<ParseEvent> {
  try {
    const book = await openEpub(source, budget)
    const texts = book.chapters.filter(({ isText }) => isText)
    if (texts.length > 0 && texts.every(({ isEncrypted }) => isEncrypted)) throw copyProtected()
    yield { title: book.title, over: 'headings' }
    for (const block of describeBook(book)) yield { block }
    yield* chapterEvents(book, await readContents(book))
    for (const warning of book.warnings) yield { warning }
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('The file is damaged: it cannot be read.', error)
  }
}

/** The record of a book. */
function describeBook({ title, authors }: EpubPackage): Block[] {
  const lines = [title === null ? '' : `Title: ${title}`, authors.length === 0 ? '' : `Author: ${authors.join('; ')}`]
  const shown = lines.filter((line) => line !== '')
  return shown.length === 0 ? [] : [{ text: `${shown.join('\n')}\n\n`, kind: 'record' }]
}

async function* chapterEvents(book: EpubPackage, contents: Contents): AsyncGenerator<ParseEvent> {
  const blocks: Block[] = []
  const titles = createChapterTitles((block) => void blocks.push(block))
  const faults: string[] = []
  let hasText = false
  let pictures = 0
  for (const { part, isText, isEncrypted } of book.chapters) {
    const markup = isText && !isEncrypted ? await readChapter(book, part, faults) : ''
    if (isEncrypted) faults.push(`The chapter ${part} is encrypted (DRM) and was not read.`)
    let isEmpty = true
    for (const _ of readMarkup(markup, contents.get(part.toLowerCase()) ?? [], titles)) {
      isEmpty &&= blocks.every(({ text }) => text.trim() === '')
      for (const block of blocks.splice(0)) yield { block }
    }
    hasText ||= !isEmpty
    if (isEmpty && (!isText || PICTURE.test(markup))) pictures += 1
  }
  if (!hasText) throw unreadable(describeEmptyBook(pictures, faults))
  for (const warning of faults.slice(0, MAX_WARNINGS)) yield { warning }
  if (faults.length > MAX_WARNINGS) yield { warning: `${faults.length} chapters in all were not read.` }
  if (pictures > 0) yield { warning: describePictures(pictures) }
}

function describeEmptyBook(pictures: number, [fault]: readonly string[]): string {
  if (fault !== undefined) return `The book has no text. ${fault}`
  return pictures > 0 ? 'The book has no text: its pages are pictures.' : 'The book has no text.'
}

function describePictures(count: number): string {
  return count === 1 ? '1 page is a picture and was not read.' : `${count} pages are pictures and were not read.`
}

/** Returns the markup of a chapter; empty for unreadable chapters, with a sentence in `faults`. */
async function readChapter(book: EpubPackage, part: string, faults: string[]): Promise<string> {
  if (!book.has(part)) {
    faults.push(`The chapter ${part} is missing.`)
    return ''
  }
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of book.read(part)) {
      bytes += piece.length
      if (bytes > MAX_CHAPTER_BYTES) throw unreadable('It is larger than 64 MB.')
      pieces.push(piece)
    }
  } catch (error) {
    if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
    faults.push(`The chapter ${part} was not read to its end. ${error.message}`)
  }
  const whole = Buffer.concat(pieces)
  const survey = await surveyBytes(bufferBytes(whole))
  const markup = decodeBytes(whole, detectEncoding(survey, getMarkupCharset(survey.head)) ?? 'utf-8')
  return markup.replace(DECLARATIONS, '')
}

/** Passes the blocks of a chapter to `titles`; yields after each slice. */
function* readMarkup(markup: string, entries: readonly ContentsEntry[], titles: ChapterTitles): Generator<void> {
  const tokenizer = createPageTokenizer(titles.add, () => undefined, true)
  let at = 0
  for (const { entry, place } of placeEntries(markup, entries)) {
    for (; at < place; at = Math.min(place, at + SLICE_CHARACTERS)) {
      tokenizer.write(markup.slice(at, Math.min(place, at + SLICE_CHARACTERS)), false)
      yield
    }
    // An empty block ends the text before the entry.
    if (place > 0) tokenizer.write('<div></div>', false)
    titles.begin(entry)
  }
  for (; at < markup.length; at += SLICE_CHARACTERS) {
    tokenizer.write(markup.slice(at, at + SLICE_CHARACTERS), false)
    yield
  }
  tokenizer.write('', true)
  titles.endFile()
  yield
}

const TAG_WITH_ID = /<[a-z][^<>]*?\s(?:xml:)?(?:id|name)\s?=\s?["']([^"'<>]*)["']/gi

/** Finds the places of entries in a chapter; entries without a known element begin it. */
function placeEntries(markup: string, entries: readonly ContentsEntry[]): { entry: ContentsEntry; place: number }[] {
  const wanted = new Set(entries.map(({ fragment }) => fragment).filter((fragment) => fragment !== ''))
  const places = new Map<string, number>()
  if (wanted.size > 0) {
    for (const match of markup.matchAll(TAG_WITH_ID)) {
      const id = match[1] ?? ''
      if (wanted.has(id) && !places.has(id)) places.set(id, match.index)
    }
  }
  const placed = entries.map((entry) => ({ entry, place: places.get(entry.fragment) ?? 0 }))
  return placed.sort((a, b) => a.place - b.place)
}

/** A file in the reading order. */
type EpubChapter = { part: string; isText: boolean; isEncrypted: boolean }

/** The parts and properties of a book. */
export type EpubPackage = {
  readonly title: string | null
  readonly authors: readonly string[]
  /** Files in reading order, each once. */
  readonly chapters: readonly EpubChapter[]
  /** Tables of contents: of EPUB 3, and of EPUB 2 (NCX). */
  readonly contents: { readonly nav: string | null; readonly ncx: string | null }
  /** Faults that did not stop the parser; grows while parts are read. */
  readonly warnings: string[]
  has(part: string): boolean
  /** Reads the bytes of a part. Throws `unprocessable_document` when absent or damaged. */
  read(part: string): AsyncGenerator<Buffer>
  /** Parses an optional part. Damage becomes a warning. */
  parseOptional(part: string, handler: XmlHandler): Promise<void>
}

/** Names of EPUB 3.3, section 4.2. */
const CONTAINER_PART = 'META-INF/container.xml'
const ENCRYPTION_PART = 'META-INF/encryption.xml'
/** Garbled fonts protect no text. EPUB 3.3, section 4.4. */
const FONT_ALGORITHM = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc/
const TEXT_TYPE = /xhtml|html|dtbook|svg|x-oeb1-document/i
const TEXT_NAME = /\.(?:xhtml|html?|xml|svg)$/i
const MAX_ITEMS = 100_000
const MAX_AUTHORS = 20
/** Longer texts are not titles or names. */
const MAX_NAME_CHARACTERS = 1_000

/** An item of the manifest. */
type Item = { part: string; type: string; properties: string }
type Publication = { title: string; authors: string[]; items: Map<string, Item>; spine: string[]; toc: string }

/**
 * Opens a book (EPUB 2 or 3). Throws `unprocessable_document` for a damaged archive and without
 * chapters. Unpacked bytes count against `budget`.
 */
async function openEpub(source: ByteSource, budget: UnpackBudget): Promise<EpubPackage> {
  const warnings: string[] = []
  const onBadChecksum = (name: string) =>
    void warnings.push(`The part ${name} does not match its checksum; its text may be damaged.`)
  const { has, read, names } = await openZip(source, { budget, onBadChecksum })

  async function parseOptional(part: string, handler: XmlHandler): Promise<void> {
    if (!has(part)) return
    try {
      for await (const _ of readXml(part, read(part), handler)) void _
    } catch (error) {
      if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
      warnings.push(`${error.message} The rest was read.`)
    }
  }

  const file = { has, parseOptional }
  const opf = (await findPublication(file)) ?? names.find((name) => /\.opf$/i.test(name)) ?? null
  const publication = opf === null ? null : await readPublication(file, opf)
  const encrypted = await readEncrypted(file)
  const listed = publication === null ? [] : listSpine(publication)
  if (listed.length === 0) warnings.push('The list of chapters is missing; the files were read in their stored order.')
  const found = listed.length > 0 ? listed : names.filter((name) => TEXT_NAME.test(name)).map(toTextItem)
  if (found.length === 0) throw unreadable('The file is damaged: it has no chapters.')
  const items = [...(publication?.items.values() ?? [])]
  return {
    title: publication?.title.trim() || null,
    authors: publication?.authors ?? [],
    chapters: found.map(({ part, type }) => ({
      part,
      isText: TEXT_TYPE.test(type),
      isEncrypted: encrypted.has(part.toLowerCase()),
    })),
    contents: {
      nav: items.find(({ properties }) => /(?:^|\s)nav(?:\s|$)/.test(properties))?.part ?? null,
      ncx: publication?.items.get(publication.toc)?.part ?? items.find(({ type }) => /ncx/.test(type))?.part ?? null,
    },
    warnings,
    has,
    read,
    parseOptional,
  }
}

type PartParser = Pick<EpubPackage, 'has' | 'parseOptional'>

/** A file without a manifest. */
function toTextItem(part: string): Item {
  return { part, type: 'application/xhtml+xml', properties: '' }
}

/** Chapters listed twice are read once. */
function listSpine({ items, spine }: Publication): Item[] {
  const listed = spine.flatMap((id) => items.get(id) ?? [])
  const texts = listed.length > 0 ? listed : [...items.values()].filter(({ type }) => /xhtml|dtbook/i.test(type))
  return [...new Map(texts.map((item) => [item.part.toLowerCase(), item])).values()]
}

async function findPublication({ has, parseOptional }: PartParser): Promise<string | null> {
  const paths: string[] = []
  await parseOptional(
    CONTAINER_PART,
    onElements((name, attributes) => {
      const path = name === 'rootfile' ? getAttribute(attributes, 'full-path') : null
      if (path !== null) paths.push(resolvePart('', path))
    }),
  )
  return paths.find(has) ?? null
}

/** Reads the package document. EPUB 3.3, section 5. */
async function readPublication({ parseOptional }: PartParser, opf: string): Promise<Publication> {
  const publication: Publication = { title: '', authors: [], items: new Map(), spine: [], toc: '' }
  let text: string | null = null

  function openElement(name: string, attributes: Attributes): void {
    if (name === 'title' || name === 'creator') text = ''
    else if (name === 'spine') publication.toc = getAttribute(attributes, 'toc') ?? ''
    else if (name === 'itemref' && publication.spine.length < MAX_ITEMS)
      publication.spine.push(getAttribute(attributes, 'idref') ?? '')
    else if (name === 'item' && publication.items.size < MAX_ITEMS)
      publication.items.set(getAttribute(attributes, 'id') ?? '', {
        part: resolvePart(opf, getAttribute(attributes, 'href') ?? ''),
        type: getAttribute(attributes, 'media-type') ?? '',
        properties: getAttribute(attributes, 'properties') ?? '',
      })
  }

  await parseOptional(opf, {
    open(name, attributes) {
      openElement(name, attributes)
      return false
    },
    close(name) {
      const shown = (text ?? '').replace(/\s+/g, ' ').trim()
      if (name === 'title' && publication.title === '') publication.title = shown
      if (name === 'creator' && shown !== '' && publication.authors.length < MAX_AUTHORS)
        publication.authors.push(shown)
      text = null
    },
    text(piece) {
      if (text !== null) text = (text + piece).slice(0, MAX_NAME_CHARACTERS)
    },
  })
  return publication
}

/** Returns the encrypted parts in lower case. */
async function readEncrypted({ parseOptional }: PartParser): Promise<ReadonlySet<string>> {
  const parts = new Set<string>()
  let algorithm: string | null = null
  await parseOptional(
    ENCRYPTION_PART,
    onElements((name, attributes) => {
      if (name === 'EncryptedData') algorithm = null
      else if (name === 'EncryptionMethod') algorithm ??= getAttribute(attributes, 'Algorithm')
      else if (name === 'CipherReference' && !FONT_ALGORITHM.test(algorithm ?? ''))
        parts.add(resolvePart('', getAttribute(attributes, 'URI') ?? '').toLowerCase())
    }),
  )
  return parts
}

function onElements(take: (name: string, attributes: Attributes) => void): XmlHandler {
  return {
    open(name, attributes) {
      take(name, attributes)
      return false
    },
    close() {},
    text() {},
  }
}
