import { withoutEscapes } from './escapes.ts'
import { matchable } from './fold.ts'

/** The forms of characters that are no letters, of those that are left out, and of those that are read together with others. */
export const SPACE = 32
export const DROPPED = 0
const JOINED = 0xffff
const UNKNOWN = 0xfffe

const CODE_UNITS = 0x10000
/** Marks, syllables of Korean by their letters, kana of half width and halves of a character: what they become depends on what is beside them. */
const JOINING = /[\p{M}\p{Cs}\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff\uff9e-\uffdc]/u
/** Marks that are left out wherever they stand: soft hyphens, joiners, what chooses a form of the character before it. */
const SILENT = /[\u00ad\u200d\u2060\u20e3\p{VS}]/v
/** A letter that changes nothing beside it. */
const BETWEEN = '東'
/** Letters that become two, capitals and small: they are written out first. */
const LIGATURES = new Map([...'ẞßÆæŒœÞþĲĳŉǄǅǆǇǈǉǊǋǌ'].map((letter) => [letter, matchable(letter).trim()]))
const LIGATURE = new RegExp(`[${[...LIGATURES.keys()].join('')}]`, 'g')
/** Without a look at each letter: of these every one is itself, a capital or no letter. */
const ASCII = /^[\0-\x7f]*$/
/** By code unit, filled in as they are met. */
const forms = new Uint16Array(CODE_UNITS).fill(UNKNOWN)
for (let code = 0; code < 0x80; code++) learn(code)

/**
 * A text to be read letter by letter in the form that `matchable` would give it, without a new text being made as a rule: each code unit of `source` becomes
 * that of `forms`, {@link SPACE} or {@link DROPPED}; where `forms` is `null` it stands in that form already. A word begins and ends with a space, several are one.
 */
export function readable(text: string): { source: string; forms: Uint16Array | null } {
  const plain = withoutEscapes(text)
  if (ASCII.test(plain) || !hasJoined(plain)) return { source: plain, forms }
  const source = plain.replace(LIGATURE, (letter) => LIGATURES.get(letter) ?? letter)
  return hasJoined(source) ? { source: matchable(text), forms: null } : { source, forms }
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
  const [, between, ...more] = matchable(BETWEEN + character + BETWEEN).trim()
  if (between === BETWEEN && more.length === 0) return DROPPED
  return more.join('') === BETWEEN && between !== undefined ? between.charCodeAt(0) : JOINED
}
