import { ITEM_MARK } from '../../engine/markup/block-marks.ts'
import type { FoundValue } from './value.ts'

const BULLET = new RegExp(String.raw`^[ \t]*${ITEM_MARK}[ \t]+(\S.*)$`, 'u')
const LAST = /,? (?:and|und|et|y|e|&) /iu
/** `2019 – 2022  Engineer, Acme`: a line that begins with a year is an item, whatever is in it. */
const DATED = /^\s*(?:\p{L}{3,9}\.?\s)?(?:\d{1,2}[./])?(?:19|20)\d{2}(?!\d)/u
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
  if (lines.length > 1 && lines.every((line) => DATED.test(line))) return lines
  if (text.includes(';')) return text.split(';')
  if (lines.length > 1 && !text.includes(',')) return lines
  const parts = text.split(/,\s+|\n| [|/·•] /u)
  const last = parts.pop() ?? ''
  // White space made single first: a long run of it would be gone through from each of its places.
  return [...parts, ...last.replaceAll(/\s+/g, ' ').split(LAST)]
}
