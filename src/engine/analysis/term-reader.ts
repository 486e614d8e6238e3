/** The terms of a text, in order. */
export type TermReader = (text: string) => string[]

/** Space and all controls before it: no word has one in it. */
const SPACE = 0x20
const SMALL = 0x20
const PLUS = 0x2b
const NUMBER_SIGN = 0x23

/**
 * A reader over `readSegment`, which gives the terms of a piece of text. A text of words and spaces
 * repeats its pieces between spaces, so that most are looked up. Same terms as those of the whole
 * text: no word reaches over white space, and none begins or ends with a mark but for those of
 * `C++` and `C#`.
 */
export function createTermReader(readSegment: (segment: string) => readonly string[]): TermReader {
  const table = createSegmentTable(readSegment)

  return (text) => {
    const terms: string[] = []
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      if (text.charCodeAt(at) > SPACE) continue
      addTerms(start, at)
      start = at + 1
    }
    addTerms(start, text.length)
    return terms

    function addTerms(from: number, to: number): void {
      let first = from
      let end = to
      while (first < end && isMark(text.charCodeAt(first))) first += 1
      while (first < end && isEndMark(text.charCodeAt(end - 1))) end -= 1
      if (first === end) return
      for (const term of table.find(text, first, end)) terms.push(term)
    }
  }
}

/** An ASCII character that is neither a letter nor a digit. */
function isMark(code: number): boolean {
  const small = code | SMALL
  return code < 0x80 && !(small >= 0x61 && small <= 0x7a) && !(code >= 0x30 && code <= 0x39)
}

function isEndMark(code: number): boolean {
  return isMark(code) && code !== PLUS && code !== NUMBER_SIGN
}

/**
 * What was worked out from pieces of texts, found by their characters where they stand: of a known
 * piece no string is made.
 */
type SegmentTable<Value> = {
  /** What `workOut` gave for the text between two offsets. */
  find(text: string, start: number, end: number): Value
}

/**
 * The words of most collections, in some 10 MB: with 30,000 most of the gain was lost on 36,000
 * words. Twice as many slots and more keep chains short.
 */
const MOST_SEGMENTS = 50_000
const SLOT_BITS = 17
/** Longer pieces hardly come again. */
const MOST_CHARACTERS = 40
/** Of so many in one place only a text made for it has more; they are worked out each time. */
const MOST_PROBES = 16
const FNV = { offset: 0x811c9dc5, prime: 0x01000193 } as const

/** A table that asks `workOut` for each short piece once, as long as the piece is remembered. */
export function createSegmentTable<Value>(workOut: (segment: string) => Value): SegmentTable<Value> {
  const slots = new Uint16Array(1 << SLOT_BITS)
  let known: { segment: string; value: Value }[] = []

  function remember(slot: number, segment: string): Value {
    const value = workOut(segment)
    if (known.length >= MOST_SEGMENTS) {
      known = []
      slots.fill(0)
      return value
    }
    // A part of 13 characters and more is a view to V8 and keeps the whole text alive; a copy does
    // not.
    slots[slot] = known.push({ segment: Buffer.from(segment, 'utf16le').toString('utf16le'), value })
    return value
  }

  return {
    find(text, start, end) {
      if (end - start > MOST_CHARACTERS) return workOut(text.slice(start, end))
      let hash: number = FNV.offset
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV.prime)
      let slot = (hash ^ (hash >>> SLOT_BITS)) & (slots.length - 1)
      for (let probe = 0; probe < MOST_PROBES; probe += 1) {
        const entry = known[(slots[slot] ?? 0) - 1]
        if (entry === undefined) return remember(slot, text.slice(start, end))
        if (entry.segment.length === end - start && text.startsWith(entry.segment, start)) return entry.value
        slot = (slot + 1) & (slots.length - 1)
      }
      return workOut(text.slice(start, end))
    },
  }
}
