import { ApiError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import type { Format } from './formats.ts'
import { getOfficeKind } from './ole/get-office-kind.ts'
import { openPackage } from './ooxml/package/office-package.ts'
import type { Signature } from './signatures.ts'
import { passwordProtected, unreadable } from './unreadable.ts'
import { createUnpackBudget } from './zip/unpack-budget.ts'

/**
 * What a zip archive or a compound file holds. `head` is the beginning of it, `hint` what its sender calls it. Throws
 * `unprocessable_document` for an Office file that is encrypted or damaged, and for a damaged container that is said to be one.
 */
export async function sniffContainer(
  source: ByteSource,
  { container, head, hint }: { container: 'zip' | 'ole'; head: Buffer; hint: Format | null },
): Promise<Signature> {
  return container === 'zip' ? await sniffZip(source, head, hint) : await sniffCompoundFile(source, hint)
}

/** Zip archives with documents in them that are not read, by what stands at their beginning. */
const OTHERS: readonly (readonly [mark: string, name: string])[] = [
  ['mimetypeapplication/epub+zip', 'EPUB'],
  ['mimetypeapplication/vnd.oasis.opendocument', 'OpenDocument'],
]
/** The formats that are files in a container. */
const OFFICE: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt'])

const MB = 1024 * 1024
/** What is unpacked to tell the kind: a list of a few lines. It is done in the service's own process, so that a bomb must not get far. */
const BUDGET = { maxEntryBytes: 4 * MB, maxBytes: 4 * MB }

async function sniffZip(source: ByteSource, head: Buffer, hint: Format | null): Promise<Signature> {
  const latin = head.toString('latin1')
  const other = OTHERS.find(([mark]) => latin.includes(mark))
  if (other !== undefined) return { name: other[1] }
  try {
    const { kind, mainPart } = await openPackage(source, createUnpackBudget(BUDGET))
    if (kind === 'xlsx' && /\.bin$/i.test(mainPart)) return { name: 'XLSB' }
    if (kind !== null) return { name: kind.toUpperCase(), format: kind }
  } catch (error) {
    if (error instanceof ApiError && (isOffice(hint) || looksLikeOffice(latin))) throw error
    if (!(error instanceof ApiError)) throw error
  }
  if (looksLikeOffice(latin)) throw unreadable('The Office file is damaged: its main part is missing.')
  return { name: 'ZIP archive' }
}

/** Office files begin with their list of types, or one of their parts, as a rule. */
function looksLikeOffice(latin: string): boolean {
  return latin.includes('[Content_Types].xml') && /(?:word|ppt|xl)\//.test(latin)
}

async function sniffCompoundFile(source: ByteSource, hint: Format | null): Promise<Signature> {
  const kind = await getOfficeKind(source)
  if (kind === 'encrypted') throw passwordProtected()
  if (kind !== 'other') return { name: kind.toUpperCase(), format: kind }
  if (isOffice(hint))
    throw unreadable(`The file is named or declared as ${hint.name}, but is damaged, or holds something else.`)
  return { name: 'OLE compound file' }
}

function isOffice(hint: Format | null): hint is Format {
  return hint !== null && OFFICE.has(hint.format)
}
