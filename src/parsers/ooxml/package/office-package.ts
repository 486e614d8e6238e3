import { ApiError } from '../../../errors.ts'
import type { ByteSource } from '../../byte-source.ts'
import { isTooLargeUnpacked, passwordProtected, unreadable } from '../../parse-event.ts'
import { getAttribute, readXml, type XmlHandler } from './read-xml.ts'
import type { UnpackBudget } from './unpack-budget.ts'
import { openZip } from './zip-archive.ts'

/** What a package holds, by the name of its main part's folder. */
export type OfficeKind = 'docx' | 'pptx' | 'xlsx'

/** The parts of a Word, PowerPoint or Excel file. */
export type OfficePackage = {
  /** `null`: a zip archive, but none of these. */
  readonly kind: OfficeKind | null
  /** The part everything begins with: `word/document.xml`. Empty where `kind` is `null`. */
  readonly mainPart: string
  /** What the file lacked or had wrong and was read nevertheless; grows while it is read. */
  readonly warnings: string[]
  has(part: string): boolean
  /** The bytes of a part. Throws `unprocessable_document` when it is absent or damaged. */
  read(part: string): AsyncGenerator<Buffer>
  /** Feeds a part to a handler; does nothing when the part is absent. Throws `unprocessable_document` for broken XML. */
  feed(part: string, handler: XmlHandler): Promise<void>
  /** The same for a part that the text can do without: damage becomes a warning, and what was read of it stays. */
  tryFeed(part: string, handler: XmlHandler): Promise<void>
  /**
   * True the first time that it is asked about a part. What stands in a part is given once, however often the file names it: in an honest file each has its own, and a
   * small file that names one ten thousand times would take as long as ten thousand.
   */
  takeOnce(part: string): boolean
  /** What a part refers to, in the order of the file; none when it has no list. */
  listRelationships(part: string): Promise<readonly Relationship[]>
}

const FOLDERS: readonly (readonly [RegExp, OfficeKind])[] = [
  [/(^|\/)word\//i, 'docx'],
  [/(^|\/)ppt\//i, 'pptx'],
  [/(^|\/)xl\//i, 'xlsx'],
]
const USUAL_MAIN_PARTS = ['word/document.xml', 'ppt/presentation.xml', 'xl/workbook.xml']

/**
 * Opens an Office file of the year 2007 or later, its password or damage told by `unprocessable_document`. What it
 * unpacks counts against `budget`.
 */
export async function openPackage(source: ByteSource, budget: UnpackBudget): Promise<OfficePackage> {
  const head = await source.read(0, 8)
  if (head.length === 0) throw unreadable('The file is empty.')
  if (head.readUInt8(0) === 0xd0) throw await describeCompoundFile(source)
  const warnings: string[] = []
  const onBadChecksum = (name: string) =>
    warnings.push(`The part ${name} does not match its checksum; its text may be damaged.`)
  const zip = await openZip(source, { budget, onBadChecksum })

  async function listRelationships(part: string): Promise<readonly Relationship[]> {
    const list = relationshipsPart(part)
    return zip.has(list) ? readRelationships(part, list, zip.read(list)) : []
  }

  async function feed(part: string, handler: XmlHandler): Promise<void> {
    if (zip.has(part)) await readWholeXml(part, zip.read(part), handler)
  }

  async function tryFeed(part: string, handler: XmlHandler): Promise<void> {
    try {
      await feed(part, handler)
    } catch (error) {
      if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
      warnings.push(`${error.message} The rest was read.`)
    }
  }

  const taken = new Set<string>()
  function takeOnce(part: string): boolean {
    // The archive knows names without their case.
    const name = part.toLowerCase()
    const isFirst = !taken.has(name)
    taken.add(name)
    return isFirst
  }

  const mainPart = await findMainPart(await listRelationships(''), zip.has)
  return {
    kind: FOLDERS.find(([folder]) => folder.test(mainPart))?.[1] ?? kindByContent(zip.names, mainPart),
    mainPart,
    warnings,
    has: zip.has,
    read: zip.read,
    feed,
    tryFeed,
    takeOnce,
    listRelationships,
  }
}

async function findMainPart(relationships: readonly Relationship[], has: (part: string) => boolean): Promise<string> {
  const named = relationships.find(({ type, part }) => type === 'officeDocument' && part !== null && has(part))
  return named?.part ?? USUAL_MAIN_PARTS.find(has) ?? ''
}

/** Few writers put the main part elsewhere; what lies beside it then tells. */
function kindByContent(names: readonly string[], mainPart: string): OfficeKind | null {
  if (mainPart === '') return null
  return FOLDERS.find(([folder]) => names.some((name) => folder.test(name)))?.[1] ?? null
}

async function describeCompoundFile(source: ByteSource): Promise<Error> {
  if (await isEncryptedPackage(source)) return passwordProtected()
  return unreadable('The file is a legacy Office file under the name of a newer one, or it is damaged.')
}

/** The part that a relationship of `source` names: relative to the folder of `source`, or from the root with a slash in front. */
function resolvePart(source: string, target: string): string {
  const [path = ''] = target.replaceAll('\\', '/').split('#')
  const segments = path.startsWith('/') ? [] : source.split('/').slice(0, -1)
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decodeSegment(segment))
  }
  return segments.join('/')
}

/** The part that lists the relationships of a part; of the package, when `part` is empty. */
function relationshipsPart(part: string): string {
  const at = part.lastIndexOf('/') + 1
  return `${part.slice(0, at)}_rels/${part.slice(at)}.rels`
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A percent sign that is none of an escape.
    return segment
  }
}

/** Stream names of a compound file are UTF-16; this one holds an Office file behind a password (MS-OFFCRYPTO, 1.3.2). */
const MARK = Buffer.from('EncryptedPackage', 'utf16le')
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const PIECE_BYTES = 1024 * 1024

/** True for a Word, PowerPoint or Excel file that is encrypted with a password, which is a compound file, not a zip archive. */
async function isEncryptedPackage(source: ByteSource): Promise<boolean> {
  if (!(await source.read(0, 4)).equals(COMPOUND_FILE)) return false
  for (let at = 0; at < source.bytes; at += PIECE_BYTES) {
    if ((await source.read(at, PIECE_BYTES + MARK.length)).includes(MARK)) return true
  }
  return false
}

/** What a part refers to. */
export type Relationship = {
  id: string
  /** Last segment of the type, which both sets of namespaces share: `slide`, `officeDocument`. */
  type: string
  /** Name of the part; `null` for what lies outside of the file. */
  part: string | null
}

/** A part with more relationships than this is no document. */
const MAX_RELATIONSHIPS = 100_000

/** Reads a list of relationships of the part `source`, in the order of the file. */
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

/** {@link readXml} for parts of which nothing is passed on before the end. */
async function readWholeXml(part: string, pieces: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(part, pieces, handler)) void _
}
