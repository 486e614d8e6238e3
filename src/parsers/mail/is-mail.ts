/** Fields that every mail has some of. RFC 5322, section 3.6. */
const OWN_FIELDS = /^(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version)$/i
/** A field or a line that goes on with one; a folder of mails has a line of its own before each. */
const FIELD = /^([!-9;-~]{1,100}):/

/** True where a text begins as a mail does: with fields alone up to the first empty line, at least two of which are those of mails. */
export function isMail(head: string): boolean {
  const lines = head.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const [first = ''] = lines
  const names: string[] = []
  for (const line of isFolderLine(first) ? lines.slice(1) : lines) {
    if (line === '') return hasOwn(names)
    const name = FIELD.exec(line)?.[1]
    if (name !== undefined) names.push(name)
    else if (!/^[ \t]/.test(line) || names.length === 0) return false
  }
  return hasOwn(names)
}

/** True for a mail that says how its text is written in the letters of mails: whatever it is named, that is no text to be read as it stands. */
export function isEncodedMail(head: string): boolean {
  if (!isMail(head) || !/^mime-version:/im.test(head)) return false
  return /^content-(?:transfer-encoding:\s*(?:quoted-printable|base64)|type:\s*multipart\/)/im.test(head)
}

/** What stands before each mail of a folder (mbox). RFC 4155. */
export function isFolderLine(line: string): boolean {
  return /^From \S+ +[A-Z][a-z]{2} +[A-Z][a-z]{2} +\d{1,2} +\d\d:\d\d/.test(line)
}

function hasOwn(names: readonly string[]): boolean {
  return new Set(names.filter((name) => OWN_FIELDS.test(name)).map((name) => name.toLowerCase())).size >= 2
}
