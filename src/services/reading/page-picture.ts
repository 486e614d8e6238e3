import type { Box } from '../../parsers/images/draw-image-page.ts'
import type { Passage } from '../../parsers/images/draw-pdf-page.ts'
import { findRuns } from '../../parsers/images/find-runs.ts'
import type { SniffedType, SourceFile } from '../../parsers/parse-event.ts'
import type { DrawnPage } from './recognition.ts'

/**
 * Rendering of pages in child processes. The result is a PNG as `Uint8Array`, or `null` for a
 * missing page.
 */
/** Input of the task `draw-marked-page`. */
export type DrawPageInput = {
  source: SourceFile
  type: SniffedType
  /** From 1. */
  page: number
  /** Passage to mark; `null` for none. */
  passage: Passage | null
  /** True when the page's words were recognised: the file has no positions for them. */
  isRecognized: boolean
  /** Configured languages of recognition. */
  languages: readonly string[]
}

/** A block with a smaller share of the passage only has some words in common. */
const MIN_SHARE = 0.15

/**
 * Boxes of the recognised paragraphs that contain a passage, in pixels of a picture of this size.
 * Empty without recognised text or without a passage.
 */
export function findBlocks(
  recognized: DrawnPage | null,
  { passage, width, height }: { passage: Passage | null; width: number; height: number },
): Box[] {
  if (recognized === null || passage === null || recognized.width === 0) return []
  const { blocks } = recognized.recognition
  const [across, down] = [width / recognized.width, height / recognized.height]
  const characters = blocks.flatMap(({ text }, block) => [...text].map((character) => ({ character, block })))
  const marked = new Map<number, number>()
  for (const { start, end } of findRuns(
    characters.map(({ character }) => character),
    passage,
  )) {
    for (const { block } of characters.slice(start, end)) marked.set(block, (marked.get(block) ?? 0) + 1)
  }
  const length = [...passage.wanted].length
  return blocks.flatMap(({ bbox: [x, y, w, h], text }, block) => {
    const share = (marked.get(block) ?? 0) / Math.min(length, text.length)
    return share < MIN_SHARE ? [] : [{ x: x * across, y: y * down, width: w * across, height: h * down }]
  })
}
