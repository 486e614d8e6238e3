/** What is known of words, found by their characters where they stand: no string is cut out of the text. */
export type WordTable = {
  /**
   * What `look` gave for the word between two offsets, letters A to Z made small. The word must be of ASCII letters and
   * digits alone.
   */
  find(text: string, start: number, end: number): readonly number[]
}

/** Words remembered: the vocabulary of most collections, in a few MB. Twice as many slots and more keep chains short. */
const MOST_WORDS = 50_000
const SLOT_BITS = 17
const FNV = { offset: 0x811c9dc5, prime: 0x01000193 } as const
/** ASCII differs between A and a by this bit; digits have it set already. */
const SMALL = 0x20

/** A table that asks `look` for each word once, as long as the word is remembered. */
export function createWordTable(look: (word: string) => readonly number[]): WordTable {
  const slots = new Uint16Array(1 << SLOT_BITS)
  let words: string[] = []
  let found: (readonly number[])[] = []

  function remember(slot: number, word: string): readonly number[] {
    const rows = look(word)
    if (words.length >= MOST_WORDS) {
      words = []
      found = []
      slots.fill(0)
      return rows
    }
    // A part of 13 characters and more is a view to V8 and keeps the whole text alive; a copy does not.
    slots[slot] = words.push(Buffer.from(word, 'latin1').toString('latin1'))
    found.push(rows)
    return rows
  }

  return {
    find(text, start, end) {
      let hash: number = FNV.offset
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (text.charCodeAt(at) | SMALL), FNV.prime)
      let slot = (hash ^ (hash >>> SLOT_BITS)) & (slots.length - 1)
      for (let entry = slots[slot] ?? 0; entry > 0; entry = slots[slot] ?? 0) {
        if (stands(words[entry - 1] ?? '', text, start, end)) return found[entry - 1] ?? []
        slot = (slot + 1) & (slots.length - 1)
      }
      return remember(slot, text.slice(start, end).toLowerCase())
    },
  }
}

function stands(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at += 1) {
    if (word.charCodeAt(at) !== (text.charCodeAt(start + at) | SMALL)) return false
  }
  return true
}
