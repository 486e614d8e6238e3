import { ApiError } from '../errors.ts'
import { hasVisibleText } from '../text/characters.ts'
import { type ByteSource, openFileBytes } from './byte-source.ts'
import { decodeBytes } from './encoding/decode-file.ts'
import {
  detectEncoding,
  detectLogEncoding,
  dropNuls,
  getDeclaredCharset,
  getMarkupCharset,
} from './encoding/detect-encoding.ts'
import { type ByteSurvey, createByteSurvey, HEAD_BYTES, readChunks, surveyBytes } from './encoding/survey-bytes.ts'
import {
  type AcceptedFiles,
  type Format,
  getHintedFormat,
  getPackedFormat,
  isAccepted,
  listSupportedNames,
  requireFormat,
  ZIP,
} from './formats.ts'
import { DamagedGzip, GZIP, unpackGzip } from './gzip.ts'
import { detectOfficeKind } from './legacy-office/compound-file.ts'
import { isEncodedMail, isMail } from './mail/is-mail.ts'
import { CONTENT_PART, findBodyKind, MANIFEST_PART, ODF_KINDS, type OdfKind } from './odf/odf-file.ts'
import { openPackage } from './ooxml/package/office-package.ts'
import { createUnpackBudget } from './ooxml/package/unpack-budget.ts'
import { openZip } from './ooxml/package/zip-archive.ts'
import {
  isTooLargeUnpacked,
  passwordProtected,
  type SniffedType,
  type SourceFile,
  unreadable,
  unreadableImage,
} from './parse-event.ts'
import { getSignature, hasPdfHeader, type Signature } from './signatures.ts'
import { detectTableFormat } from './text/csv-reader.ts'
import { createJsonScanner } from './text/json-scanner.ts'
import { looksLikeMarkdown } from './text/markdown-reader.ts'

/** The sender's description of a file, and the accepted kind. */
type SniffOptions = Pick<SourceFile, 'filename' | 'declaredType'> & {
  /** Default: documents. */
  accepted?: AcceptedFiles
}

/**
 * Detects the type of a file by its content. Name and declared type only choose among possible
 * types. With `accepted: 'images'` documents are rejected, and vice versa.
 *
 * Throws `unsupported_file_type`, which names the detected and the supported types. Throws
 * `unprocessable_document` (for images `image_unreadable`) for a file that is empty, encrypted, or
 * does not match its name.
 */
export async function sniff(source: SourceFile, accepted: AcceptedFiles = 'documents'): Promise<SniffedType> {
  const bytes = await openFileBytes(source.path)
  try {
    return await sniffBytes(bytes, { ...source, accepted })
  } finally {
    await bytes.close()
  }
}

/** {@link sniff} for an open source. */
export async function sniffBytes(
  source: ByteSource,
  { filename, declaredType, accepted = 'documents' }: SniffOptions,
): Promise<SniffedType> {
  if (source.bytes === 0) throw accepted === 'images' ? unreadableImage('is empty') : unreadable('The file is empty.')
  const packed = accepted === 'documents' ? await surveyPackedText(source, filename) : null
  if (packed !== null) {
    const type = sniffText(packed.survey, { hint: packed.hint, declaredType: null, accepted })
    return { ...type, mimeType: GZIP }
  }
  const hint = getHintedFormat(filename, declaredType)
  const signature = await sniffBinary(source, hint, accepted)
  if (signature !== null) return requireAccepted(signature, null, accepted)
  if (hint?.format === 'pdf' && hasPdfHeader(await source.read(0, HEAD_BYTES)))
    return requireAccepted(hint, null, accepted)
  return sniffText(await surveyBytes(source), { hint, declaredType, accepted })
}

/**
 * Returns the survey and format of a text packed with gzip; `null` for other files. Its name must
 * be that of a text format with `.gz`. Throws `unprocessable_document` if nothing can be unpacked.
 */
async function surveyPackedText(
  source: ByteSource,
  filename: string | null,
): Promise<{ survey: ByteSurvey; hint: Format } | null> {
  const hint = getPackedFormat(filename)
  if (hint === null || getSignature(await source.read(0, HEAD_BYTES))?.container !== 'gzip') return null
  const survey = createByteSurvey()
  try {
    for await (const piece of unpackGzip(readChunks(source))) survey.add(piece)
  } catch (error) {
    if (!(error instanceof DamagedGzip)) throw error
  }
  const found = survey.finish()
  if (found.bytes === 0) throw unreadable('The gzip archive is empty or damaged.')
  return getSignature(found.head) === null ? { survey: found, hint } : null
}

type TextFacts = { hint: Format | null; declaredType: string | null; accepted: AcceptedFiles }

