import type { Box } from './placement.ts'

/** A word the engine read, with its place in the layout. */
export type Word = {
  text: string
  /** From 0 to 1. */
  confidence: number
  box: Box
  /** Words of one paragraph, or one line, share this. */
  paragraph: string
  line: string
}

/** Level of a row that is a word, in the engine's TSV. */
const WORD_LEVEL = '5'

/** The words of the engine's TSV (level, page, block, paragraph, line, word, left, top, width, height, confidence, text), in reading order. */
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
