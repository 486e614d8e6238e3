import { decodeBody, decodeTransfer } from './decode-body.ts'
import type { PartFacts } from './mail-fields.ts'

/** A text, a page in HTML, or a text for programs, such as the entry of a calendar. */
export type TextKind = 'plain' | 'page' | 'other'

/** A mail that another holds. */
export const MAIL = 'message/rfc822'
/** What is longer is cut off there. */
export const MAX_PART_CHARACTERS = 20_000_000

/** `isCut`: it went on. Of a mail that is written as a file is (base64), the characters are its bytes. */
export type BodyText = { isCut: boolean } & ({ kind: TextKind; text: string } | { kind: 'mail'; mail: string })

/** Holds the lines of a part for people. */
export function createBody() {
  let part: PartFacts | null = null
  let lines: string[] = []
  let characters = 0
  return {
    begin(facts: PartFacts): void {
      part = facts
    },
    add(line: string): void {
      const room = MAX_PART_CHARACTERS - characters
      if (room > 0) lines.push(line.slice(0, room))
      characters += line.length
    },
    /** What it has, decoded; `null` where none is open. */
    take(): BodyText | null {
      const isCut = characters > MAX_PART_CHARACTERS
      const taken = part === null ? null : { ...decode(lines.join(''), part), isCut }
      part = null
      lines = []
      characters = 0
      return taken
    },
  }
}

function decode(raw: string, part: PartFacts) {
  if (part.type === MAIL) return { kind: 'mail', mail: decodeTransfer(raw, part.transfer).toString('latin1') } as const
  return { kind: kindOf(part), text: decodeBody(raw, part) }
}

function kindOf({ type }: PartFacts): TextKind {
  if (type === 'text/html') return 'page'
  return type === 'text/calendar' ? 'other' : 'plain'
}