function sniffText(survey: ByteSurvey, { hint, declaredType, accepted }: TextFacts): SniffedType {
  const declared = getDeclaredCharset(declaredType) ?? getMarkupCharset(survey.head)
  const isLog = hint?.format === 'log'
  const encoding = isLog ? detectLogEncoding(survey, declared) : detectEncoding(survey, declared)
  if (encoding === null || isBinary(isLog ? dropNuls(survey) : survey, encoding, isLog))
    throw rejectUnknownBinary(hint, accepted)
  if (accepted === 'images') throw unsupported('text', accepted)
  const head = decodeBytes(survey.head, encoding)
  if (isBlank(survey, head)) throw unreadable('The file has no text: it contains only white space.')
  return requireAccepted(requireFormat(detectText(head, hint)), encoding, accepted)
}

async function sniffBinary(
  source: ByteSource,
  hint: Format | null,
  accepted: AcceptedFiles,
): Promise<Signature | null> {
  const head = await source.read(0, HEAD_BYTES)
  const signature = getSignature(head)
  const container = signature?.container
  if (container === undefined || container === 'gzip' || accepted === 'images') return signature
  return await sniffContainer(source, { container, head, hint })
}

/**
 * Many programs save markup under the extensions of Word and Excel, and web archives and tables
 * under those of Excel. Any other text with such a name is an error.
 */
function detectText(head: string, hint: Format | null): string {
  if (hint === null || hint.isText) return detectTextFormat(head, hint)
  const markup = detectMarkup(head)
  if (markup !== null) return markup
  const saved = SPREADSHEETS.has(hint.format) ? detectSavedSheet(head) : null
  if (saved !== null) return saved
  throw new ApiError('unprocessable_document', {
    message: `The file is named or declared as ${hint.name}, but its content is plain text.`,
    remedy: 'Check that the file is complete, or give it a text extension such as .txt.',
  })
}

const SPREADSHEETS: ReadonlySet<string> = new Set(['xls', 'xlsx'])

/** Returns the format of a text named as a spreadsheet; `null` for a text that is none. */
function detectSavedSheet(head: string): string | null {
  return isEncodedMail(head) ? 'mail' : detectTableFormat(head)
}

/** Texts have no control characters, but printers and editors leave stray ones. */
const MAX_CONTROL_SHARE = 0.01
/** Programs also log what they receive; a tenth of random bytes are control characters. */
const MAX_LOG_CONTROL_SHARE = 0.05

function isBinary(survey: ByteSurvey, encoding: string, isLog: boolean): boolean {
  // UTF-16 and UTF-32 bytes look like control characters; `detectEncoding` has already checked the
  // decoded text. Korean of mails uses two control characters as marks.
  if (/^utf-(?:16|32)/.test(encoding) || encoding === 'iso-2022-kr') return false
  return survey.nulBytes > 0 || survey.controlBytes > survey.bytes * (isLog ? MAX_LOG_CONTROL_SHARE : MAX_CONTROL_SHARE)
}

function isBlank(survey: ByteSurvey, head: string): boolean {
  if (!survey.hasVisibleBytes) return true
  return survey.head.length === survey.bytes && !hasVisibleText(head)
}

function requireAccepted({ name, format }: Signature, encoding: string | null, accepted: AcceptedFiles): SniffedType {
  const known = format === undefined ? null : requireFormat(format)
  if (known === null || !isAccepted(known, accepted)) throw unsupported(name, accepted, known)
  return { format: known.format, mimeType: known.mimeType, encoding }
}

/** Unknown bytes: a damaged file, if named or declared as an accepted type. */
function rejectUnknownBinary(hint: Format | null, accepted: AcceptedFiles): ApiError {
  if (hint === null || hint.isText || !isAccepted(hint, accepted)) return unsupported('binary data', accepted)
  if (hint.isImage) return unreadableImage('is damaged: its header is missing')
  return unreadable(`The file is named or declared as ${hint.name}, but is damaged: its header is missing.`)
}

function unsupported(detectedType: string, accepted: AcceptedFiles, known: Format | null = null): ApiError {
  const supported = listSupportedNames(accepted)
  const beside = accepted === 'images' ? '' : `; images (${listSupportedNames('images')}) are read with OCR`
  return new ApiError('unsupported_file_type', {
    message: `Unsupported file type: ${detectedType}. Supported: ${supported}${beside}.`,
    ...(known?.isImage === true ? { remedy: IMAGE_REMEDY } : {}),
    extra: { detectedType, supported },
  })
}

/** Also for an image given by URL, which the OCR endpoint does not accept. */
const IMAGE_REMEDY = 'Send the image to POST /v1/memories/:id/ocr, which reads its text.'

