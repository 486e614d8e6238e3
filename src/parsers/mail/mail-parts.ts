import { decodeBody } from './decode-body.ts'
import { isFolderLine } from './is-mail.ts'
import { type MailFields, type PartFacts, readFields, readPartFacts } from './mail-fields.ts'

/** What is found in a mail, in its order. */
export type MailEvents = {
  /** A mail begins: the file's own, the next of a folder, or one that another holds. */
  message(fields: MailFields, depth: number): void
  /** Parts that say the same in several ways come between these two. */
  beginChoice(): void
  endChoice(): void
  text(text: string, isHtml: boolean): void
  attachment(name: string | null): void
}

/** Parts that hold parts; deeper ones are an accident. */
const MAX_DEPTH = 30
const MAX_FIELD_LINES = 2_000
/** What is longer is cut off there. */
const MAX_PART_CHARACTERS = 20_000_000

type Frame = { boundary: string; isChoice: boolean }

/** Where the reading stands: `between` parts nothing is for people. */
type State = 'fields' | 'body' | 'between'

/** Follows the parts of a mail line by line. RFC 2046. */
export function createMailParts(events: MailEvents, isFolder: boolean): { line(line: string): void; end(): void } {
  const frames: Frame[] = []
  let state: State = 'fields'
  let isMessage = true
  let depth = 0
  let fields: string[] = []
  const body = createBody()
  let afterEmpty = true

  function begin(isMail: boolean): void {
    state = 'fields'
    isMessage = isMail
    fields = []
  }

  function endFields(): void {
    const read = readFields(fields)
    if (isMessage) events.message(read, depth)
    const facts = readPartFacts(read)
    state = 'between'
    if (facts.type === 'message/rfc822' && isAsWritten(facts) && depth < MAX_DEPTH) {
      depth += 1
      begin(true)
    } else if (facts.type.startsWith('multipart/') && facts.boundary !== null && frames.length < MAX_DEPTH) {
      const isChoice = facts.type === 'multipart/alternative'
      frames.push({ boundary: facts.boundary, isChoice })
      if (isChoice) events.beginChoice()
    } else if (facts.type.startsWith('text/') && !facts.isAttachment) {
      state = 'body'
      body.begin(facts)
    } else if (facts.isAttachment || facts.fileName !== null) events.attachment(facts.fileName)
  }

  function endPart(): void {
    if (state === 'fields' && fields.length > 0) endFields()
    const read = body.take()
    if (read !== null) events.text(read.text, read.isHtml)
    state = 'between'
  }

  /** Closes the frames from that one on. */
  function close(from: number): void {
    for (const { isChoice } of frames.splice(from).reverse()) if (isChoice) events.endChoice()
  }

  function findFrame(text: string): number {
    return text.startsWith('--')
      ? frames.findLastIndex(({ boundary }) => text === `--${boundary}` || text === `--${boundary}--`)
      : -1
  }

  /** The line ends a part, and with it those within. */
  function endFrame(frame: number, isEnd: boolean): void {
    endPart()
    close(isEnd ? frame : frame + 1)
    if (!isEnd) begin(false)
  }

  function beginNextMail(): void {
    endPart()
    close(0)
    depth = 0
    begin(true)
  }

  function take(line: string, text: string): void {
    if (state === 'fields' && text === '') endFields()
    else if (state === 'fields' && fields.length < MAX_FIELD_LINES) fields.push(line)
    else if (state === 'body') body.add(line)
  }

  return {
    line(line) {
      const text = line.trimEnd()
      const frame = findFrame(text)
      if (isFolder && afterEmpty && isFolderLine(text)) beginNextMail()
      else if (frame >= 0) endFrame(frame, text === `--${frames[frame]?.boundary}--`)
      else take(line, text)
      afterEmpty = text === ''
    },
    end() {
      endPart()
      close(0)
    },
  }
}

/** Holds the lines of a part for people. */
function createBody() {
  let part: PartFacts | null = null
  let lines: string[] = []
  let characters = 0
  return {
    begin(facts: PartFacts): void {
      part = facts
    },
    add(line: string): void {
      characters += line.length
      if (characters <= MAX_PART_CHARACTERS) lines.push(line)
    },
    /** What it has, decoded; `null` where none is open. */
    take(): { text: string; isHtml: boolean } | null {
      const taken = part === null ? null : { text: decodeBody(lines.join(''), part), isHtml: part.type === 'text/html' }
      part = null
      lines = []
      characters = 0
      return taken
    },
  }
}

function isAsWritten({ transfer }: PartFacts): boolean {
  return transfer !== 'base64' && transfer !== 'quoted-printable'
}
