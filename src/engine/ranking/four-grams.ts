import { decodeEscapes } from '../analysis/escapes.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { Counts } from './bm25.ts'
import { createClosePairs, type Pair } from './pairs.ts'

/** Four-gram matcher of a query. */
export type FourGrams = {
  /** Number of distinct four-grams of the query. */
  size: number
  /** Count indexes of each word's four-grams, in order; empty for a word of one character. */
  words: readonly (readonly number[])[]
  /** Counts the four-grams and close pairs in a text. */
  count(text: string): Counts & { pairs: Uint32Array }
}

const LENGTH = 4
/** A table of 128 KB, which fits the processor cache. */
const SLOT_BITS = 16
const TAIL_BITS = 12
/**
 * Only the first words of a longer query are compared, because each candidate needs a table of
 * counts.
 */
const MAX_RUNS = 512

/**
 * Creates a matcher of four-grams, with a space before and after each word. Four-grams match
 * inflections, compounds and misspellings that terms do not. Words of one character have none.
 */
export function createFourGrams(words: readonly string[], pairs: readonly Pair[] = []): FourGrams {
  const slots = new Uint16Array(1 << SLOT_BITS)
  const keys: number[] = []
  // Filter by the last two characters: nine of ten four-grams in a text are skipped without
  // computing a key.
  const tails = new Uint8Array(1 << TAIL_BITS)

  /** Returns the index of a four-gram, or its free slot as -slot - 1. */
  function find(key: number): number {
    let slot = key >>> (32 - SLOT_BITS)
    for (let index = slots[slot] ?? 0; index > 0; index = slots[slot] ?? 0) {
      if (keys[index - 1] === key) return index - 1
      slot = (slot + 1) & ((1 << SLOT_BITS) - 1)
    }
    return -1 - slot
  }

  const places = words.map((word) => {
    const own: number[] = []
    // A compound such as `ERR_4012` or `3.2.1` becomes several words when normalized.
    const padded = normalizeForMatch(word)
    for (let start = 0; start + LENGTH <= padded.length && keys.length < MAX_RUNS; start++) {
      const codes = [0, 1, 2, 3].map((step) => padded.charCodeAt(start + step))
      const key = keyOf(prefixKey(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0), codes[3] ?? 0)
      tails[tailOf(codes[2] ?? 0, codes[3] ?? 0)] = 1
      const place = find(key)
      if (place < 0) slots[-1 - place] = keys.push(key)
      own.push(place < 0 ? keys.length - 1 : place)
    }
    return own
  })

  const closePairs = createClosePairs(places, pairs)

  return {
    size: keys.length,
    words: places,
    count(text) {
      const counts = new Uint32Array(keys.length)
      const close = closePairs.begin()
      if (keys.length === 0) return { counts, length: text.length, pairs: close.counts }
      const length = eachRun(text, tails, (key, word, isHead) => {
        if (slots[key >>> (32 - SLOT_BITS)] === 0) return
        const place = find(key)
        if (place < 0) return
        counts[place] = (counts[place] ?? 0) + 1
        if (isHead) close.meet(place, word)
      })
      return { counts, length, pairs: close.counts }
    },
  }
}

/**
 * Calls `take` for every four-gram of a text with a wanted ending: its key, word number, and
 * whether it begins the word. Returns the length of the text without repeated spaces.
 */
function eachRun(text: string, tails: Uint8Array, take: (key: number, word: number, isHead: boolean) => void): number {
  const { source, forms } = toComparableForms(text)
  let [first, second, third] = [0, 0, SPACE]
  let [length, word, letters] = [1, 0, 0]
  for (let index = 0; index <= source.length; index++) {
    const code = index < source.length ? source.charCodeAt(index) : SPACE
    const form = forms === null ? code : (forms[code] ?? SPACE)
    if (form === DROPPED || (form === SPACE && third === SPACE)) continue
    length++
    if (third === SPACE) {
      word++
      letters = 0
    }
    letters++
    if (length >= LENGTH && tails[tailOf(third, form)] === 1) {
      const isHead = letters === LENGTH || (letters === LENGTH - 1 && form === SPACE)
      take(keyOf(prefixKey(first, second, third), form), word, isHead)
    }
    first = second
    second = third
    third = form
  }
  return length
}

function tailOf(third: number, fourth: number): number {
  return ((third << 5) ^ fourth) & ((1 << TAIL_BITS) - 1)
}

function prefixKey(first: number, second: number, third: number): number {
  const key = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b)
  return Math.imul(key ^ third, 0xc2b2ae35)
}

