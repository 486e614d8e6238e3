import { KEPT_SEPARATOR, splitHeader } from './split-header.ts'

/** Fields typical of mails. RFC 5322, section 3.6; RFC 2045. */
const MAIL_FIELDS: ReadonlySet<string> = new Set([
  ...['from', 'to', 'subject', 'date', 'message-id', 'received', 'return-path', 'delivered-to'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
])

/**
 * True if a text that is named or declared as a mail starts with header fields, at least one of
 * them typical of mails. Lines that are no fields are tolerated while they are the minority.
 */
export function isMail(head: string): boolean {
  const { fields, strays } = splitHeader(headerLines(head))
  return fields.some((field) => MAIL_FIELDS.has(nameOf(field))) && strays <= fields.length / 2
}

/**
 * True for a mail with encoded text, which is unreadable as plain text under any file name. Its
 * first line is a field.
 */
export function isEncodedMail(head: string): boolean {
  const lines = headerLines(head)
  const first = lines.find((line) => !KEPT_SEPARATOR.test(line)) ?? ''
  if (splitHeader([first]).fields.length === 0) return false
  const { fields, strays } = splitHeader(lines)
  const names = new Set(fields.map(nameOf).filter((name) => MAIL_FIELDS.has(name)))
  if (names.size < 2 || !names.has('mime-version') || strays > fields.length / 4) return false
  return fields.some((field) => ENCODED.test(field))
}

const ENCODED = /^content-(?:transfer-encoding[ \t]*:\s*(?:quoted-printable|base64)|type[ \t]*:\s*multipart\/)/i

const DAY_AND_MONTH = String.raw`(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} +[A-Z][a-z]{2}(?: +\d{4})?)`
const MBOX_SEPARATOR = new RegExp(String.raw`^From \S.{0,150}? [A-Z][a-z]{2},? +${DAY_AND_MONTH} +\d{1,2}:\d\d`)

/** Separator line before each mail of a folder (mbox), in the forms of many programs. RFC 4155. */
export function isMboxSeparator(line: string): boolean {
  return MBOX_SEPARATOR.test(line)
}

/** Returns the lines before the first empty line; empty lines at the start are skipped. */
function headerLines(head: string): string[] {
  const lines = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r\n?|\n/)
  const end = lines.findIndex((line) => line.trim() === '')
  return end < 0 ? lines : lines.slice(0, end)
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(':')).trimEnd().toLowerCase()
}
