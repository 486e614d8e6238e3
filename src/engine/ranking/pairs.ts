/** What the query's characters find in scripts of which two make a word. */
type CharacterPairs = {
  /** Distinct pairs and characters of the query. */
  size: number
  /** Counts them in a text, as it is written. */
  count(text: string): Uint32Array
}

/**
 * Chinese, Japanese, and Korean, whose words change at their end; of one code unit each, which all
 * but the rarest characters are. A run of four characters is longer than a Korean noun.
 */
const PAIRED = /^[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\u3000-\uffef]]{1,2}$/v
/**
 * Written letter by letter and without spaces: Thai, Khmer, Lao, Burmese. A single pair of their
 * letters says little.
 */
const SPELLED = /^[\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]{2}$/v
/**
 * A Chinese character alone is a word or a part of its meaning; a kana and a Korean syllable is a
 * sound.
 */
const MEANINGFUL = /\p{Script=Han}/u
const CODE_UNITS = 0x10000

/**
 * Pairs of neighbouring characters among the terms of a query, and the Chinese characters in them
 * each alone: beside the index's pairs alone +.8 points of nDCG@10 on Chinese questions
 * (docs/relevance.md).
 */
export function createCharacterPairs(terms: readonly string[]): CharacterPairs {
  const places = new Map<number, number>()
  const known = new Uint8Array(CODE_UNITS)
  const note = (key: number) => void (places.has(key) || places.set(key, places.size))
  for (const term of terms.filter((each) => PAIRED.test(each))) {
    for (const character of term) {
      known[character.charCodeAt(0)] = 1
      if (MEANINGFUL.test(character)) note(character.charCodeAt(0))
    }
    if (term.length === 2) note(keyOf(term.charCodeAt(0), term.charCodeAt(1)))
  }

  return {
    size: places.size,
    count(text) {
      const counts = new Uint32Array(places.size)
      if (places.size === 0) return counts
      const add = (key: number) => {
        const place = places.get(key)
        if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1
      }
      let before = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        const isKnown = known[code] === 1
        if (isKnown) add(code)
        if (isKnown && before > 0) add(keyOf(before, code))
        before = isKnown ? code : 0
      }
      return counts
    },
  }
}

/**
 * What the terms of spelled scripts were cut from: pairs of letters that overlap, put together
 * again. In order.
 */
export function joinSpelledPairs(terms: readonly string[]): string[] {
  const runs: string[] = []
  let last = ''
  for (const term of terms) {
    const isSpelled = SPELLED.test(term)
    if (isSpelled && last !== '' && last.endsWith(term.slice(0, 1))) runs.push((runs.pop() ?? '') + term.slice(1))
    else if (isSpelled) runs.push(term)
    last = isSpelled ? term : ''
  }
  return runs
}

function keyOf(first: number, second: number): number {
  return first * CODE_UNITS + second
}

/** The places of two words among those of a query. */
export type Pair = readonly [first: number, second: number]

/** Counts pairs in one text. */
type PairCount = {
  /** How often the second word of each pair stood close behind the first. */
  counts: Uint32Array
  /** Takes the heads of words in the order of the text, each with the number of its word. */
  meet(head: number, word: number): void
}

/**
 * The next word but one: farther apart, what was gained on abstracts and papers was less
 * (docs/relevance.md).
 */
const CLOSE_WORDS = 2

/**
 * Counts pairs of words in texts by how the words begin, so that `boundary layers` is `boundary
 * layer`: the head of a word is the run of its first four characters, one of which is the space
 * behind a word of three. Of a word of two it has both spaces; a single character has none. `words`
 * are the places of each word's runs, as `FourGrams` has them.
 */
export function createClosePairs(
  words: readonly (readonly number[])[],
  pairs: readonly Pair[],
): { begin(): PairCount } {
  const firsts = new Map<number, { first: number; pair: number }[]>()
  pairs.forEach(([one, other], pair) => {
    const [first, second] = [headOf(words[one]), headOf(words[other])]
    if (first === undefined || second === undefined || first === second) return
    firsts.set(second, [...(firsts.get(second) ?? []), { first, pair }])
  })

  return {
    begin() {
      const counts = new Uint32Array(pairs.length)
      const met = new Map<number, number>()
      const meet = (head: number, word: number): void => {
        for (const { first, pair } of firsts.get(head) ?? []) {
          const before = met.get(first)
          if (before !== undefined && word - before <= CLOSE_WORDS) counts[pair] = (counts[pair] ?? 0) + 1
        }
        met.set(head, word)
      }
      return { counts, meet }
    },
  }
}

/** The runs of a word begin with its space: the second has its first four characters. */
function headOf(runs: readonly number[] = []): number | undefined {
  return runs[1] ?? runs[0]
}