/**
 * Detects the content of a zip archive or compound file from its start and the sender's
 * description. Throws `unprocessable_document` for an encrypted or damaged Office file, and for a
 * damaged container described as Office file.
 */
async function sniffContainer(
  source: ByteSource,
  { container, head, hint }: { container: 'zip' | 'ole'; head: Buffer; hint: Format | null },
): Promise<Signature> {
  return container === 'zip' ? await sniffZip(source, head, hint) : await sniffCompoundFile(source, hint)
}

/** Formats inside containers. */
const OFFICE_FORMATS: ReadonlySet<string> = new Set([
  ...['docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt', 'odt', 'ods', 'odp', 'epub'],
])

const MB = 1024 * 1024
/**
 * Unpacking limit for detection, which needs only a list of a few lines. Small, because it runs in
 * the service's own process.
 */
const UNPACK_LIMITS = { maxEntryBytes: 4 * MB, maxBytes: 4 * MB }

/** Members of archives that are one file of their program: OPC, OCF and Java. */
const MANIFESTS = ['[Content_Types].xml', 'mimetype', 'META-INF/MANIFEST.MF']

async function sniffZip(source: ByteSource, head: Buffer, hint: Format | null): Promise<Signature> {
  const latin = head.toString('latin1')
  let manifest: string | undefined
  try {
    const { kind, mainPart, has } = await openPackage(source, createUnpackBudget(UNPACK_LIMITS))
    if (kind === 'xlsx' && /\.bin$/i.test(mainPart)) return { name: 'XLSB' }
    const found = kind ?? (await detectZipDocument(source))
    if (found === 'other') return { name: 'OpenDocument drawing, chart or formula' }
    if (found !== null) return { name: found.toUpperCase(), format: found }
    manifest = MANIFESTS.find((name) => has(name))
  } catch (error) {
    if (error instanceof ApiError && (isOffice(hint) || looksLikeOffice(latin))) throw error
    if (!(error instanceof ApiError)) throw error
  }
  if (looksLikeOffice(latin)) throw unreadable('The Office file is damaged: its main part is missing.')
  // The name of an Office file promises one document.
  if (isOffice(hint)) return { name: 'ZIP archive' }
  return manifest === undefined ? { name: 'ZIP', format: ZIP } : { name: `ZIP archive of a program (${manifest})` }
}

