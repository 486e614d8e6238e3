import iconv from 'iconv-lite'
import { ApiError } from '../errors.ts'
import { detectEncoding, getDeclaredCharset } from './encoding/detect-encoding.ts'
import { type ByteSurvey, surveyBytes } from './encoding/survey-bytes.ts'
import { type Format, getHintedFormat, listSupportedNames, requireFormat } from './formats.ts'
import type { SniffedType, SourceFile } from './parser.ts'
import { getSignature } from './signatures.ts'
import { detectTextFormat } from './text-format.ts'

/**
 * What a file is, by its content; name and declared type only choose among what the content allows. Reads the file once.
 * Throws `unsupported_file_type` for what no parser reads, naming it and what is supported, and `unprocessable_document` for a
 * file that is empty or is not what its name says.
 */
export async function sniff(source: SourceFile): Promise<SniffedType> {
  return sniffBytes(await surveyBytes(source.path), source)
}

/** {@link sniff} on bytes that were surveyed already. */
export function sniffBytes(
  survey: ByteSurvey,
  { filename, declaredType }: Pick<SourceFile, 'filename' | 'declaredType'>,
): SniffedType {
  if (survey.bytes === 0) throw unprocessable('The file is empty.')
  const hint = getHintedFormat(filename, declaredType)
  const signature = getSignature(survey.head)
  if (signature !== null) return requireSupported(signature.name, signature.format)
  const encoding = detectEncoding(survey, getDeclaredCharset(declaredType))
  if (encoding === null || isBinary(survey, encoding)) throw unsupported('binary data')
  const head = decodeHead(survey, encoding)
  if (isBlank(survey, head)) throw unprocessable('The file has no text: it is empty but for white space.')
  if (hint !== null && !hint.isText) throw notWhatItSays(hint)
  const { format, mimeType, name, supported } = requireFormat(detectTextFormat(head, hint))
  if (!supported) throw unsupported(name)
  return { format, mimeType, encoding }
}

/** Texts have no control characters; a stray one in a hundred is a slip of a printer's or an editor's. */
const MAX_CONTROL_SHARE = 0.01

function isBinary(survey: ByteSurvey, encoding: string): boolean {
  // The bytes of UTF-16 and UTF-32 look like control characters; `detectEncoding` has weighed those by what they decode to.
  if (/^utf-(?:16|32)/.test(encoding)) return false
  return survey.nulBytes > 0 || survey.controlBytes > survey.bytes * MAX_CONTROL_SHARE
}

function decodeHead(survey: ByteSurvey, encoding: string): string {
  return iconv.decode(survey.head, encoding)
}

function isBlank(survey: ByteSurvey, head: string): boolean {
  if (!survey.hasInk) return true
  return survey.head.length === survey.bytes && !/[^\s\p{Cc}\p{Cf}\u2800\u3164]/u.test(head)
}

function requireSupported(name: string, format: string | undefined): SniffedType {
  const known = format === undefined ? undefined : requireFormat(format)
  if (known === undefined || !known.supported) throw unsupported(name)
  return { format: known.format, mimeType: known.mimeType, encoding: null }
}

function unsupported(detectedType: string): ApiError {
  const supported = listSupportedNames()
  return new ApiError('unsupported_file_type', {
    message: `The file is of a type that is not supported: ${detectedType}. Supported are ${supported}.`,
    extra: { detectedType, supported },
  })
}

function notWhatItSays({ name }: Format): ApiError {
  return unprocessable(`The file is named or declared as ${name}, but its content is plain text.`, {
    remedy: 'Check that the file is whole, or give it the name of a text file, such as .txt.',
  })
}

function unprocessable(message: string, facts: { remedy?: string } = {}): ApiError {
  return new ApiError('unprocessable_document', { message, ...facts })
}
