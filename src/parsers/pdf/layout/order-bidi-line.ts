import type { Glyph } from '../glyph.ts'
import { RIGHT_TO_LEFT } from './span.ts'

const LETTER = /\p{L}/u
const DIGIT = /\p{N}/u
const MARK = /^\p{M}/u
/** Characters inside a number. In Arabic lines, numbers with a hyphen are read from the right. */
const NUMBER_SEPARATOR = /^[.,:/]$/
const HEBREW_NUMBER_SEPARATOR = /^[.,:/+-]$/
const HEBREW = /[\u0590-\u05ff]/
const BRACKET = /^[()[\]{}«»]$/
/**
 * Word distances in font sizes: glyphs further apart belong to different cells, glyphs closer
 * belong to the same word.
 */
const MAX_WORD_GAP_SIZES = 1.2
const MIN_WORD_GAP_SIZES = 0.15
/** Maximum baseline distance within a line, in font sizes. */
const MAX_BASELINE_SIZES = 0.3
/** Minimum distance of the left edges of two letters, as a share of their width. */
const MIN_STEP_SHARE = 0.2
/** No readable line has more glyphs. */
const MAX_GLYPHS = 2000

/** A unit of reordering: a letter with its marks, or the letters of a ligature. */
type Cluster = {
  glyphs: Glyph[]
  left: number
  right: number
  kind: 'left' | 'right' | 'digit' | 'other'
  /** Position in PDFium's order, and whether a space precedes. */
  order: number
  isSpaced: boolean
}

/**
 * Orders a right-to-left line with embedded left-to-right words: right to left, but those words and
 * numbers left to right. PDFium treats such a line as left-to-right if its first or last word is.
 * Returns `null` for other lines and for lines with cells.
 */
export function orderBidiLine(line: readonly Glyph[]): Glyph[] | null {
  const ends = line.filter(isLineEnd)
  const drawn = line.filter((glyph) => !glyph.isGenerated)
  if (drawn.length > MAX_GLYPHS || !isOneLine(drawn)) return null
  const clusters = listClusters(line)
  const kinds = new Set(clusters.map(({ kind }) => kind))
  const isMixed = kinds.has('left') || kinds.has('digit')
  if (!kinds.has('right') || (!isMixed && isInOrder(clusters))) return null
  clusters.sort((a, b) => a.left - b.left)
  // Spaces inserted by PDFium have a tiny font size.
  const size = drawn.reduce((max, glyph) => Math.max(max, glyph.size), 0)
  if (clusters.some((_, index) => gapBefore(clusters, index) > MAX_WORD_GAP_SIZES * size)) return null
  return [...readRuns(listRuns(clusters, size), size), ...ends]
}

/**
 * Orders a left-to-right line with right-to-left phrases: left to right, but each phrase, with its
 * inner numbers and punctuation, from the right. Returns `null` for several cells or lines.
 */
export function orderLtrLine(line: readonly Glyph[]): Glyph[] | null {
  const drawn = line.filter((glyph) => !glyph.isGenerated)
  if (drawn.length > MAX_GLYPHS || !isOneLine(drawn)) return null
  const clusters = listClusters(line).sort((a, b) => a.left - b.left)
  const size = drawn.reduce((max, glyph) => Math.max(max, glyph.size), 0)
  const isApart = clusters.some((_, index) => gapBefore(clusters, index) > MAX_WORD_GAP_SIZES * size)
  if (isApart || clusters.some((_, index) => overlapsPrevious(clusters, index))) return null
  const read: Glyph[] = []
  for (let from = 0; from < clusters.length; ) {
    const end = findPhraseEnd(clusters, from)
    const [before, first] = [clusters[from - 1], clusters[from]]
    if (before !== undefined && first !== undefined && areWordsApart(before, first, size))
      read.push(createSpace(before))
    read.push(...readRuns(listRuns(clusters.slice(from, end), size), size))
    from = end
  }
  return [...read, ...line.filter(isLineEnd)]
}

/** Index after the last right-to-left letter before the next left-to-right letter. */
function findPhraseEnd(clusters: readonly Cluster[], from: number): number {
  let end = from + 1
  if (clusters[from]?.kind !== 'right') return end
  for (let at = end; at < clusters.length && clusters[at]?.kind !== 'left'; at += 1)
    if (clusters[at]?.kind === 'right') end = at + 1
  return end
}

/** True for letters of two lines at the same place. The letters of a ligature are in order. */
function overlapsPrevious(clusters: readonly Cluster[], index: number): boolean {
  const [before, next] = [clusters[index - 1], clusters[index]]
  if (before === undefined || next === undefined || next.order === before.order + 1) return false
  return next.left - before.left < MIN_STEP_SHARE * Math.min(before.right - before.left, next.right - next.left)
}

/** Left-to-right letters that follow each other are apart where the file has a space. */
function areWordsApart(before: Cluster, next: Cluster, size: number): boolean {
  if (before.kind === 'left' && next.kind === 'left' && next.order === before.order + 1) return next.isSpaced
  return next.left - before.right > MIN_WORD_GAP_SIZES * size
}

function isLineEnd({ text, isGenerated }: Glyph): boolean {
  return isGenerated && text.trim() === '' && text !== ' '
}

/** Ignores marks, which are raised, and spaces. */
function isOneLine(drawn: readonly Glyph[]): boolean {
  const [first, ...others] = drawn.filter(({ text }) => text.trim() !== '' && !MARK.test(text))
  return (
    first !== undefined &&
    others.every(({ baseline }) => Math.abs(baseline - first.baseline) <= MAX_BASELINE_SIZES * first.size)
  )
}

