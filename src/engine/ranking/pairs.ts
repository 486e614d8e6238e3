/** Character bigram matcher of a query, for scripts with two-character words. */
type CharacterPairs = {
  /** Number of distinct bigrams and characters of the query. */
  size: number
  /** Counts them in a text as written. */
  count(text: string): Uint32Array
}

/**
 * Chinese, Japanese and Korean, whose words change endings. One code unit each, as nearly all
 * characters. Four-grams are longer than a Korean noun.
 */
const PAIRED = /^[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\u3000-\uffef]]{1,2}$/v
/**
 * Thai, Khmer, Lao, Burmese: alphabetic without spaces. A single bigram of letters has little
 * meaning.
 */
const SPELLED = /^[\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]{2}$/v
/** A Chinese character is a word or a morpheme; a Kana or Hangul syllable is a sound. */
const MEANINGFUL = /\p{Script=Han}/u
const CODE_UNITS = 0x10000

/**
 * Creates a matcher of the query's bigrams and of single Chinese characters. Both add +.8 points of
 * nDCG@10 on Chinese questions to the index alone (docs/relevance.md).
 */
export function createCharacterPairs(terms: readonly string[]): CharacterPairs {
  const places = new Map<number, number>()
  const paired = terms.filter((each) => PAIRED.test(each))
  const known = new Uint8Array(paired.length > 0 ? CODE_UNITS : 0)
  const note = (key: number) => void (places.has(key) || places.set(key, places.size))
  for (const term of paired) {
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

/** Joins overlapping bigrams of alphabetic scripts to the original words, in order. */
export function joinBigrams(terms: readonly string[]): string[] {
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

/** Indexes of two words of a query. */
export type Pair = readonly [first: number, second: number]

/** Counts pairs in one text. */
type PairCount = {
  /** Number of times the second word of each pair closely follows the first. */
  counts: Uint32Array
  /** Takes the heads of words in text order, with their word numbers. */
  meet(head: number, word: number): void
}

/**
 * Maximum distance in words; a larger distance gained less on abstracts and papers
 * (docs/relevance.md).
 */
const CLOSE_WORDS = 2

/**
 * Creates a counter of word pairs by the heads of words, so that `boundary layers` matches
 * `boundary layer`. The head is the first four-gram of a word, including a space after a word of
 * three characters. A word of two has both spaces; a single character has no head. `words` has the
 * four-gram indexes of each word, as in `FourGrams`.
 */
export function createClosePairs(
  words: readonly (readonly number[])[],
  pairs: readonly Pair[],
): { begin(): PairCount } {
  const firsts = new Map<number, { first: number; pair: number }[]>()
  const heads = new Set<number>()
  pairs.forEach(([one, other], pair) => {
    const [first, second] = [headOf(words[one]), headOf(words[other])]
    if (first === undefined || second === undefined || first === second) return
    heads.add(first).add(second)
    firsts.set(second, [...(firsts.get(second) ?? []), { first, pair }])
  })

  return {
    begin() {
      const counts = new Uint32Array(pairs.length)
      const met = new Map<number, number>()
      const meet = (head: number, word: number): void => {
        if (!heads.has(head)) return
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

/** The first four-gram of a word begins with a space; the second has its first four characters. */
function headOf(runs: readonly number[] = []): number | undefined {
  return runs[1] ?? runs[0]
}
