import { decodeBody } from './decode-body.ts'
import type { PartFacts } from './mail-fields.ts'

/** A text, a page in HTML, or a text for programs, such as the entry of a calendar. */
export type TextKind = 'plain' | 'page' | 'other'

/** What is longer is cut off there. */
export const MAX_PART_CHARACTERS = 20_000_000

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
    take(): { text: string; kind: TextKind; isCut: boolean } | null {
      const isCut = characters > MAX_PART_CHARACTERS
      const taken = part === null ? null : { text: decodeBody(lines.join(''), part), kind: kindOf(part), isCut }
      part = null
      lines = []
      characters = 0
      return taken
    },
  }
}

function kindOf({ type }: PartFacts): TextKind {
  if (type === 'text/html') return 'page'
  return type === 'text/calendar' ? 'other' : 'plain'
}
