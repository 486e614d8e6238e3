import { ApiError } from '../errors.ts'
import { hasInk } from '../text/has-ink.ts'
import { type ByteSource, openFileBytes } from './byte-source.ts'
import { decodeBytes } from './encoding/decode-file.ts'
import { detectEncoding, getDeclaredCharset } from './encoding/detect-encoding.ts'
import { type ByteSurvey, HEAD_BYTES, surveyBytes } from './encoding/survey-bytes.ts'
import {
  type Accepted,
  type Format,
  getHintedFormat,
  isAccepted,
  listSupportedNames,
  requireFormat,
} from './formats.ts'
import { getMarkupCharset } from './html/get-markup-charset.ts'
import { unreadableImage } from './image/unreadable-image.ts'
import type { SniffedType, SourceFile } from './parse-event.ts'
import { getSignature, type Signature } from './signatures.ts'
import { sniffContainer } from './sniff-container.ts'
import { detectMarkup, detectTextFormat } from './text-format.ts'
import { unreadable } from './unreadable.ts'

/** What the sender said of a file, and what is taken here. */
export type SniffOptions = Pick<SourceFile, 'filename' | 'declaredType'> & {
  /** Default: documents. */
  accepted?: Accepted
}

/**
 * What a file is, by its content; name and declared type only choose among what the content allows. Where `accepted` is `pictures`,
 * documents are refused, and the other way round. Throws `unsupported_file_type` for what is not taken, naming it and what is, and
 * `unprocessable_document` (of a picture `image_unreadable`) for a file that is empty, encrypted, or not what its name says.
 */
export async function sniff(source: SourceFile, accepted: Accepted = 'documents'): Promise<SniffedType> {
  const bytes = await openFileBytes(source.path)
  try {
    return await sniffBytes(bytes, { ...source, accepted })
  } finally {
    await bytes.close()
  }
}

/** {@link sniff} for bytes that are open already. */
export async function sniffBytes(
  source: ByteSource,
  { filename, declaredType, accepted = 'documents' }: SniffOptions,
): Promise<SniffedType> {
  if (source.bytes === 0) throw accepted === 'pictures' ? unreadableImage('is empty') : unreadable('The file is empty.')
  const hint = getHintedFormat(filename, declaredType)
  const signature = await sniffBinary(source, hint, accepted)
  if (signature !== null) return requireAccepted(signature, null, accepted)
  const survey = await surveyBytes(source)
  const encoding = detectEncoding(survey, getDeclaredCharset(declaredType) ?? getMarkupCharset(survey.head))
  if (encoding === null || isBinary(survey, encoding)) throw unknownBinary(hint, accepted)
  if (accepted === 'pictures') throw unsupported('text', accepted)
  const head = decodeBytes(survey.head, encoding)
  if (isBlank(survey, head)) throw unreadable('The file has no text: it is empty but for white space.')
  return requireAccepted(requireFormat(detectText(head, hint)), encoding, accepted)
}

async function sniffBinary(source: ByteSource, hint: Format | null, accepted: Accepted): Promise<Signature | null> {
  const head = await source.read(0, HEAD_BYTES)
  const signature = getSignature(head)
  const container = signature?.container
  if (container === undefined || accepted === 'pictures') return signature
  return await sniffContainer(source, { container, head, hint })
}

/** Office programs and many others save markup under the names of Word and Excel files; other texts under such a name are a mistake. */
function detectText(head: string, hint: Format | null): string {
  if (hint === null || hint.isText) return detectTextFormat(head, hint)
  const markup = detectMarkup(head)
  if (markup !== null) return markup
  throw new ApiError('unprocessable_document', {
    message: `The file is named or declared as ${hint.name}, but its content is plain text.`,
    remedy: 'Check that the file is whole, or give it the name of a text file, such as .txt.',
  })
}

/** Texts have no control characters; a stray one in a hundred is a slip of a printer's or an editor's. */
const MAX_CONTROL_SHARE = 0.01

function isBinary(survey: ByteSurvey, encoding: string): boolean {
  // The bytes of UTF-16 and UTF-32 look like control characters; `detectEncoding` has weighed those by what they decode to.
  if (/^utf-(?:16|32)/.test(encoding)) return false
  return survey.nulBytes > 0 || survey.controlBytes > survey.bytes * MAX_CONTROL_SHARE
}

function isBlank(survey: ByteSurvey, head: string): boolean {
  if (!survey.hasInk) return true
  return survey.head.length === survey.bytes && !hasInk(head)
}

function requireAccepted({ name, format }: Signature, encoding: string | null, accepted: Accepted): SniffedType {
  const known = format === undefined ? null : requireFormat(format)
  if (known === null || !isAccepted(known, accepted)) throw unsupported(name, accepted, known)
  return { format: known.format, mimeType: known.mimeType, encoding }
}

/** Bytes of no type we know: damage, where they were said to be of one that is taken here. */
function unknownBinary(hint: Format | null, accepted: Accepted): ApiError {
  if (hint === null || hint.isText || !isAccepted(hint, accepted)) return unsupported('binary data', accepted)
  if (hint.isPicture) return unreadableImage('is damaged: it does not begin as a picture does')
  return unreadable(`The file is named or declared as ${hint.name}, but does not begin as one: it is damaged.`)
}

function unsupported(detectedType: string, accepted: Accepted, known: Format | null = null): ApiError {
  const supported = listSupportedNames(accepted)
  const beside =
    accepted === 'pictures' ? '' : `; of pictures (${listSupportedNames('pictures')}) the text is recognised`
  return new ApiError('unsupported_file_type', {
    message: `The file is of a type that is not supported: ${detectedType}. Supported are ${supported}${beside}.`,
    ...(known?.isPicture === true ? { remedy: PICTURE_REMEDY } : {}),
    extra: { detectedType, supported },
  })
}

/** Also of one that was named by a URL, which the endpoint for pictures does not take. */
const PICTURE_REMEDY = 'Send the picture itself to POST /v1/memories/:id/ocr, which recognises the text in it.'