/** The chance of a collision is 1 in 4 billion, and its effect on a score negligible. */
function keyOf(prefix: number, fourth: number): number {
  const key = Math.imul(prefix ^ fourth, 0x27d4eb2f)
  return (key ^ (key >>> 15)) >>> 0
}

/** Forms of separators, of dropped characters, and of characters that combine with others. */
export const SPACE = 32
export const DROPPED = 0
const JOINED = 0xffff
const UNKNOWN = 0xfffe

const CODE_UNITS = 0x10000
/**
 * Combining marks, Hangul jamo, half-width Kana and surrogates: their form depends on adjacent
 * characters.
 */
const JOINING = /[\p{M}\p{Cs}\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]/u
/** Marks that are always dropped: soft hyphens, joiners, variation selectors. */
const SILENT = /[\u00ad\u200d\u2060\u20e3\p{VS}]/v
/** A letter without effect on adjacent characters. */
const BETWEEN = '東'
/** Letters that expand to two; expanded first. */
const LIGATURES = new Map([...'ẞßÆæŒœÞþĲĳŉǄǅǆǇǈǉǊǋǌ'].map((letter) => [letter, normalizeForMatch(letter).trim()]))
const LIGATURE = new RegExp(`[${[...LIGATURES.keys()].join('')}]`, 'g')
/** Fast path: every ASCII character is itself, a capital or no letter. */
const ASCII = /^[\0-\x7f]*$/
/** Forms by code unit, filled on demand. */
const forms = new Uint16Array(CODE_UNITS).fill(UNKNOWN)
for (let code = 0; code < 0x80; code++) learn(code)

/**
 * Prepares a text for reading in the form of `normalizeForMatch`, usually without allocating a
 * string. Each code unit of `source` maps to its form in `forms`, {@link SPACE} or {@link DROPPED}.
 * If `forms` is `null`, the source is already normalized. A word begins and ends with a space;
 * repeated spaces count once.
 */
export function toComparableForms(text: string): { source: string; forms: Uint16Array | null } {
  const plain = decodeEscapes(text)
  if (ASCII.test(plain) || !hasJoined(plain)) return { source: plain, forms }
  const source = plain.replace(LIGATURE, (letter) => LIGATURES.get(letter) ?? letter)
  return hasJoined(source) ? { source: normalizeForMatch(text), forms: null } : { source, forms }
}

function hasJoined(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if ((forms[code] ?? UNKNOWN) >= UNKNOWN && learn(code) === JOINED) return true
  }
  return false
}

function learn(code: number): number {
  const form = formOf(String.fromCharCode(code))
  forms[code] = form
  return form
}

function formOf(character: string): number {
  // Backspace deletes the preceding letter.
  if (character < ' ') return SPACE
  if (SILENT.test(character)) return DROPPED
  if (JOINING.test(character)) return JOINED
  const [, between, ...more] = normalizeForMatch(BETWEEN + character + BETWEEN).trim()
  if (between === BETWEEN && more.length === 0) return DROPPED
  return more.join('') === BETWEEN && between !== undefined ? between.charCodeAt(0) : JOINED
}

/** A lower share indicates another word: `parcetamol` has 6 of 9 four-grams of `paracetamol`. */
const MIN_SHARE = 0.5
/** A higher share indicates the word itself or an inflection. */
const KNOWN_SHARE = 0.85
/** Words with fewer four-grams resemble too many others. */
const MIN_RUNS = 3

/**
 * Scores near matches, 0 to 1, of query words that no text contains: misspellings, prefixes and
 * unstemmed forms. All zeros if every word has a match. `words` has the four-gram indexes of each
 * word.
 */
export function fuzzyOutOfVocabularyScore(texts: readonly Counts[], words: readonly (readonly number[])[]): number[] {
  const strange = words.filter(
    (runs) => runs.length >= MIN_RUNS && !texts.some(({ counts }) => shareOf(runs, counts) >= KNOWN_SHARE),
  )
  return texts.map(({ counts }) => {
    const near = strange.map((runs) => shareOf(runs, counts)).filter((share) => share >= MIN_SHARE)
    // Divided by all words: an unknown word in a long query usually is an inflection, and a higher
    // weight lowered relevance (docs/relevance.md).
    return near.reduce((sum, share) => sum + share, 0) / Math.max(1, words.length)
  })
}

function shareOf(runs: readonly number[], counts: Uint32Array): number {
  let standing = 0
  for (const run of runs) if ((counts[run] ?? 0) > 0) standing += 1
  return standing / runs.length
}
