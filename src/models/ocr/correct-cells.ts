import type { Word } from './join-rows.ts'

/** Minimum words of the usual shape at a place of a column. */
const MIN_WORDS = 5
/** Minimum share of the usual shape among the words at a place. */
const MIN_SHARE = 0.6
/** Signs and the signs of similar appearance. Cells have no sentence around them to decide. */
const CONFUSED: Readonly<Record<string, string>> = {
  '0': 'O',
  O: '0',
  o: '0',
  '1': 'lI',
  l: '1I',
  I: '1l',
  i: '1',
  '|': '1Il',
  '5': 'S',
  S: '5',
  '8': 'B',
  B: '8',
  ':': '.',
  '.': ':',
  ';': ',',
}
/** Specks after a number. After a word, commas are possible. */
const TRAILING = /[.,:;'’"]$/

/**
 * Corrects words of a table by the usual shape at their place of the column: `73:13` among amounts,
 * `0.` among initials. Only signs of similar appearance are replaced. `gutters` are the positions
 * between the columns.
 */
export function correctCells(rows: readonly (readonly Word[])[], gutters: readonly number[]): Word[][] {
  const placed = rows.map((row) => placeWords(row, gutters))
  const columns = Map.groupBy(placed.flat(), ({ place }) => place)
  const usual = new Map(
    [...columns].map(([place, words]) => [place, findUsualShape(words.map(({ word }) => word.text))]),
  )
  return placed.map((row) =>
    row.map(({ word, place }) => ({ ...word, text: fitShape(word.text, usual.get(place) ?? null) })),
  )
}

/** Adds the column and the number in the cell to words. */
function placeWords(row: readonly Word[], gutters: readonly number[]): { word: Word; place: string }[] {
  const counts = new Map<number, number>()
  return row.map((word) => {
    const middle = word.box[0] + word.box[2] / 2
    const column = gutters.filter((gutter) => gutter < middle).length
    const number = counts.get(column) ?? 0
    counts.set(column, number + 1)
    return { word, place: `${column}.${number}` }
  })
}

function findUsualShape(texts: readonly string[]): string | null {
  const counts = [...Map.groupBy(texts, shapeOf)].map(([shape, { length }]) => ({ shape, length }))
  const most = counts.sort((one, other) => other.length - one.length)[0]
  return most === undefined || most.length < Math.max(MIN_WORDS, MIN_SHARE * texts.length) ? null : most.shape
}

/** Thousands in a number, with their separator. */
const GROUPS = /\p{N}+(?:[.,']\p{N}{3})+(?!\p{N})/gu

/** Numbers as `9`, capitals as `A`, other letters as `a`, each once for several. */
function shapeOf(text: string): string {
  return text
    .replace(GROUPS, '9')
    .replace(/\p{N}+/gu, '9')
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
}

/** Returns the nearest text of the shape by up to two changes, or the same text. */
function fitShape(text: string, shape: string | null): string {
  if (shape === null || shapeOf(text) === shape) return text
  const isNumber = /^[^Aa]*9[^Aa]*$/.test(shape)
  const list = (from: string) => listChanges(from, isNumber)
  const once = list(text)
  return [...once, ...once.flatMap(list)].find((changed) => shapeOf(changed) === shape) ?? text
}

/** Longer words have no usual shape. */
const MAX_LENGTH = 24

function listChanges(text: string, isNumber: boolean): string[] {
  if (text.length > MAX_LENGTH) return []
  const replaced = [...text].flatMap((sign, at) =>
    [...(CONFUSED[sign] ?? '')].map((other) => text.slice(0, at) + other + text.slice(at + 1)),
  )
  return isNumber && TRAILING.test(text) && text.length > 1 ? [text.slice(0, -1), ...replaced] : replaced
}