/** Office files usually start with their content types or a part, others with their type. */
function looksLikeOffice(latin: string): boolean {
  const isTyped = /^PK.{28}mimetypeapplication\/(?:epub\+zip|vnd\.oasis\.opendocument)/s.test(latin)
  return isTyped || (latin.includes('[Content_Types].xml') && /(?:word|ppt|xl)\//.test(latin))
}

async function sniffCompoundFile(source: ByteSource, hint: Format | null): Promise<Signature> {
  const kind = await detectOfficeKind(source)
  if (kind === 'encrypted') throw passwordProtected()
  if (kind !== 'other') return { name: kind.toUpperCase(), format: kind }
  if (isOffice(hint))
    throw unreadable(`The file is named or declared as ${hint.name}, but is damaged or has other content.`)
  return { name: 'OLE compound file' }
}

function isOffice(hint: Format | null): hint is Format {
  return hint !== null && OFFICE_FORMATS.has(hint.format)
}

/**
 * Detects the format of a text from its start. The hint by name and type is followed if the content
 * allows. JSON and JSON Lines are distinguished by content alone. An ASCII-encoded mail is a mail
 * even if declared as plain text. Without a hint the text decides; the default is plain text.
 */
export function detectTextFormat(head: string, hint: Format | null): string {
  if (hint?.format === 'html' || hint?.format === 'xml') return detectMarkup(head) ?? hint.format
  if (hint?.format === 'mail') return isMail(head) ? 'mail' : 'txt'
  if ((hint === null || hint.format === 'txt') && isEncodedMail(head)) return 'mail'
  if (hint !== null && hint.format !== 'json' && hint.format !== 'jsonl') return hint.format
  if (/^\s*[[{]/.test(head)) {
    if (isJsonLines(head, hint !== null)) return 'jsonl'
    if (hint?.format !== 'json' && isOneJsonValue(head, hint === null)) return 'json'
  }
  return hint?.format ?? detectUnnamed(head)
}

function detectUnnamed(head: string): string {
  return detectMarkup(head) ?? (looksLikeMarkdown(head) ? 'markdown' : 'txt')
}

/**
 * Returns `html`, `xml` or an OpenDocument format by the start of a text, with any file name; XHTML
 * is `html`. `null` for other texts.
 */
function detectMarkup(head: string): string | null {
  let rest = head.replace(/^\uFEFF/, '').trimStart()
  let isXml = false
  for (;;) {
    if (/^<(?:!doctype\s+html|(?:\w+:)?html|head|body)\b/i.test(rest)) return 'html'
    const aside = PROLOG_PARTS.find(({ start }) => start.test(rest))
    const end = aside?.end.exec(rest) ?? null
    if (end === null) return isXml ? (detectFlatDocument(rest) ?? 'xml') : null
    isXml ||= rest.startsWith('<?xml')
    rest = rest.slice(end.index + end[0].length).trimStart()
  }
}

/** Content allowed before the first element: comments, instructions, a document type. */
const PROLOG_PARTS: readonly { start: RegExp; end: RegExp }[] = [
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<!doctype[^>[]*\[/i, end: /\]\s*>/ },
  { start: /^<!doctype/i, end: />/ },
]

/**
 * True if the first line is a JSON value and more lines follow. Without a JSON hint (`said`), the
 * second line must start like JSON.
 */
function isJsonLines(head: string, hasHint: boolean): boolean {
  const [first = '', ...rest] = head.trimStart().split(/\r\n?|\n/)
  const second = rest.find((line) => line.trim() !== '')
  return second !== undefined && (hasHint || /^\s*[[{]/.test(second)) && isCompleteJson(first)
}

/** From this length a start counts as truncated, so its value need not be complete. */
const MIN_TRUNCATED_CHARACTERS = 15_000

/**
 * True for a JSON value or the start of one. A value truncated in its first line may be JSON Lines.
 */
function isOneJsonValue(head: string, mayBeOneLine: boolean): boolean {
  const isBeginning = head.length >= MIN_TRUNCATED_CHARACTERS && (mayBeOneLine || /[\r\n]\s*\S/.test(head))
  return isCompleteJson(head) || (isBeginning && createJsonScanner().write(head) === null)
}

function isCompleteJson(text: string): boolean {
  const scanner = createJsonScanner()
  scanner.write(text)
  return scanner.end() === null
}

const EPUB_CONTAINER = 'META-INF/container.xml'
const EPUB_TYPE = 'application/epub+zip'
const ODF_TYPE = /application\/vnd\.oasis\.opendocument\.([a-z]+)/
const TYPE_PART = 'mimetype'
/** The type is at the start of both parts; fonts and styles precede the body. */
const MAX_TYPE_BYTES = 4_096
const MAX_BODY_BYTES = 2 * 1024 * 1024
/** Only the start of a part is read, in the process of the service. */
const START_LIMITS = { maxEntryBytes: Number.POSITIVE_INFINITY, maxBytes: 32 * 1024 * 1024 }

/**
 * Detects a book or an OpenDocument file in a zip archive, wherever its parts are. Its content
 * decides, then the declared type. Returns `other` for drawings and other OpenDocument files and
 * `null` for other archives. Throws `unprocessable_document` as `openZip` does.
 */
async function detectZipDocument(source: ByteSource): Promise<OdfKind | 'epub' | 'other' | null> {
  const zip = await openZip(source, { budget: createUnpackBudget(START_LIMITS) })
  const type = zip.has(TYPE_PART) ? await readStart(zip.read(TYPE_PART)) : ''
  if (zip.has(EPUB_CONTAINER) || type.trim().startsWith(EPUB_TYPE)) return 'epub'
  const manifest = zip.has(MANIFEST_PART) ? await readStart(zip.read(MANIFEST_PART)) : ''
  const declared = (ODF_TYPE.exec(type) ?? ODF_TYPE.exec(manifest))?.[1]
  const known = declared === undefined ? null : (ODF_KINDS.get(declared) ?? 'other')
  if (!zip.has(CONTENT_PART) || (known === null && manifest === '' && type === '')) return known
  return (await findKind(zip.read(CONTENT_PART))) ?? known
}

async function readStart(pieces: AsyncIterable<Buffer>): Promise<string> {
  for await (const piece of pieces) return piece.toString('latin1', 0, MAX_TYPE_BYTES)
  return ''
}

/** An encrypted or damaged part has no kind. */
async function findKind(pieces: AsyncIterable<Buffer>): Promise<OdfKind | 'other' | null> {
  try {
    return await findBodyKind(pieces, MAX_BODY_BYTES)
  } catch (error) {
    if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
    return null
  }
}

const FLAT_ROOT = /^<(?:[\w.-]+:)?document\b[^<>]*\bmimetype="application\/vnd\.oasis\.opendocument\.([a-z]+)/

/**
 * Returns the format of flat XML by its root element, the start of `markup`; `null` for other XML.
 */
function detectFlatDocument(markup: string): OdfKind | null {
  return ODF_KINDS.get(FLAT_ROOT.exec(markup)?.[1] ?? '') ?? null
}
