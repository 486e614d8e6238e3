import { decodeEscapes } from '../analysis/escapes.ts'
import { normalizeForMatch } from '../analysis/fold.ts'
import { rankingKernels } from './kernels.ts'
import { createClosePairs, type Pair } from './pairs.ts'
import type { Counts } from './scores.ts'

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
  const places = new Map<string, number>()
  const runs = words.map((word) => {
    const own: number[] = []
    // A compound such as `ERR_4012` or `3.2.1` becomes several words when normalized.
    const padded = normalizeForMatch(word)
    for (let start = 0; start + LENGTH <= padded.length && places.size < MAX_RUNS; start++) {
      const gram = padded.slice(start, start + LENGTH)
      const place = places.get(gram) ?? places.size
      places.set(gram, place)
      own.push(place)
    }
    return own
  })
  const grams = [...places.keys()]
  const closePairs = createClosePairs(runs, pairs)

  function read(text: ReturnType<typeof toComparableForms>): ReturnType<FourGrams['count']> | null {
    const close = closePairs.begin()
    const found = rankingKernels.countGrams(grams, text, close.meet)
    return found && { ...found, pairs: close.counts }
  }

  return {
    size: grams.length,
    words: runs,
    count(text) {
      const none = () => ({
        counts: new Uint32Array(grams.length),
        length: text.length,
        pairs: closePairs.begin().counts,
      })
      if (grams.length === 0) return none()
      // Few characters depend on others, and most forms are known.
      return read({ source: decodeEscapes(text), areForms: false }) ?? read(toComparableForms(text)) ?? none()
    },
  }
}

/** Forms of separators, of dropped characters, and of characters that combine with others. */
export const SPACE = 32
export const DROPPED = 0
const JOINED = 0xffff
const UNKNOWN = 0xfffe

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
/** Forms are filled on demand. */
const { forms } = rankingKernels
forms.fill(UNKNOWN)
for (let code = 0; code < 0x80; code++) learn(code)

/**
 * Prepares a text for reading in the form of `normalizeForMatch`, usually without allocating a
 * string. Each code unit of `source` has its form in `forms`, {@link SPACE} or {@link DROPPED}. If
 * `areForms`, the source is already normalized. A word begins and ends with a space; repeated
 * spaces count once.
 */
export function toComparableForms(text: string): { source: string; areForms: boolean } {
  const plain = decodeEscapes(text)
  if (ASCII.test(plain) || !hasJoined(plain)) return { source: plain, areForms: false }
  const source = plain.replace(LIGATURE, (letter) => LIGATURES.get(letter) ?? letter)
  return hasJoined(source) ? { source: normalizeForMatch(text), areForms: true } : { source, areForms: false }
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
  if (strange.length === 0) return texts.map(() => 0)
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
