import { matchable } from '../analysis/fold.ts'

/** How a turn of a conversation begins: "Anna: …". */
const TURN = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .'’_-]{0,39}[:：]/u

/** A turn may be long: with a limit of 300, which a twentieth of the turns of a chat exceeds, all of the gain was gone. Passages of a document are longer still. */
const MOST_CHARACTERS = 1000

/** Who speaks in a text that is a turn of a conversation, with the mark behind the name; `null` in every other. */
export function readSpeaker(text: string): string | null {
  return text.length <= MOST_CHARACTERS ? (TURN.exec(text)?.[0] ?? null) : null
}

/** 1 for each text that is the turn of someone whom the query names, 0 for every other. `words` are folded. */
export function scoreSpeakers(texts: readonly string[], words: readonly string[]): number[] {
  const asked = new Set(words)
  return texts.map((text) => {
    const speaker = readSpeaker(text)
    if (speaker === null) return 0
    const names = matchable(speaker).split(' ')
    return names.some((name) => name !== '' && asked.has(name)) ? 1 : 0
  })
}
