import { findEncoding } from '../encoding/decode-file.ts'
import { isMboxSeparator } from './is-mail.ts'
import {
  decodeBody,
  decodeTransfer,
  type MailFields,
  type PartFacts,
  readFields,
  readPartFacts,
} from './mail-fields.ts'
import { splitHeader, trimBlanks } from './split-header.ts'

/** Contents of a mail, in order. */
type MailEvents = {
  /** Starts a mail: the file's own, the next in a folder, or an attached mail. */
  message(fields: MailFields, depth: number): void
  /** Enclose alternative versions of the same content. */
  beginAlternatives(): void
  endAlternatives(): void
  /** `isCut`: the text was truncated. */
  text(text: string, facts: { kind: TextKind; isCut: boolean }): void
  attachment(name: string | null): void
  /** The declared encoding of a text is unknown, so it was detected. */
  unknownCharset(charset: string): void
}

/** Maximum nesting of parts. */
const MAX_DEPTH = 30
const MAX_FIELD_LINES = 2_000
/** Style sheets, scripts, and pages for a specific program. */
const SKIPPED_TEXT_TYPES: ReadonlySet<string> = new Set(['text/css', 'text/javascript', 'text/x-amp-html'])

/** S/MIME and PGP. RFC 8551, RFC 3156. */
const SIGNATURE_TYPE = /^application\/(?:(?:x-)?pkcs7|pgp)-signature$/

/** `depth`: number of enclosing mails. `boundary`: `null` if not declared. */
type Frame = { boundary: string | null; isChoice: boolean; depth: number }

/**
 * State of the parser; `between` parts nothing is read. The `preamble` before the first part is the
 * text if no part follows.
 */
type State = 'fields' | 'body' | 'preamble' | 'between'

/**
 * Creates a parser that takes a mail line by line; the characters of a line are bytes. `around`:
 * number of enclosing mails. RFC 2046.
 */
export function createMailPartSplitter(events: MailEvents, isFolder: boolean, around = 0): MailPartSplitter {
  return new MailPartParser(events, isFolder, around)
}

type MailPartSplitter = { line(line: string): void; end(): void }

class MailPartParser implements MailPartSplitter {
  readonly #events: MailEvents
  readonly #isFolder: boolean
  readonly #around: number
  readonly #frames: Frame[] = []
  readonly #body = createBody()
  #state: State = 'fields'
  #isMessage = true
  #depth: number
  #fields: string[] = []
  #isAfterEmpty = true
  /** Boundary of the previous line of a preamble, which the header does not declare. */
  #found: string | null = null

  constructor(events: MailEvents, isFolder: boolean, around: number) {
    this.#events = events
    this.#isFolder = isFolder
    this.#around = around
    this.#depth = around
  }

