import { ApiError } from '../../../errors.ts'
import type { ByteSource } from '../../byte-source.ts'
import { isTooLargeUnpacked, passwordProtected, unreadable } from '../../unreadable.ts'
import type { UnpackBudget } from '../../zip/unpack-budget.ts'
import { openZip } from '../../zip/zip-archive.ts'
import { readWholeXml } from '../xml/read-xml.ts'
import type { XmlHandler } from '../xml/xml-handler.ts'
import { isEncryptedPackage } from './is-encrypted-package.ts'
import { relationshipsPart } from './part-names.ts'
import { type Relationship, readRelationships } from './relationships.ts'

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
    kind: FOLDERS.find(([folder]) => folder.test(mainPart))?.[1] ?? (await kindByContent(zip.names, mainPart)),
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
async function kindByContent(names: readonly string[], mainPart: string): Promise<OfficeKind | null> {
  if (mainPart === '') return null
  return FOLDERS.find(([folder]) => names.some((name) => folder.test(name)))?.[1] ?? null
}

async function describeCompoundFile(source: ByteSource): Promise<Error> {
  if (await isEncryptedPackage(source)) return passwordProtected()
  return unreadable('The file is a legacy Office file under the name of a newer one, or it is damaged.')
}
