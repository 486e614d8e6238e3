/**
 * The lines of a mail's header, sorted. Programs and archives damage headers: by lines that are no
 * fields, folds without white space, separator lines, or a missing empty line before the text.
 */
type Header = {
  /** Whole fields, unfolded, in order. */
  fields: string[]
  /** Number of lines between the fields that are none. */
  strays: number
  /** Lines behind the last field, from text or a boundary on: the empty line is missing. */
  text: string[]
}

/** RFC 5322, section 2.2; white space before the colon is obsolete (section 4.5). */
const FIELD = /^[!-9;-~]{1,100}[ \t]*:/
/** Separator line of a folder, possibly quoted, that was saved with the mail. */
export const KEPT_SEPARATOR = /^>*From (?:\S+@|.*\d:\d\d)/
/** Longer fields are not human-readable. */
const MAX_FIELD_CHARACTERS = 4_000

/** Sorts the lines of a header. The characters are bytes. */
export function splitHeader(lines: readonly string[]): Header {
  const fields: string[] = []
  let strays = 0
  let others: string[] = []
  for (const [index, line] of lines.entries()) {
    const text = trimBlanks(line)
    if (/^--\S/.test(text)) return { fields, strays: strays + others.length, text: [...others, ...lines.slice(index)] }
    if (KEPT_SEPARATOR.test(text)) continue
    const isField = FIELD.test(text)
    if (!isField && others.length === 0 && continuesField(line, fields.at(-1))) appendTo(fields, text)
    else if (!isField) others.push(line)
    else {
      strays += others.length
      joinFolded(fields, others)
      others = []
      fields.push(text.slice(0, MAX_FIELD_CHARACTERS))
    }
  }
  if (fields.length === 0 || looksLikeText(others)) return { fields, strays, text: others }
  joinFolded(fields, others)
  return { fields, strays: strays + others.length, text: [] }
}

/** True for white space at the start of a line, an unfinished field, or a single parameter. */
function continuesField(line: string, field: string | undefined): boolean {
  if (field === undefined) return false
  return /^[ \t]/.test(line) || /[;,]$/.test(field) || /^[\w*-]{1,40}=(?:"|\S+\s*;?\s*$)/.test(line)
}

/** Folds without white space: lines without a colon continue the field above. */
function joinFolded(fields: string[], lines: readonly string[]): void {
  if (fields.length > 0) for (const line of lines) if (!line.includes(':')) appendTo(fields, trimBlanks(line))
}

function appendTo(fields: string[], text: string): void {
  fields.push(`${fields.pop()} ${text.trimStart()}`.slice(0, MAX_FIELD_CHARACTERS))
}

/** True for words or base64. */
function looksLikeText(lines: readonly string[]): boolean {
  return lines.some((line) => /\S[ \t]+\S/.test(line) || /^[\w+/=]{20,}\s*$/.test(line))
}

/**
 * Trims trailing spaces, tabs and line ends. `trimEnd` would also remove U+00A0, which may be a
 * byte of a character.
 */
export function trimBlanks(line: string): string {
  let end = line.length
  while (end > 0 && BLANK_CODES.has(line.charCodeAt(end - 1))) end -= 1
  return line.slice(0, end)
}

/** Tab, line feed, carriage return, space. */
const BLANK_CODES: ReadonlySet<number> = new Set([9, 10, 13, 32])
