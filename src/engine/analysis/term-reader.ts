/** Returns the terms of a text, in order. */
export type TermReader = (text: string) => string[]

/** Space and all control characters before it. No word contains them. */
const SPACE = 0x20
const SMALL = 0x20
const PLUS = 0x2b
const NUMBER_SIGN = 0x23

/**
 * Creates a reader that caches terms by white-space-delimited segment; `readSegment` analyses one
 * segment. The terms equal those of the whole text: no word spans white space, and none begins or
 * ends with a mark except `C++` and `C#`.
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

/** True for an ASCII character other than a letter or a digit. */
function isMark(code: number): boolean {
  const small = code | SMALL
  return code < 0x80 && !(small >= 0x61 && small <= 0x7a) && !(code >= 0x30 && code <= 0x39)
}

function isEndMark(code: number): boolean {
  return isMark(code) && code !== PLUS && code !== NUMBER_SIGN
}

/**
 * Cache of values by segment, looked up by characters in place: a known segment allocates no
 * string.
 */
type SegmentTable<Value> = {
  /** Returns the value of the text between two offsets. */
  find(text: string, start: number, end: number): Value
}

/**
 * Vocabulary of most collections, some 10 MB. A limit of 30,000 lost most of the gain on 36,000
 * words. Twice as many slots keep probe chains short.
 */
const MAX_SEGMENTS = 50_000
const SLOT_BITS = 17
/** Longer segments rarely repeat. */
const MAX_CHARACTERS = 40
/** Only adversarial texts have longer chains. Their segments are not cached. */
const MAX_PROBES = 16
const FNV = { offset: 0x811c9dc5, prime: 0x01000193 } as const

/** Creates a table that calls `workOut` once for each cached segment. */
export function createSegmentTable<Value>(workOut: (segment: string) => Value): SegmentTable<Value> {
  const slots = new Uint16Array(1 << SLOT_BITS)
  let known: { segment: string; value: Value }[] = []

  function remember(slot: number, segment: string): Value {
    const value = workOut(segment)
    if (known.length >= MAX_SEGMENTS) {
      known = []
      slots.fill(0)
      return value
    }
    // V8 represents a substring of 13 characters or more as a view that retains the whole text. A
    // copy does not.
    slots[slot] = known.push({ segment: Buffer.from(segment, 'utf16le').toString('utf16le'), value })
    return value
  }

  return {
    find(text, start, end) {
      if (end - start > MAX_CHARACTERS) return workOut(text.slice(start, end))
      let hash: number = FNV.offset
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV.prime)
      let slot = (hash ^ (hash >>> SLOT_BITS)) & (slots.length - 1)
      for (let probe = 0; probe < MAX_PROBES; probe += 1) {
        const entry = known[(slots[slot] ?? 0) - 1]
        if (entry === undefined) return remember(slot, text.slice(start, end))
        if (entry.segment.length === end - start && text.startsWith(entry.segment, start)) return entry.value
        slot = (slot + 1) & (slots.length - 1)
      }
      return workOut(text.slice(start, end))
    },
  }
}
