/** What the query's characters find in scripts of which two make a word. */
export type CharacterPairs = {
  /** Distinct pairs and characters of the query. */
  size: number
  /** Counts them in a text, as it is written. */
  count(text: string): Uint32Array
}

/**
 * Chinese, Japanese, and Korean, whose words change at their end; of one code unit each, which all but the rarest characters are. A run of four characters is
 * longer than a Korean noun.
 */
const PAIRED = /^[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\u3000-\uffef]]{1,2}$/v
/** Written letter by letter and without spaces: Thai, Khmer, Lao, Burmese. A single pair of their letters says little. */
const SPELLED = /^[\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]{2}$/v
/** A Chinese character alone is a word or a part of its meaning; a kana and a Korean syllable is a sound. */
const MEANINGFUL = /\p{Script=Han}/u
const CODE_UNITS = 0x10000

/**
 * Pairs of neighbouring characters among the terms of a query, and the Chinese characters in them each alone: beside the index's pairs alone +.8 points
 * of nDCG@10 on Chinese questions (docs/relevance.md).
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

/** What the terms of spelled scripts were cut from: pairs of letters that overlap, put together again. In order. */
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
