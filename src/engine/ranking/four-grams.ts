import { withoutEscapes } from '../analysis/escapes.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import type { Counts } from './bm25.ts'
import { createClosePairs, type Pair } from './pairs.ts'

/** What the query's runs of four characters find. */
export type FourGrams = {
  /** Distinct runs of the query. */
  size: number
  /**
   * The places of each word's runs among the counts, in order; none for a word of one character.
   */
  words: readonly (readonly number[])[]
  /** Counts them in a text, and the pairs that stand in it close together. */
  count(text: string): Counts & { pairs: Uint32Array }
}

const LENGTH = 4
/** Slots of a table of 128 KB, which stays in the processor's cache. */
const SLOT_BITS = 16
const TAIL_BITS = 12
/**
 * Of a longer query only the first words are compared in this way: a table of counts is made for
 * every candidate.
 */
const MAX_RUNS = 512

/**
 * The runs of four characters of words, a space before and behind each: they find inflections,
 * compounds and typing mistakes that no term matches. Words of one character have none.
 */
export function createFourGrams(words: readonly string[], pairs: readonly Pair[] = []): FourGrams {
  const slots = new Uint16Array(1 << SLOT_BITS)
  const keys: number[] = []
  // By their last two characters: nine runs of ten in a text are passed over without their key.
  const tails = new Uint8Array(1 << TAIL_BITS)

  /** The place of a run, or the free slot where it would go as a negative number less one. */
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
    // A word may hold joints (`ERR_4012`, `3.2.1`), which a text has as spaces in the form it is
    // compared in.
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
 * Hands over the key of every run of a text that ends as one wanted, with the number of its word
 * and whether it is the head of that word, and returns the text's length without repeated spaces.
 */
function eachRun(text: string, tails: Uint8Array, take: (key: number, word: number, isHead: boolean) => void): number {
  const { source, forms } = readable(text)
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

/**
 * Two runs share a key with a chance of one in four thousand million: it costs a hair of a score,
 * never more.
 */
function keyOf(prefix: number, fourth: number): number {
  const key = Math.imul(prefix ^ fourth, 0x27d4eb2f)
  return (key ^ (key >>> 15)) >>> 0
}

/**
 * The forms of characters that are no letters, of those that are left out, and of those that are
 * read together with others.
 */
export const SPACE = 32
export const DROPPED = 0
const JOINED = 0xffff
const UNKNOWN = 0xfffe

const CODE_UNITS = 0x10000
/**
 * Marks, syllables of Korean by their letters, kana of half width and halves of a character: what
 * they become depends on what is beside them.
 */
const JOINING = /[\p{M}\p{Cs}\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]/u
/**
 * Marks that are left out wherever they stand: soft hyphens, joiners, what chooses a form of the
 * character before it.
 */
const SILENT = /[\u00ad\u200d\u2060\u20e3\p{VS}]/v
/** A letter that changes nothing beside it. */
const BETWEEN = '東'
/** Letters that become two, capitals and small: they are written out first. */
const LIGATURES = new Map([...'ẞßÆæŒœÞþĲĳŉǄǅǆǇǈǉǊǋǌ'].map((letter) => [letter, normalizeForMatch(letter).trim()]))
const LIGATURE = new RegExp(`[${[...LIGATURES.keys()].join('')}]`, 'g')
/** Without a look at each letter: of these every one is itself, a capital or no letter. */
const ASCII = /^[\0-\x7f]*$/
/** By code unit, filled in as they are met. */
const forms = new Uint16Array(CODE_UNITS).fill(UNKNOWN)
for (let code = 0; code < 0x80; code++) learn(code)

/**
 * A text to be read letter by letter in the form that `matchable` would give it, without a new text
 * being made as a rule: each code unit of `source` becomes that of `forms`, {@link SPACE} or {@link
 * DROPPED}; where `forms` is `null` it stands in that form already. A word begins and ends with a
 * space, several are one.
 */
export function readable(text: string): { source: string; forms: Uint16Array | null } {
  const plain = withoutEscapes(text)
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
  // A backspace takes the letter before it away.
  if (character < ' ') return SPACE
  if (SILENT.test(character)) return DROPPED
  if (JOINING.test(character)) return JOINED
  const [, between, ...more] = normalizeForMatch(BETWEEN + character + BETWEEN).trim()
  if (between === BETWEEN && more.length === 0) return DROPPED
  return more.join('') === BETWEEN && between !== undefined ? between.charCodeAt(0) : JOINED
}

/**
 * With fewer of its runs of four characters a text has another word: `parcetamol` has 6 of its 9 in
 * `paracetamol`.
 */
const LEAST_SHARE = 0.5
/** With so many a text has the word itself, or one of its endings. */
const KNOWN_SHARE = 0.85
/** Words of fewer runs are like too many others. */
const LEAST_RUNS = 3

/**
 * How far each text has what is nearly a word of the query, 0 to 1, for those of the query's words
 * that none of the texts has: mistakes, beginnings, and forms that no stemmer brings together. All
 * zeros where there is no such word. `words` are the places of each word's runs.
 */
export function fuzzyOutOfVocabularyScore(texts: readonly Counts[], words: readonly (readonly number[])[]): number[] {
  const strange = words.filter(
    (runs) => runs.length >= LEAST_RUNS && !texts.some(({ counts }) => shareOf(runs, counts) >= KNOWN_SHARE),
  )
  return texts.map(({ counts }) => {
    const near = strange.map((runs) => shareOf(runs, counts)).filter((share) => share >= LEAST_SHARE)
    // Of all words: what is strange in a sentence of ten is mostly an inflection, and counted more
    // it did harm (docs/relevance.md).
    return near.reduce((sum, share) => sum + share, 0) / Math.max(1, words.length)
  })
}

function shareOf(runs: readonly number[], counts: Uint32Array): number {
  let standing = 0
  for (const run of runs) if ((counts[run] ?? 0) > 0) standing += 1
  return standing / runs.length
}
