import type { Table } from './find-tables.ts'
import type { Box } from './placement.ts'

/**
 * A higher average means cells of multi-line text: the lines are column separators of a newspaper,
 * or parts of a screenshot.
 */
const MAX_CELL_WORDS = 12

/**
 * Reorders the words of each table row by row, since the engine often reads tables by columns. The
 * rows replace the first word of the table. Each line of a multi-line cell belongs to the row of
 * its neighbours.
 */
export function joinRows(words: readonly Word[], tables: readonly Table[]): readonly Word[] {
  const real = tables.filter(
    ({ box, cells }) => words.filter((word) => holds(box, word)).length <= cells * MAX_CELL_WORDS,
  )
  if (real.length === 0) return words
  const tableOf = new Map(words.map((word) => [word, real.findIndex(({ box }) => holds(box, word))]))
  const joined = Map.groupBy(words, (word) => tableOf.get(word) ?? -1)
  const written = new Set<number>()
  return words.flatMap((word) => {
    const table = tableOf.get(word) ?? -1
    if (table === -1) return word
    if (written.has(table)) return []
    written.add(table)
    return markRows(toRows(joined.get(table) ?? []), `table ${table}`)
  })
}

/** The words of the rows as lines of one paragraph. */
export function markRows(rows: readonly (readonly Word[])[], name: string): Word[] {
  return rows.flatMap((row, at) =>
    row.map((word) => ({ ...word, paragraph: name, line: `${name}, row ${at}`, isCell: true })),
  )
}

function holds([left, top, width, height]: Box, word: Word): boolean {
  const middle = word.box[0] + word.box[2] / 2
  const centre = centreOf(word)
  return middle >= left && middle <= left + width && centre >= top && centre <= top + height
}

function centreOf({ box: [, top, , height] }: Word): number {
  return top + height / 2
}

/** A line belongs to a row if their middles differ by less than this share of a letter's height. */
const SAME_ROW = 0.5

/** Rows from the lines of the engine, from top to bottom, each in reading direction. */
export function toRows(words: readonly Word[]): Word[][] {
  const height = medianOf(words.map(({ box }) => box[3]))
  const lines = [...Map.groupBy(words, ({ line }) => line).values()].map((line) => ({
    words: line,
    middle: medianOf(line.map(centreOf)),
  }))
  const rows: typeof lines = []
  for (const line of lines.sort((one, other) => one.middle - other.middle)) {
    const row = rows.at(-1)
    if (row !== undefined && line.middle - row.middle < SAME_ROW * height) row.words.push(...line.words)
    else rows.push(line)
  }
  return rows.map((row) => {
    const ordered = row.words.toSorted((one, other) => one.box[0] - other.box[0])
    return isRightToLeft(ordered) ? ordered.reverse() : ordered
  })
}

/** Returns the upper median; 0 without values. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

function isRightToLeft(row: readonly Word[]): boolean {
  return row.filter(({ text }) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)).length * 2 > row.length
}

/** A word of the engine, with its place in the layout. */
export type Word = {
  text: string
  /** From 0 to 1. */
  confidence: number
  box: Box
  /** Equal for words of one paragraph, or of one line. */
  paragraph: string
  line: string
  /** True for words of a table; absent otherwise. */
  isCell?: boolean
}

/** Level of word rows in the engine's TSV. */
const WORD_LEVEL = '5'

/**
 * Words of the engine's TSV (level, page, block, paragraph, line, word, left, top, width, height,
 * confidence, text), in reading order.
 */
export function readWords(tsv: string): Word[] {
  return tsv.split('\n').flatMap((row) => {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, ...rest] = row.split('\t')
    const text = rest.join(' ').trim()
    if (level !== WORD_LEVEL || text === '') return []
    return {
      text,
      confidence: Math.min(1, Math.max(0, Number(confidence) / 100)),
      box: [Number(left), Number(top), Number(width), Number(height)],
      paragraph: `${page}.${block}.${paragraph}`,
      line: `${page}.${block}.${paragraph}.${line}`,
    }
  })
}
