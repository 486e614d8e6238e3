import { matchable } from '../analysis/fold.ts'
import { HANGUL, UNSPACED } from '../analysis/scripts.ts'

/** How a turn of a conversation begins: "Anna: …". */
const TURN = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .'’_-]{0,39}[:：]/u

/** A turn may be long: with a limit of 300, which a twentieth of the turns of a chat exceeds, all of the gain was gone. Passages of a document are longer still. */
const MOST_CHARACTERS = 1000

/** Who speaks in a text that is a turn of a conversation, with the mark behind the name; `null` in every other. */
export function readSpeaker(text: string): string | null {
  return text.length <= MOST_CHARACTERS ? (TURN.exec(text)?.[0] ?? null) : null
}

/** What a query asks for, as `RankingQuery` has it. */
type Asked = { words: readonly string[]; terms: readonly string[] }

/**
 * 1 for each text that is the turn of someone whom the query names, 0 for every other. Names of scripts without spaces, and Korean ones, are looked for by
 * their pairs of characters, which are the terms of the query.
 */
export function scoreSpeakers(texts: readonly string[], query: Asked): number[] {
  const words = new Set(query.words)
  const terms = new Set(query.terms)
  return texts.map((text) => {
    const speaker = readSpeaker(text)
    if (speaker === null) return 0
    const names = matchable(speaker).split(' ')
    return names.some((name) => name !== '' && (words.has(name) || hasPairs(name, terms))) ? 1 : 0
  })
}

function hasPairs(name: string, terms: ReadonlySet<string>): boolean {
  if (!UNSPACED.test(name) && !HANGUL.test(name)) return false
  const characters = [...name]
  const pairs = characters.slice(1).map((character, place) => `${characters[place]}${character}`)
  return pairs.length > 0 && pairs.every((pair) => terms.has(pair))
}
