import type { Box } from '../../parsers/images/draw-image-page.ts'
import type { Passage } from '../../parsers/images/draw-pdf-page.ts'
import { findRuns } from '../../parsers/images/find-runs.ts'
import type { SniffedType, SourceFile } from '../../parsers/parse-event.ts'
import type { DrawnPage } from './recognition.ts'

/**
 * A page as a picture: what the task of the children takes. Its result is a PNG, `Uint8Array`, or
 * `null` where there is no such page.
 */
/** Input of the task `draw-marked-page`. */
export type DrawPageInput = {
  source: SourceFile
  type: SniffedType
  /** From 1. */
  page: number
  /** What is marked; `null` for nothing. */
  passage: Passage | null
  /** True where the words of the page were recognised: the file does not say where they stand. */
  isRecognized: boolean
  /** What is recognised, as the settings name it. */
  languages: readonly string[]
}

/** A block of which less belongs to the passage only shares some words with it. */
const LEAST_SHARE = 0.15

/**
 * The boxes of the recognised paragraphs that a passage stands in, in pixels of a picture of this
 * size. None where nothing was recognised, or nothing is to be marked.
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
    return share < LEAST_SHARE ? [] : [{ x: x * across, y: y * down, width: w * across, height: h * down }]
  })
}
