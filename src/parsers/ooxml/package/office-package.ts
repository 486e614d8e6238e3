import { ApiError } from '../../../errors.ts'
import type { ByteSource } from '../../byte-source.ts'
import { isTooLargeUnpacked, passwordProtected, unreadable } from '../../parse-event.ts'
import { getAttribute, readXml, type XmlHandler } from './read-xml.ts'
import type { UnpackBudget } from './unpack-budget.ts'
import { openZip } from './zip-archive.ts'

/** Kind of Office file. */
export type OfficeKind = 'docx' | 'pptx' | 'xlsx'

/** The parts of a Word, PowerPoint or Excel file. */
export type OfficePackage = {
  /** `null` for a zip archive of another kind. */
  readonly kind: OfficeKind | null
  /** Root part, such as `word/document.xml`; empty when `kind` is `null`. */
  readonly mainPart: string
  /** Faults of the file that did not stop the parser; grows while parts are read. */
  readonly warnings: string[]
  has(part: string): boolean
  /** Reads the bytes of a part. Throws `unprocessable_document` when absent or damaged. */
  read(part: string): AsyncGenerator<Buffer>
  /**
   * Parses a part; an absent part is ignored. Throws `unprocessable_document` for malformed XML.
   */
  parse(part: string, handler: XmlHandler): Promise<void>
  /**
   * Parses an optional part. Damage becomes a warning; content parsed before the damage is kept.
   */
  parseOptional(part: string, handler: XmlHandler): Promise<void>
  /**
   * True on the first call for a part. Each part is read once, however often the file references
   * it. In an honest file every reference has its own part. A small file with ten thousand
   * references to a part would take as long as ten thousand parts.
   */
  claimPart(part: string): boolean
  /** Lists the relationships of a part in file order; empty without a relationships part. */
  listRelationships(part: string): Promise<readonly Relationship[]>
}

const KIND_FOLDERS: readonly (readonly [RegExp, OfficeKind])[] = [
  [/(^|\/)word\//i, 'docx'],
  [/(^|\/)ppt\//i, 'pptx'],
  [/(^|\/)xl\//i, 'xlsx'],
]
/** Content types of main parts name the kind, wherever the parts are. ECMA-376 part 2, 10.1.2. */
const KIND_TYPES: readonly (readonly [RegExp, OfficeKind])[] = [
  [/wordprocessingml|ms-word/i, 'docx'],
  [/presentationml|ms-powerpoint/i, 'pptx'],
  [/spreadsheetml|ms-excel/i, 'xlsx'],
]
const CONTENT_TYPES_PART = '[Content_Types].xml'
const DEFAULT_MAIN_PARTS = ['word/document.xml', 'ppt/presentation.xml', 'xl/workbook.xml']

/**
 * Opens an Office file of 2007 or later. Throws `unprocessable_document` for an encrypted or
 * damaged file. Unpacked bytes count against `budget`.
 */
export async function openPackage(source: ByteSource, budget: UnpackBudget): Promise<OfficePackage> {
  const head = await source.read(0, 8)
  if (head.length === 0) throw unreadable('The file is empty.')
  if (head.readUInt8(0) === 0xd0) throw await explainCompoundFile(source)
  const warnings: string[] = []
  const onBadChecksum = (name: string) =>
    warnings.push(`The part ${name} does not match its checksum; its text may be damaged.`)
  const zip = await openZip(source, { budget, onBadChecksum })

  async function listRelationships(part: string): Promise<readonly Relationship[]> {
    const list = relationshipsPartOf(part)
    return zip.has(list) ? readRelationships(part, list, zip.read(list)) : []
  }

  async function parse(part: string, handler: XmlHandler): Promise<void> {
    if (zip.has(part)) await readWholeXml(part, zip.read(part), handler)
  }

  async function parseOptional(part: string, handler: XmlHandler): Promise<void> {
    try {
      await parse(part, handler)
    } catch (error) {
      if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
      warnings.push(`${error.message} The rest was read.`)
    }
  }

  const taken = new Set<string>()
  function claimPart(part: string): boolean {
    // Names in the archive are case-insensitive.
    const name = part.toLowerCase()
    const isFirst = !taken.has(name)
    taken.add(name)
    return isFirst
  }

  const mainTypes = zip.has(CONTENT_TYPES_PART)
    ? await readMainTypes(zip.read(CONTENT_TYPES_PART))
    : new Map<string, string>()
  const mainPart = await findMainPart(await listRelationships(''), [...mainTypes.keys()], zip.has)
  return {
    kind: detectKind(mainPart, mainTypes, zip.names),
    mainPart,
    warnings,
    has: zip.has,
    read: zip.read,
    parse,
    parseOptional,
    claimPart,
    listRelationships,
  }
}

async function findMainPart(
  relationships: readonly Relationship[],
  mainParts: readonly string[],
  has: (part: string) => boolean,
): Promise<string> {
  const named = relationships.find(({ type, part }) => type === 'officeDocument' && part !== null && has(part))
  return named?.part ?? DEFAULT_MAIN_PARTS.find(has) ?? mainParts.find(has) ?? ''
}

/** The content type decides, else the folder of the main part, else the folders of other parts. */
function detectKind(mainPart: string, types: ReadonlyMap<string, string>, names: readonly string[]): OfficeKind | null {
  if (mainPart === '') return null
  const contentType = types.get(mainPart.toLowerCase()) ?? types.get(allOf(mainPart)) ?? ''
  const byType = KIND_TYPES.find(([type]) => type.test(contentType))
  const byFolder = KIND_FOLDERS.find(([folder]) => folder.test(mainPart))
  return (byType ?? byFolder ?? KIND_FOLDERS.find(([folder]) => names.some((name) => folder.test(name))))?.[1] ?? null
}

/** The key of the content type that all parts with the extension of `part` have by default. */
function allOf(part: string): string {
  return `*.${part.slice(part.lastIndexOf('.') + 1).toLowerCase()}`
}

/**
 * Content types of main parts, by part in lower case, or by extension as {@link allOf} returns it.
 * A damaged list is ignored.
 */
async function readMainTypes(pieces: AsyncIterable<Buffer>): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>()
  const handler: XmlHandler = {
    open(name, attributes) {
      const type = getAttribute(attributes, 'ContentType') ?? ''
      if (!/\.main(?:\+xml)?$/i.test(type) || types.size >= MAX_MAIN_PARTS) return false
      const part = getAttribute(attributes, 'PartName') ?? ''
      if (name === 'Override') types.set(resolvePart('', part).toLowerCase(), type)
      if (name === 'Default') types.set(allOf(getAttribute(attributes, 'Extension') ?? ''), type)
      return false
    },
    close() {},
    text() {},
  }
  try {
    await readWholeXml(CONTENT_TYPES_PART, pieces, handler)
  } catch (error) {
    if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
  }
  return types
}

async function explainCompoundFile(source: ByteSource): Promise<Error> {
  if (await isEncryptedPackage(source)) return passwordProtected()
  return unreadable('The file is a legacy Office file with the extension of a newer format.')
}

/**
 * Resolves a relationship target against the folder of `source`, or against the root if the target
 * starts with a slash.
 */
export function resolvePart(source: string, target: string): string {
  const [path = ''] = target.replaceAll('\\', '/').split('#')
  const segments = path.startsWith('/') ? [] : source.split('/').slice(0, -1)
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decodeSegment(segment))
  }
  return segments.join('/')
}

