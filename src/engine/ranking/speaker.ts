import { matchable } from '../analysis/fold.ts'

/** How a turn of a conversation begins: "Anna: …". */
const TURN = /^[\p{L}\p{M}][\p{L}\p{M}\p{N} .'’_-]{0,39}[:：]/u

/** Larger chunks carry their own context, and begin with headings rather than with names: with them what turns take did harm (measured, docs/decisions). */
export const SMALL_CHARACTERS = 300

/** Who speaks in a text that is a turn of a conversation, with the mark behind the name; `null` in every other. */
export function readSpeaker(text: string): string | null {
  return TURN.exec(text)?.[0] ?? null
}

/** 1 for each small text that is the turn of someone whom the query names, 0 for every other. `words` are folded. */
export function scoreSpeakers(texts: readonly string[], words: readonly string[]): number[] {
  const asked = new Set(words)
  return texts.map((text) => {
    const speaker = text.length <= SMALL_CHARACTERS ? readSpeaker(text) : null
    if (speaker === null) return 0
    const names = matchable(speaker).split(' ')
    return names.some((name) => name !== '' && asked.has(name)) ? 1 : 0
  })
}