/** True when words are in reading order, from the right. */
function isInOrder(clusters: readonly Cluster[]): boolean {
  return clusters.every(({ left }, index) => index === 0 || left <= (clusters[index - 1]?.left ?? 0))
}

function listClusters(line: readonly Glyph[]): Cluster[] {
  const clusters: Cluster[] = []
  let isSpaced = false
  for (const glyph of line) {
    const last = clusters.at(-1)
    const isOfLast = isMarkOver(glyph, last) || (last?.left === glyph.left && RIGHT_TO_LEFT.test(glyph.text))
    if (glyph.text.trim() === '') isSpaced = true
    else if (last !== undefined && isOfLast) last.glyphs.push(glyph)
    else {
      const { left, right, text } = glyph
      clusters.push({ glyphs: [glyph], left, right, kind: classifyDirection(text), order: clusters.length, isSpaced })
      isSpaced = false
    }
  }
  return attachMarks(clusters)
}

/** Attaches a mark that PDFium returns after another letter to the letter below. */
function attachMarks(clusters: readonly Cluster[]): Cluster[] {
  const strays = clusters.filter(({ glyphs }) => MARK.test(glyphs[0]?.text ?? ''))
  const letters = clusters.filter((cluster) => !strays.includes(cluster))
  const alone = strays.filter(({ glyphs }) => {
    const letter = letters.find((cluster) => glyphs.every((glyph) => isMarkOver(glyph, cluster)))
    letter?.glyphs.push(...glyphs)
    return letter === undefined
  })
  return [...letters, ...alone]
}

function isMarkOver({ text, left, right }: Glyph, cluster: Cluster | undefined): boolean {
  const middle = (left + right) / 2
  return MARK.test(text) && cluster !== undefined && middle >= cluster.left && middle <= cluster.right
}

function classifyDirection(text: string): Cluster['kind'] {
  if (DIGIT.test(text)) return 'digit'
  if (RIGHT_TO_LEFT.test(text)) return 'right'
  return LETTER.test(text) ? 'left' : 'other'
}

/** Splits the line into left-to-right runs, in visual order. Most runs are a single cluster. */
function listRuns(clusters: readonly Cluster[], size: number): Cluster[][] {
  const runs: Cluster[][] = []
  for (let from = 0; from < clusters.length; ) {
    const end = findRunEnd(clusters, from, size)
    runs.push(clusters.slice(from, end))
    from = end
  }
  return runs
}

function findRunEnd(clusters: readonly Cluster[], from: number, size: number): number {
  const first = clusters[from]
  if (first?.kind !== 'left' && first?.kind !== 'digit') return from + 1
  let end = from + 1
  let hasLetter = first.kind === 'left'
  let brackets = 0
  for (let at = from + 1; at < clusters.length && clusters[at]?.kind !== 'right'; at += 1) {
    const kind = clusters[at]?.kind
    hasLetter ||= kind === 'left'
    if (BRACKET.test(clusters[at]?.glyphs[0]?.text ?? '')) brackets += 1
    // An unpaired bracket at the edge does not belong to the words.
    if (kind !== 'other' && brackets % 2 === 0) end = at + 1
  }
  return hasLetter ? end : findNumberEnd(clusters, from, size)
}

function findNumberEnd(clusters: readonly Cluster[], from: number, size: number): number {
  const isHebrew = clusters.every(({ kind, glyphs }) => kind !== 'right' || HEBREW.test(glyphs[0]?.text ?? ''))
  const inNumber = isHebrew ? HEBREW_NUMBER_SEPARATOR : NUMBER_SEPARATOR
  let end = from + 1
  for (let at = end; at < clusters.length; at += 1) {
    const cluster = clusters[at]
    if (cluster === undefined || gapBefore(clusters, at) > MIN_WORD_GAP_SIZES * size) break
    if (cluster.kind === 'digit') end = at + 1
    else if (!inNumber.test(cluster.glyphs[0]?.text ?? '')) break
  }
  return end
}

function gapBefore(clusters: readonly Cluster[], index: number): number {
  return (clusters[index]?.left ?? 0) - (clusters[index - 1]?.right ?? clusters[index]?.left ?? 0)
}

/**
 * Reads the runs from the right. Between two right-to-left letters, PDFium's space decides, as
 * Arabic letters fill their boxes unevenly.
 */
function readRuns(runs: readonly Cluster[][], size: number): Glyph[] {
  const read: Glyph[] = []
  let right: Cluster | undefined
  for (const run of runs.toReversed()) {
    for (const [index, cluster] of run.entries()) {
      // The neighbor of a run is the nearer end, which may be its first or its last cluster in
      // reading order.
      const [one, other] = index === 0 ? [right, run.at(-1)] : [run[index - 1], cluster]
      if (one !== undefined && other !== undefined && areSeparateWords(one, other, size)) read.push(createSpace(one))
      read.push(...cluster.glyphs)
    }
    right = run[0]
  }
  return read
}

function areSeparateWords(one: Cluster, other: Cluster, size: number): boolean {
  const areWords = one.kind === 'right' && other.kind === 'right'
  if (areWords && other.order === one.order + 1) return other.isSpaced
  return Math.max(other.left - one.right, one.left - other.right) > MIN_WORD_GAP_SIZES * size
}

function createSpace({ glyphs, left }: Cluster): Glyph {
  return { ...(glyphs[0] as Glyph), text: ' ', left, right: left, isGenerated: true }
}