/** Name of the relationships part of `part`; of the package if `part` is empty. */
function relationshipsPartOf(part: string): string {
  const at = part.lastIndexOf('/') + 1
  return `${part.slice(0, at)}_rels/${part.slice(at)}.rels`
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A percent sign that starts no escape.
    return segment
  }
}

/**
 * Stream of an encrypted Office file (MS-OFFCRYPTO, 1.3.2). Stream names of a compound file are
 * UTF-16.
 */
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le')
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const PIECE_BYTES = 1024 * 1024

/**
 * True for an encrypted Word, PowerPoint or Excel file: a compound file instead of a zip archive.
 */
async function isEncryptedPackage(source: ByteSource): Promise<boolean> {
  if (!(await source.read(0, 4)).equals(COMPOUND_FILE)) return false
  for (let at = 0; at < source.bytes; at += PIECE_BYTES) {
    if ((await source.read(at, PIECE_BYTES + ENCRYPTED_STREAM.length)).includes(ENCRYPTED_STREAM)) return true
  }
  return false
}

/** A reference from a part to another part. */
export type Relationship = {
  id: string
  /** Last segment of the type URI, equal in both sets of namespaces: `slide`, `officeDocument`. */
  type: string
  /** Name of the target part; `null` for external targets. */
  part: string | null
}

/** A package has one main part; a few writers leave others behind. */
const MAX_MAIN_PARTS = 100
/** Limit on the relationships of a part, beyond any honest document. */
const MAX_RELATIONSHIPS = 100_000

/** Parses the relationships of `source`, in file order. */
async function readRelationships(source: string, part: string, pieces: AsyncIterable<Buffer>): Promise<Relationship[]> {
  const relationships: Relationship[] = []
  await readWholeXml(part, pieces, {
    open(name, attributes) {
      if (name !== 'Relationship' || relationships.length >= MAX_RELATIONSHIPS) return false
      const target = getAttribute(attributes, 'Target') ?? ''
      const isOutside = getAttribute(attributes, 'TargetMode') === 'External' || target.startsWith('#')
      relationships.push({
        id: getAttribute(attributes, 'Id') ?? '',
        type: (getAttribute(attributes, 'Type') ?? '').split('/').at(-1) ?? '',
        part: isOutside ? null : resolvePart(source, target),
      })
      return false
    },
    close() {},
    text() {},
  })
  return relationships
}

/** {@link readXml} for parts that pass nothing on before the end. */
async function readWholeXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(part, pieces, handler)) void _
}
