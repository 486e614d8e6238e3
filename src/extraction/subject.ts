import { normalizeForMatch } from '../engine/analysis/fold.ts'
import type { Passage } from './field.ts'
import type { LabelWord } from './label-words.ts'

/** Part of a label that names one of several alike things: `Weight of parcel QX-7708`. */
export type Subject = {
  /** Codes and names, as normalized by `normalizeForMatch`. */
  names: readonly string[]
  /** The words of the label without the subject. */
  asked: readonly LabelWord[]
}

/** A code of letters and digits. Quarters, standards and formulas are shorter. */
const CODE = /(?<![\p{L}\p{N}])\p{Lu}{1,6}-?\d{2,}[\p{L}\p{N}/-]*/gu
/** The name of a person or company at the end of a label, after a preposition. */
const NAME = /(?<=\s(?:of|for|de|du|di|do|da|van|von)\s)\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}.'’-]+)+$/gu

/** Returns the subject of a label; `null` if the label names none. */
export function readSubject(label: string, asked: readonly LabelWord[]): Subject | null {
  const found = [...label.matchAll(CODE), ...label.matchAll(NAME)]
  if (found.length === 0) return null
  const places = found.map(({ index, 0: text }) => ({ start: index, end: index + text.length }))
  const isIn = ({ start, end }: LabelWord) => places.some((place) => start >= place.start && end <= place.end)
  // In `parcel QX-7708` the word before the code is its class, which a record need not repeat.
  const isClass = (index: number) => {
    const [word, next] = [asked[index], asked[index + 1]]
    return word !== undefined && next !== undefined && isIn(next) && next.start - word.end <= 1
  }
  const rest = asked.filter((word, index) => !isIn(word) && !isClass(index))
  if (rest.length === 0) return null
  return { names: found.map(([text]) => normalizeForMatch(text).trim()), asked: rest }
}

type Place = { start: number; end: number }

/**
 * True if the record, paragraph or heading of a value has the names of the subject. The value of
 * another record is the value of a sibling.
 */
export function isAboutSubject({ names }: Subject, passage: Passage, { start, end }: Place): boolean {
  const { text, section, title } = passage
  const around = normalizeForMatch(
    [title, section, text.split('\n', 1)[0], findHeading(text, start), findRecord(text, { start, end })].join('\n'),
  )
  return names.every((name) => around.includes(name))
}

/** The nearest heading above. */
function findHeading(text: string, at: number): string {
  return (
    text
      .slice(0, at)
      .match(/^#{1,6} .*$/gmu)
      ?.at(-1) ?? ''
  )
}

/** The object, row or paragraph around a value. */
function findRecord(text: string, { start, end }: Place): string {
  if (/^\s*[[{]/.test(text)) return text.slice(text.lastIndexOf('{', start), text.indexOf('}', end) + 1 || text.length)
  const [from, to] = [text.lastIndexOf('\n', start - 1) + 1, text.indexOf('\n', end)]
  const line = text.slice(from, to < 0 ? text.length : to)
  if (/[|{\t]|,\S*,/.test(line)) return line
  const [above, below] = [text.lastIndexOf('\n\n', start) + 1, text.indexOf('\n\n', end)]
  return text.slice(above, below < 0 ? text.length : below)
}
