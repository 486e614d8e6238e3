/** Fields typical of mails. RFC 5322, section 3.6. */
const MAIL_FIELDS = /^(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version)$/i
/** A header field. In a mail folder a separator line precedes each mail. */
const FIELD = /^([!-9;-~]{1,100}):/

/**
 * True if a text starts with header fields up to the first empty line, at least two of them typical
 * of mails.
 */
export function isMail(head: string): boolean {
  const lines = head.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const [first = ''] = lines
  const names: string[] = []
  for (const line of isMboxSeparator(first) ? lines.slice(1) : lines) {
    if (line === '') return hasMailFields(names)
    const name = FIELD.exec(line)?.[1]
    if (name !== undefined) names.push(name)
    else if (!/^[ \t]/.test(line) || names.length === 0) return false
  }
  return hasMailFields(names)
}

/** True for a mail with encoded text, which is unreadable as plain text under any file name. */
export function isEncodedMail(head: string): boolean {
  if (!isMail(head) || !/^mime-version:/im.test(head)) return false
  return /^content-(?:transfer-encoding:\s*(?:quoted-printable|base64)|type:\s*multipart\/)/im.test(head)
}

/** Separator line before each mail of a folder (mbox). RFC 4155. */
export function isMboxSeparator(line: string): boolean {
  return /^From \S+ +[A-Z][a-z]{2} +[A-Z][a-z]{2} +\d{1,2} +\d\d:\d\d/.test(line)
}

function hasMailFields(names: readonly string[]): boolean {
  return new Set(names.filter((name) => MAIL_FIELDS.test(name)).map((name) => name.toLowerCase())).size >= 2
}
