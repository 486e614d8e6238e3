/** A token of a number format. */
export type FormatToken =
  | { kind: 'literal'; text: string }
  | { kind: 'digit'; text: '0' | '#' | '?' }
  | { kind: 'point' | 'comma' | 'percent' | 'slash' | 'text' | 'general' }
  | { kind: 'exponent'; text: string }
  | { kind: 'date'; text: string }
  | { kind: 'elapsed'; text: string }
  | { kind: 'condition'; text: string }

/** A section of a format. Semicolons separate up to four sections. */
export type FormatSection = readonly FormatToken[]

/** Excel allows 255 characters. */
const MAX_CODE_CHARACTERS = 512

type TokenRule = readonly [RegExp, (match: RegExpExecArray) => FormatToken | null]

/**
 * ECMA-376 part 1, section 18.8.31. `_x` leaves a space as wide as x and `*x` fills the cell;
 * neither adds text.
 */
const TOKEN_RULES: readonly TokenRule[] = [
  [/"([^"]*)"?/y, (match) => ({ kind: 'literal', text: match[1] ?? '' })],
  [/\\(.)/y, (match) => ({ kind: 'literal', text: match[1] ?? '' })],
  [/_./y, () => null],
  [/\*./y, () => null],
  [/\[(h+|m+|s+)\]/iy, (match) => ({ kind: 'elapsed', text: (match[1] ?? '').toLowerCase() })],
  [/\[([<>=]{1,2}-?[\d.]+)\]/y, (match) => ({ kind: 'condition', text: match[1] ?? '' })],
  [/\[\$([^\]-]*)(?:-[^\]]*)?\]/y, (match) => ({ kind: 'literal', text: match[1] ?? '' })],
  [/\[[^\]]*\]?/y, () => null],
  [/general/iy, () => ({ kind: 'general' })],
  [/am\/pm|a\/p/iy, (match) => ({ kind: 'date', text: match[0].toLowerCase() })],
  [/e[+-]/iy, (match) => ({ kind: 'exponent', text: match[0].toUpperCase() })],
  [/y+|m+|d+|h+|s+/iy, (match) => ({ kind: 'date', text: match[0].toLowerCase() })],
  [/[0#?]/y, (match) => ({ kind: 'digit', text: match[0] as '0' | '#' | '?' })],
  [/\./y, () => ({ kind: 'point' })],
  [/,/y, () => ({ kind: 'comma' })],
  [/%/y, () => ({ kind: 'percent' })],
  [/\//y, () => ({ kind: 'slash' })],
  [/@/y, () => ({ kind: 'text' })],
  [/[\s\S]/y, (match) => ({ kind: 'literal', text: match[0] })],
]

/** Splits a number format into sections of tokens. */
export function tokenizeFormat(code: string): FormatSection[] {
  const text = code.slice(0, MAX_CODE_CHARACTERS)
  const sections: FormatToken[][] = [[]]
  let at = 0
  while (at < text.length) {
    if (text[at] === ';') {
      sections.push([])
      at += 1
      continue
    }
    const { token, end } = readToken(text, at)
    if (token !== null) sections.at(-1)?.push(token)
    at = end
  }
  return sections
}

function readToken(text: string, at: number): { token: FormatToken | null; end: number } {
  for (const [pattern, make] of TOKEN_RULES) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null && match[0] !== '') return { token: make(match), end: at + match[0].length }
  }
  return { token: null, end: at + 1 }
}
