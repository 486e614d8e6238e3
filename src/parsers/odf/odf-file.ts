import { ApiError } from '../../errors.ts'
import type { ByteSource } from '../byte-source.ts'
import { readChunks } from '../encoding/survey-bytes.ts'
import { getAttribute, readXml, type XmlHandler } from '../ooxml/package/read-xml.ts'
import type { UnpackBudget } from '../ooxml/package/unpack-budget.ts'
import { openZip } from '../ooxml/package/zip-archive.ts'
import { isTooLargeUnpacked, passwordProtected, unreadable } from '../parse-event.ts'

/** Kind of OpenDocument file. */
export type OdfKind = 'odt' | 'ods' | 'odp'

/** The parts of an OpenDocument file: a zip archive, or one flat XML file. */
export type OdfFile = {
  /** True for a single XML file with all parts. */
  readonly isFlat: boolean
  /** Tolerated faults; grows while parts are read. */
  readonly warnings: string[]
  has(part: string): boolean
  /** Yields the bytes of a part, of a flat file always the whole file. */
  read(part: string): AsyncGenerator<Buffer>
  /** Parses a part up to the body, without the body. Damage becomes a warning. */
  parseHead(part: string, handler: XmlHandler): Promise<void>
  /** Parses an optional part. Damage becomes a warning. */
  parseOptional(part: string, handler: XmlHandler): Promise<void>
  /** True on the first call for a part; each part is read once, despite repeated references. */
  claimPart(part: string): boolean
}

/** Main parts of the zip form. OpenDocument 1.3 part 2, section 3.1. */
export const CONTENT_PART = 'content.xml'
/** Styles, headers and footers. */
export const STYLES_PART = 'styles.xml'
/** Title and other properties. */
export const META_PART = 'meta.xml'
/** List of the parts and their types. */
export const MANIFEST_PART = 'META-INF/manifest.xml'
/** The only part of a wholly encrypted package. OpenDocument 1.4. */
const ENCRYPTED_PACKAGE = 'encrypted-package'
const MAIN_PARTS: ReadonlySet<string> = new Set([CONTENT_PART, STYLES_PART, META_PART])

type PartReader = Pick<OdfFile, 'has' | 'read' | 'isFlat' | 'warnings'>

/**
 * Opens an OpenDocument file. Throws `unprocessable_document` for an encrypted or damaged file.
 * Unpacked bytes count against `budget`.
 */
export async function openOdf(source: ByteSource, budget: UnpackBudget): Promise<OdfFile> {
  const isZip = (await source.read(0, 2)).toString('latin1') === 'PK'
  const parts = isZip ? await openZipParts(source, budget) : openFlatParts(source)
  const taken = new Set<string>()

  async function parseOptional(part: string, handler: XmlHandler): Promise<void> {
    if (!parts.has(part)) return
    await withWarning(parts, async () => {
      for await (const _ of readXml(part, parts.read(part), handler)) void _
    })
  }

  const file: OdfFile = {
    ...parts,
    parseOptional,
    async parseHead(part, handler) {
      if (!parts.has(part)) return
      const head = createHeadHandler(handler)
      await withWarning(parts, async () => {
        for await (const _ of readXml(part, parts.read(part), head.handler)) if (head.isOver()) return
      })
    },
    claimPart(part) {
      const isFirst = !taken.has(part.toLowerCase())
      taken.add(part.toLowerCase())
      return isFirst
    },
  }
  if (isZip && (await isEncrypted(file))) throw passwordProtected()
  if (!parts.has(CONTENT_PART)) throw unreadable('The file is damaged: its part content.xml is missing.')
  return file
}

async function openZipParts(source: ByteSource, budget: UnpackBudget): Promise<PartReader> {
  const warnings: string[] = []
  const onBadChecksum = (name: string) =>
    void warnings.push(`The part ${name} does not match its checksum; its text may be damaged.`)
  const { has, read } = await openZip(source, { budget, onBadChecksum })
  return { has, read, isFlat: false, warnings }
}

function openFlatParts(source: ByteSource): PartReader {
  return { has: (part) => MAIN_PARTS.has(part), read: () => readChunks(source), isFlat: true, warnings: [] }
}

async function withWarning({ warnings }: PartReader, parse: () => Promise<void>): Promise<void> {
  try {
    await parse()
  } catch (error) {
    if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
    warnings.push(`${error.message} The rest was read.`)
  }
}

/** Ends the parse at the body of a document. */
function createHeadHandler(handler: XmlHandler): { handler: XmlHandler; isOver(): boolean } {
  let isOver = false
  return {
    isOver: () => isOver,
    handler: {
      open(name, attributes) {
        isOver ||= name === 'body'
        return isOver || handler.open(name, attributes)
      },
      close: (name) => void (isOver || handler.close(name)),
      text: (text) => void (isOver || handler.text(text)),
    },
  }
}

/** True if the text of the file is encrypted. OpenDocument 1.3 part 2, section 4.8.1. */
async function isEncrypted(file: OdfFile): Promise<boolean> {
  if (file.has(ENCRYPTED_PACKAGE)) return true
  let part = ''
  let isFound = false
  await file.parseOptional(MANIFEST_PART, {
    open(name, attributes) {
      if (name === 'file-entry') part = getAttribute(attributes, 'full-path') ?? ''
      isFound ||= name === 'encryption-data' && part === CONTENT_PART
      return false
    },
    close() {},
    text() {},
  })
  return isFound
}

const BODY = /<(?:[\w.-]+:)?body\b[^<>]*>(?:\s|<!--[^<>]*-->)*<(?:[\w.-]+:)?([\w-]+)/
/** Longer than the match in any honest file. */
const OVERLAP_CHARACTERS = 1_000
/** Kinds by the name of the body, which also ends the media type. */
export const ODF_KINDS: ReadonlyMap<string, OdfKind> = new Map([
  ['text', 'odt'],
  ['spreadsheet', 'ods'],
  ['presentation', 'odp'],
])

/**
 * Returns the kind by the body of a content part: `other` for drawings, charts and others; `null`
 * if there is no body within `maxBytes`.
 */
export async function findBodyKind(
  pieces: AsyncIterable<Buffer>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<OdfKind | 'other' | null> {
  let tail = ''
  let bytes = 0
  for await (const piece of pieces) {
    // Characters of UTF-16 have NUL bytes.
    const text = tail + piece.toString('latin1').replaceAll('\0', '')
    const body = BODY.exec(text)
    if (body !== null) return ODF_KINDS.get(body[1] ?? '') ?? 'other'
    tail = text.slice(-OVERLAP_CHARACTERS)
    bytes += piece.length
    if (bytes >= maxBytes) return null
  }
  return null
}

/** Longer than the name of an element with prefix. */
const TAG_CHARACTERS = 100

/**
 * Counts the elements of the content of a zip form by the start of tags, up to an element
 * `end`. Returns `null` for a flat file, where objects contain further documents.
 */
export async function countElements(file: OdfFile, element: RegExp, end: RegExp | null): Promise<number | null> {
  if (file.isFlat) return null
  let count = 0
  let tail = ''
  for await (const piece of file.read(CONTENT_PART)) {
    const text = tail + piece.toString('latin1').replaceAll('\0', '')
    const endAt = end?.exec(text)?.index
    count += text.slice(0, endAt).match(element)?.length ?? 0
    if (endAt !== undefined) return count
    // A tag may continue in the next piece.
    tail = /<[^<>\s/]*$/.exec(text.slice(-TAG_CHARACTERS))?.[0] ?? ''
  }
  return count
}
