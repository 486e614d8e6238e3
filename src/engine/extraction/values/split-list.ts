import type { FoundValue } from './value.ts'

const BULLET = /^[ \t]*(?:[-*+•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+(\S.*)$/u
const LAST = /,? (?:and|und|et|y|e|&) /iu
/** Items are names of things: what is longer is prose with commas in it. */
const MAX_ITEM_CHARACTERS = 120
const MAX_ITEMS = 200

/**
 * The list that a text is, as one value: bulleted or numbered lines, a JSON array, else parts between semicolons, else
 * between commas and a last "and", else lines. Empty where there is no item, or where the text is prose.
 */
export function splitList(text: string): FoundValue[] {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  const items = itemsOf(trimmed)
    .map((item) =>
      item
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/[.,;]$/, ''),
    )
    .filter((item) => item !== '')
  if (items.length === 0 || items.some((item) => item.length > MAX_ITEM_CHARACTERS)) return []
  return [{ value: items.slice(0, MAX_ITEMS), start, end: start + trimmed.length }]
}

function itemsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const bulleted = lines.map((line) => BULLET.exec(line)?.[1])
  if (lines.length > 0 && bulleted.every((item) => item !== undefined)) return bulleted
  if (/^\[.*\]$/s.test(text))
    return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s,"[\]]+)/g)].map(([, a, b]) => a ?? b ?? '')
  if (text.includes(';')) return text.split(';')
  if (lines.length > 1 && !text.includes(',')) return lines
  const parts = text.split(/,\s+|\n| [|/·•] /u)
  const last = parts.pop() ?? ''
  // White space made single first: a long run of it would be gone through from each of its places.
  return [...parts, ...last.replaceAll(/\s+/g, ' ').split(LAST)]
}
