import { decodeText } from './code-page.ts'
import type { Piece } from './piece-table.ts'
import type { FormattedRun } from './property-changes.ts'
import type { WordFile } from './word-file.ts'
import type { Story } from './word-header.ts'

/** A paragraph as it stands in the file, control characters and all. */
export type RawParagraph = {
  story: Story
  text: string
  /** `cell` for one that ends a cell or a row of a table. */
  end: 'paragraph' | 'cell' | 'page'
  /** Where its end mark lies in the file, by which its properties are found. */
  at: number
}

const ENDS: ReadonlyMap<number, RawParagraph['end']> = new Map([
  [0x0d, 'paragraph'],
  [0x07, 'cell'],
  [0x0c, 'page'],
])

/** The paragraphs of all stories in their order. */
export function* listParagraphs(word: WordFile): Generator<RawParagraph> {
  const storyAt = createStoryFinder(word)
  let text = ''
  let last: { piece: Piece; index: number } | null = null
  for (const piece of word.pieces) {
    let from = 0
    for (let index = 0; index < piece.characters; index += 1) {
      const end = ENDS.get(codeAt(word.text, piece, index))
      if (end === undefined) continue
      text += decodeRun(word, piece, from, index)
      yield { story: storyAt(piece.start + index), text, end, at: placeOf(piece, index) }
      text = ''
      from = index + 1
    }
    text += decodeRun(word, piece, from, piece.characters)
    last = { piece, index: piece.characters - 1 }
  }
  if (text !== '' && last !== null) {
    const { piece, index } = last
    yield { story: storyAt(piece.start + index), text, end: 'paragraph', at: placeOf(piece, index) }
  }
}

function codeAt(text: Buffer, piece: Piece, index: number): number {
  if (piece.characterBytes === 1) return text[piece.at + index] ?? 0
  const at = piece.at + index * 2
  return (text[at] ?? 0) | ((text[at + 1] ?? 0) << 8)
}

function placeOf(piece: Piece, index: number): number {
  return piece.at + index * piece.characterBytes
}

/** The stories follow each other; what is beyond the last belongs to it. */
function createStoryFinder({ header }: WordFile): (position: number) => Story {
  const ends: [end: number, story: Story][] = []
  let end = 0
  for (const [story, characters] of Object.entries(header.stories) as [Story, number][]) {
    end += characters
    if (characters > 0) ends.push([end, story])
  }
  return (position) => ends.find(([before]) => position < before)?.[1] ?? 'body'
}

/** The text of a run without what was deleted in it. */
function decodeRun(word: WordFile, piece: Piece, from: number, to: number): string {
  const start = placeOf(piece, from)
  const end = placeOf(piece, to)
  let text = ''
  let at = start
  for (const run of listWithin(word.deleted, start, end)) {
    if (run.at > at) text += decode(word, piece, at, run.at)
    at = Math.max(at, run.end)
  }
  return at < end ? text + decode(word, piece, at, end) : text
}

function decode({ text, codePage }: WordFile, piece: Piece, start: number, end: number): string {
  const bytes = text.subarray(start, end)
  return piece.characterBytes === 2 ? bytes.toString('utf16le') : decodeText(bytes, codePage)
}

function listWithin(runs: readonly FormattedRun[], start: number, end: number): readonly FormattedRun[] {
  if (runs.length === 0) return []
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  let last = low
  while (last < runs.length && (runs[last]?.at ?? end) < end) last += 1
  return runs.slice(low, last)
}
