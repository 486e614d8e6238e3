import { correctCells } from './correct-cells.ts'
import { type BorderlessTable, findBorderlessTables } from './find-borderless-tables.ts'
import type { Table } from './find-tables.ts'
import type { GrayPage } from './gray-page.ts'
import { joinRows, markRows, readWords, toRows, type Word } from './join-rows.ts'
import { listSegments, type Segment } from './list-segments.ts'
import type { Box } from './placement.ts'
import type { ReadingWay } from './tesseract-thread.ts'

/** Reads a prepared page once, and returns the engine's TSV. */
export type ReadOnce = (page: GrayPage, way: ReadingWay) => Promise<string>

/** A page without rules. `letterHeight` is `null` if unknown; darker than `threshold` is ink. */
export type PageLayout = { page: GrayPage; tables: readonly Table[]; letterHeight: number | null; threshold: number }

/** Resolution of 10-point text whose letters are a pixel high. */
const DPI_PER_PIXEL = 12
const MIN_DPI = 70
const MAX_DPI = 600
/** Space around the text of a table, in letter heights. */
const MARGIN = 1
/** Each costs a call of the engine. */
const MAX_TABLES = 12
/** Beside a smaller table there may be columns of text. */
const MIN_TABLE = 0.4

/** Words in reading order, and the share of the letters on the page that no word covers. */
type LayoutReading = { words: readonly Word[]; unread: number }

/**
 * Reads a page. Tables are read as one block, which keeps the rows: the engine's layout reads by
 * columns and drops single figures. The rest is read by the engine's layout.
 */
export async function readLayout(
  { page, tables, letterHeight, threshold }: PageLayout,
  { readOnce, light, isBlock }: { readOnce: ReadOnce; light: ReadingWay['light']; isBlock: boolean },
): Promise<LayoutReading> {
  const dpi = letterHeight === null ? null : estimateDpi(letterHeight)
  const read = async (part: GrayPage, layout: ReadingWay['layout']) =>
    readWords(await readOnce(part, { layout, light, dpi }))
  if (isBlock) return { words: joinRows(await read(page, 'block'), tables), unread: 0 }

  const segments = letterHeight === null ? [] : listSegments(page, threshold, letterHeight)
  const borderless = letterHeight === null ? [] : listBorderless(segments, letterHeight, page)
  const boxes = borderless.map(({ box }) => box)
  const isElsewhere = boxes.length === 0 || segments.some((one) => !boxes.some((box) => holds(box, one)))
  const ruled = tables.filter((table) => !boxes.some((box) => overlap(box, table.box)))
  const layout = isMostly(ruled, page) ? 'column' : 'auto'
  const words = isElsewhere ? joinRows(await read(withoutBoxes(page, boxes), layout), ruled) : []
  const ordered = [...words]
  for (const [at, { box, gutters }] of borderless.entries()) {
    const found = (await read(cropPage(page, box), 'block')).map((word) => moveWord(word, box))
    const rows = correctCells(toRows(found), gutters)
    ordered.splice(findPlace(ordered, box), 0, ...markRows(rows, `borderless table ${at}`))
  }
  return { words: ordered, unread: measureUnread(segments, ordered) }
}

/** Fewer letters in a line may be a drawing. */
const MIN_LINE_LETTERS = 4

function measureUnread(segments: readonly Segment[], words: readonly Word[]): number {
  const lines = segments.filter(({ letters }) => letters >= MIN_LINE_LETTERS)
  const total = lines.reduce((sum, { letters }) => sum + letters, 0)
  const missing = lines.reduce((sum, line) => sum + line.letters * (1 - shareCovered(line, words)), 0)
  return total === 0 ? 0 : missing / total
}

/** Share of the width of a line that words on it cover. */
function shareCovered({ left, right, top, bottom }: Segment, words: readonly Word[]): number {
  const beside = words.filter(({ box: [, y, , height] }) => y < (top + bottom) / 2 && y + height > (top + bottom) / 2)
  const covered = beside.reduce(
    (sum, { box: [x, , width] }) => sum + Math.max(0, Math.min(right, x + width) - Math.max(left, x)),
    0,
  )
  // Spaces between words are not covered.
  return Math.min(1, (covered * SPACES) / (right - left))
}

/** A line is a quarter wider than its words at most. */
const SPACES = 1.25

/**
 * The engine's own guess is wrong for lines that repeat: it takes letters under each other for
 * borders of columns.
 */
function estimateDpi(letterHeight: number): number {
  return Math.round(Math.min(MAX_DPI, Math.max(MIN_DPI, letterHeight * DPI_PER_PIXEL)))
}

/** The largest tables, with a margin, from top to bottom. */
function listBorderless(segments: readonly Segment[], letterHeight: number, page: GrayPage): BorderlessTable[] {
  return findBorderlessTables(segments, letterHeight)
    .sort(({ box: one }, { box: other }) => other[2] * other[3] - one[2] * one[3])
    .slice(0, MAX_TABLES)
    .sort((one, other) => one.box[1] - other.box[1])
    .map(({ box: [left, top, width, height], gutters }) => {
      const [across, down] = [MARGIN * letterHeight, (MARGIN * letterHeight) / 2]
      const [x, y] = [Math.max(0, Math.floor(left - across)), Math.max(0, Math.floor(top - down))]
      const right = Math.min(page.width, Math.ceil(left + width + across))
      const bottom = Math.min(page.height, Math.ceil(top + height + down))
      return { box: [x, y, right - x, bottom - y], gutters }
    })
}

function isMostly(tables: readonly Table[], page: GrayPage): boolean {
  const pixels = tables.reduce((sum, { box: [, , width, height] }) => sum + width * height, 0)
  return pixels > MIN_TABLE * page.width * page.height
}

function holds([left, top, width, height]: Box, one: Segment): boolean {
  const [x, y] = [(one.left + one.right) / 2, (one.top + one.bottom) / 2]
  return x >= left && x <= left + width && y >= top && y <= top + height
}

function overlap(one: Box, other: Box): boolean {
  const isMet = (at: 0 | 1, size: 2 | 3) => one[at] < other[at] + other[size] && other[at] < one[at] + one[size]
  return isMet(0, 2) && isMet(1, 3)
}

const WHITE = 255

function withoutBoxes(page: GrayPage, boxes: readonly Box[]): GrayPage {
  if (boxes.length === 0) return page
  const data = Uint8Array.from(page.data)
  for (const [left, top, width, height] of boxes)
    for (let y = top; y < top + height; y += 1) data.fill(WHITE, y * page.width + left, y * page.width + left + width)
  return { ...page, data }
}

function cropPage(page: GrayPage, [left, top, width, height]: Box): GrayPage {
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const from = (top + y) * page.width + left
    data.set(page.data.subarray(from, from + width), y * width)
  }
  return { data, width, height }
}

function moveWord(word: Word, [left, top]: Box): Word {
  const [x, y, width, height] = word.box
  return { ...word, box: [x + left, y + top, width, height] }
}

/** The place of a table: before the first line below it, or after the last word above it. */
function findPlace(words: readonly Word[], [left, top, width]: Box): number {
  const isBeside = ({ box }: Word) => box[0] < left + width && box[0] + box[2] > left
  const below = words.find((word) => isBeside(word) && word.box[1] >= top)
  if (below !== undefined) return words.findIndex(({ line }) => line === below.line)
  return words.findLastIndex((word) => isBeside(word) && word.box[1] < top) + 1
}
