/** Escapes each bare `&`, which XML forbids in text and attributes. */
type AmpersandRepair = {
  /** Returns the text read so far, without a short tail that the next chunk may complete. */
  write(text: string): string
  /** Returns the tail. */
  end(): string
  /** Returns a warning with the line of the first bare `&`; `null` without any. */
  describe(): string | null
}

/** Longer than any reference to a character or entity in use. */
const MAX_REFERENCE_CHARACTERS = 64
/** Sections whose content is verbatim, or a bare `&`. */
const SECTION_OR_AMPERSAND =
  /<!\[CDATA\[|<!--|<\?|&(?!(?:#\d{1,8}|#x[\da-fA-F]{1,7}|[\p{L}_:][\p{L}\p{M}\p{N}._:-]{0,60});)/gu
const SECTION_ENDS: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' }

/**
 * Creates the repair of a file. Without it, a parser takes all text up to the next semicolon as the
 * name of an entity, tags included.
 */
export function createAmpersandRepair(): AmpersandRepair {
  let held = ''
  /** End of the open section; `null` in markup and text. */
  let sectionEnd: string | null = null
  let line = 1
  let count = 0
  let firstLine = 0

  /** Counts a bare `&`, and begins or ends a section. */
  function passToken(token: string): void {
    if (token !== '&') sectionEnd = sectionEnd === null ? (SECTION_ENDS[token] ?? null) : null
    else if (count++ === 0) firstLine = line
  }

  /** Handles `held` up to the first token at or after `limit`. */
  function take(limit: number): string {
    let taken = ''
    let at = 0
    while (at < limit) {
      const [token, start, length] = findToken(held, at, sectionEnd)
      const isTaken = start < limit
      const end = isTaken ? start + length : limit
      taken += isTaken && token === '&' ? `${held.slice(at, start)}&amp;` : held.slice(at, end)
      line += countLines(held, at, end)
      if (isTaken) passToken(token)
      at = end
    }
    held = held.slice(at)
    return taken
  }

  return {
    write(text) {
      held += text
      return take(held.length - MAX_REFERENCE_CHARACTERS)
    },
    end: () => take(held.length),
    describe() {
      if (count === 0) return null
      const times = count === 1 ? 'one bare "&"' : `${count} bare "&"`
      return `The XML is not well-formed: it has ${times}, first at line ${firstLine}. Each was read as text.`
    },
  }
}

/** Returns the next token with its position and length; at the end of the text without any. */
function findToken(text: string, from: number, sectionEnd: string | null): [string, number, number] {
  if (sectionEnd !== null) {
    const at = text.indexOf(sectionEnd, from)
    return at === -1 ? ['', text.length, 0] : [sectionEnd, at, sectionEnd.length]
  }
  SECTION_OR_AMPERSAND.lastIndex = from
  const match = SECTION_OR_AMPERSAND.exec(text)
  return match === null ? ['', text.length, 0] : [match[0], match.index, match[0].length]
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