  line(line: string): void {
    const text = trimBlanks(line)
    const index = findFrame(this.#frames, text)
    const frame = this.#frames[index]
    if (this.#isFolder && this.#isAfterEmpty && isMboxSeparator(text)) this.#beginNextMail()
    else if (frame !== undefined) this.#endFrame(index, frame, text)
    else this.#take(line, text)
    this.#isAfterEmpty = text === ''
  }

  end(): void {
    this.#endPart()
    this.#close(0)
  }

  #begin(isMail: boolean): void {
    this.#state = 'fields'
    this.#isMessage = isMail
    this.#fields = []
  }

  #take(line: string, text: string): void {
    // Some programs save empty lines before a mail.
    const isLead = this.#isMessage && this.#fields.length === 0
    if (this.#state === 'fields' && text === '') {
      if (!isLead && this.#endFields()) this.line(line)
    } else if (this.#state === 'fields' && this.#fields.length < MAX_FIELD_LINES) this.#fields.push(line)
    else if (this.#state === 'body') this.#body.add(this.#isFolder ? line.replace(/^>(?=>*From )/, '') : line)
    else if (this.#state === 'preamble') this.#takePreamble(line, text)
  }

  /** Takes an undeclared boundary before the field of a part instead of the declared one. */
  #takePreamble(line: string, text: string): void {
    const frame = this.#frames.at(-1)
    if (frame !== undefined && this.#found !== null && PART_FIELD.test(line)) {
      frame.boundary = this.#found
      this.#body.drop()
      this.#begin(false)
      this.#fields.push(line)
    } else this.#body.add(line)
    this.#found = FOUND_BOUNDARY.exec(text)?.[1] ?? null
  }

  /** Returns true if text follows the fields without an empty line. */
  #endFields(): boolean {
    const { fields, text } = splitHeader(this.#fields)
    const read = readFields(fields)
    if (this.#isMessage) this.#events.message(read, this.#depth)
    const facts = readPartFacts(read)
    this.#state = 'between'
    const role = getRole(facts, { depth: this.#depth, frames: this.#frames.length })
    if (role === 'mail') {
      this.#depth += 1
      this.#begin(true)
    } else if (role === 'parts') this.#beginParts(facts)
    else if (role === 'body') {
      this.#state = 'body'
      this.#body.begin(facts)
    } else if (role === 'file') this.#events.attachment(facts.fileName)
    for (const line of text) this.line(line)
    return text.length > 0
  }

  #beginParts(facts: PartFacts): void {
    const isChoice = facts.type === 'multipart/alternative'
    this.#frames.push({ boundary: facts.boundary, isChoice, depth: this.#depth })
    if (isChoice) this.#events.beginAlternatives()
    this.#state = 'preamble'
    this.#found = null
    this.#body.begin({ ...facts, type: 'text/plain' })
  }

  #endPart(): void {
    // An attached mail can be in the rest of its container's fields.
    while (this.#state === 'fields' && this.#fields.length > 0) this.#endFields()
    const read = this.#body.take()
    if (read?.kind === 'mail') readEncodedMail(this.#events, read, this.#depth + 1)
    else if (read !== null) {
      if (read.unknownCharset !== null) this.#events.unknownCharset(read.unknownCharset)
      this.#events.text(read.text, read)
    }
    this.#state = 'between'
  }

  /** Closes all frames from index `from`. */
  #close(from: number): void {
    for (const { isChoice } of this.#frames.splice(from).reverse()) if (isChoice) this.#events.endAlternatives()
  }

  /** Ends a part and all parts inside. */
  #endFrame(index: number, { boundary, depth }: Frame, text: string): void {
    const isEnd = text === `--${boundary}--`
    if (this.#state === 'preamble' && index === this.#frames.length - 1) this.#body.drop()
    this.#endPart()
    this.#close(isEnd ? index : index + 1)
    this.#depth = depth
    if (!isEnd) this.#begin(false)
  }

  #beginNextMail(): void {
    this.#endPart()
    this.#close(0)
    this.#depth = this.#around
    this.#begin(true)
  }
}

/**
 * Reads a mail with transfer encoding. Each nested mail is a quarter shorter, so all together are
 * at most four times the input.
 */
function readEncodedMail(events: MailEvents, { mail, isCut }: { mail: string; isCut: boolean }, around: number): void {
  const parts = createMailPartSplitter(events, false, around)
  for (const [line] of mail.matchAll(/[^\n]*\n|[^\n]+$/g)) parts.line(line)
  parts.end()
  if (isCut) events.text('', { kind: 'plain', isCut })
}

/** Returns the index of the innermost frame whose boundary the line is; -1 for none. */
function findFrame(frames: readonly Frame[], text: string): number {
  return text.startsWith('--')
    ? frames.findLastIndex(
        ({ boundary }) => boundary !== null && (text === `--${boundary}` || text === `--${boundary}--`),
      )
    : -1
}

/** A line like a boundary. RFC 2046, section 5.1.1. */
const FOUND_BOUNDARY = /^--([ -~]{0,99}[!-~])$/
/** A field that parts have. */
const PART_FIELD = /^content-[a-z-]{1,40}[ \t]*:/i

/** Returns the role of a part: inline mail, container, decoded body or file; `null` if not read. */
function getRole(
  facts: PartFacts,
  around: { depth: number; frames: number },
): 'mail' | 'parts' | 'body' | 'file' | null {
  const { type, isAttachment } = facts
  if (type === MAIL_TYPE && around.depth < MAX_DEPTH) return isUnencoded(facts) ? 'mail' : 'body'
  if (type.startsWith('multipart/') && around.frames < MAX_DEPTH) return 'parts'
  if (type.startsWith('text/') && !isAttachment) return SKIPPED_TEXT_TYPES.has(type) ? null : 'body'
  return isFile(facts) ? 'file' : null
}

function isUnencoded({ transfer }: PartFacts): boolean {
  return transfer !== 'base64' && transfer !== 'quoted-printable'
}

/** Mails and deeply nested parts have no file name; signatures are not for people. */
function isFile({ isAttachment, fileName, type }: PartFacts): boolean {
  if (SIGNATURE_TYPE.test(type)) return false
  return isAttachment || fileName !== null || type === MAIL_TYPE || type.startsWith('multipart/')
}

/** A text, a page in HTML, or a text for programs, such as the entry of a calendar. */
export type TextKind = 'plain' | 'page' | 'other'

/** Type of an attached mail. */
const MAIL_TYPE = 'message/rfc822'
/** Longer parts are truncated. */
export const MAX_PART_CHARACTERS = 20_000_000

/** `isCut`: truncated. For an encoded mail the characters are bytes. */
type BodyText = { isCut: boolean } & (
  | { kind: TextKind; text: string; unknownCharset: string | null }
  | { kind: 'mail'; mail: string }
)

/** Collects the lines of a readable part. */
function createBody() {
  let part: PartFacts | null = null
  let lines: string[] = []
  let characters = 0

  function drop(): void {
    part = null
    lines = []
    characters = 0
  }

  return {
    begin(facts: PartFacts): void {
      part = facts
    },
    add(line: string): void {
      const room = MAX_PART_CHARACTERS - characters
      if (room > 0) lines.push(line.slice(0, room))
      characters += line.length
    },
    /** Returns the decoded part; `null` if none is open. */
    take(): BodyText | null {
      const isCut = characters > MAX_PART_CHARACTERS
      const taken = part === null ? null : { ...decode(lines.join(''), part), isCut }
      drop()
      return taken
    },
    drop,
  }
}

function decode(raw: string, part: PartFacts) {
  if (part.type === MAIL_TYPE)
    return { kind: 'mail', mail: decodeTransfer(raw, part.transfer).toString('latin1') } as const
  const unknownCharset = part.charset !== null && findEncoding(part.charset) === null ? part.charset : null
  return { kind: getTextKind(part), text: decodeBody(raw, part), unknownCharset } as const
}

function getTextKind({ type }: PartFacts): TextKind {
  if (type === 'text/html') return 'page'
  return type === 'text/calendar' ? 'other' : 'plain'
}
