import type { Recognition, RecognizedBlock } from '../recognizer.ts'
import type { Word } from './join-rows.ts'
import type { Box, Size } from './placement.ts'

/** Result of one pass over a page. */
export type Reading = {
  blocks: RecognizedBlock[]
  /**
   * Confidence of the blocks, or of all text if no block is plausible. From 0 to 1, weighted by
   * length.
   */
  confidence: number
  /** Plausible characters, weighted by confidence. Passes are compared by this. */
  weight: number
  /** True if implausible text was found. */
  hasNonsense: boolean
  /** Share of the letters on the page that no word covers; absent if unknown. */
  unread?: number
  /** Characters of all words, plausible or not. */
  characters: number
}

/**
 * A noisy blank page gave 1,402 characters at 0.14 to 0.17, pictures without text 0 to 0.28, and
 * pages of text at least 0.8. Below this value, the page counts as nonsense.
 */
const MIN_PAGE_CONFIDENCE = 0.4
/** Words below this are noise, except in a reliable line. */
const MIN_WORD_CONFIDENCE = 0.3
/**
 * In a reliable line, doubtful words are mostly right: mail addresses and amounts at 0.16 to 0.29
 * in lines of 0.9. Specks are excluded: a word needs two letters or digits.
 */
const SURE_LINE_CONFIDENCE = 0.8
const UNKNOWN_WORD = /[\p{L}\p{N}].*[\p{L}\p{N}]/u
/**
 * On a nonsense page, a caption or label may still be text if it has this confidence and a real
 * word.
 */
const MIN_ISLAND_CONFIDENCE = 0.7

/** Paragraphs of the plausible words. */
export function composeReading(words: readonly Word[]): Reading {
  const mean = meanConfidence(words)
  const isNonsense = mean < MIN_PAGE_CONFIDENCE
  const blocks = groupBy(words, ({ paragraph }) => paragraph)
    .map((group) => groupBy(group, ({ line }) => line).flatMap(dropNoise))
    .filter((group) => isBelievable(group, isNonsense))
    .map(composeBlock)
  const believed = words.reduce(
    (sum, word) => sum + Math.max(0, word.confidence - MIN_PAGE_CONFIDENCE) * word.text.length,
    0,
  )
  const kept = blocks.reduce((sum, block) => sum + block.text.length, 0)
  const confidence =
    kept === 0 ? mean : blocks.reduce((sum, block) => sum + block.confidence * block.text.length, 0) / kept
  return {
    blocks,
    confidence,
    weight: believed / (1 - MIN_PAGE_CONFIDENCE),
    hasNonsense: words.length > 0 && kept === 0,
    characters: words.reduce((sum, { text }) => sum + text.length, 0),
  }
}

function dropNoise(line: readonly Word[]): Word[] {
  const sure = line.filter(({ confidence }) => confidence >= MIN_WORD_CONFIDENCE)
  const isSure = sure.length * 2 > line.length && meanConfidence(sure) >= SURE_LINE_CONFIDENCE
  const isCells = sure.length > 0 && line.every(({ isCell }) => isCell === true)
  if (isCells) return line.filter((word) => sure.includes(word) || /[\p{L}\p{N}]/u.test(word.text))
  return isSure ? line.filter((word) => sure.includes(word) || UNKNOWN_WORD.test(word.text)) : sure
}

function isBelievable(words: readonly Word[], isIsland: boolean): boolean {
  const text = words.map((word) => word.text).join(' ')
  if (isIsland) return meanConfidence(words) >= MIN_ISLAND_CONFIDENCE && /\p{L}{3}/u.test(text)
  return meanConfidence(words) >= MIN_PAGE_CONFIDENCE && /[\p{L}\p{N}]/u.test(text)
}

function composeBlock(words: readonly Word[]): RecognizedBlock {
  const lines = groupBy(words, ({ line }) => line).map(joinWords)
  return { text: lines.join('\n'), confidence: meanConfidence(words), bbox: surround(words.map(({ box }) => box)) }
}

/** Scripts written without spaces arrive as one word per character. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。、，！？」』]$/u

function joinWords(words: readonly Word[]): string {
  return words.reduce((line, { text }) => {
    if (line === '') return text
    return UNSPACED.test(line) && UNSPACED.test([...text][0] ?? '') ? line + text : `${line} ${text}`
  }, '')
}

function meanConfidence(words: readonly Word[]): number {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0)
  if (characters === 0) return 0
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / characters
}

function surround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(([x]) => x))
  const top = Math.min(...boxes.map(([, y]) => y))
  const right = Math.max(...boxes.map(([x, , width]) => x + width))
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height))
  return [left, top, right - left, bottom - top]
}

function groupBy(words: readonly Word[], key: (word: Word) => string): Word[][] {
  return [...Map.groupBy(words, key).values()]
}

/** Outcome for a page, without the fields that are equal for all pages. */
export type RecognitionOutcome = Pick<Recognition, 'outcome' | 'text' | 'confidence' | 'blocks' | 'message'>

/**
 * Outcome of a completely read page; `null` is a blank page. Boxes are converted from `page` to
 * `source`. `note` names missing languages.
 */
export function describeReading(
  reading: Reading | null,
  { page, source, note = null }: { page: Size; source: Size; note?: string | null },
): RecognitionOutcome {
  if (reading === null) return withoutText('blank', 'The page is blank.')
  const { blocks, confidence, hasNonsense } = reading
  if (hasNonsense) {
    const percent = Math.round(confidence * 100)
    const message = `What was recognised is not believable (confidence ${percent} %) and was dropped.`
    return { ...withoutText('nonsense', note === null ? message : `${message} ${note}`), confidence }
  }
  if (blocks.length === 0) return withoutText('blank', 'The page has no text.')
  const [across, down] = [source.width / page.width, source.height / page.height]
  return {
    outcome: 'text',
    text: blocks.map((block) => block.text).join('\n\n'),
    confidence: round(confidence),
    blocks: blocks.map(({ text, confidence: sure, bbox: [x, y, width, height] }) => ({
      text,
      confidence: round(sure),
      bbox: [Math.round(x * across), Math.round(y * down), Math.round(width * across), Math.round(height * down)],
    })),
    message: [describeDoubt(reading), note].filter((part) => part !== null).join(' ') || null,
  }
}

/** Below this, words and figures are wrong on most pages. */
const MIN_SURE = 0.8
/** Marks of drawings and stamps that look like letters are fewer on pages that were read whole. */
const MIN_UNREAD = 0.1

/** Sentence about an uncertain or incomplete text; `null` if there is no reason. */
function describeDoubt({ confidence, unread = 0 }: Reading): string | null {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  if (unread >= MIN_UNREAD) return `About ${percent(unread)} of what looks like text was not read.`
  return confidence < MIN_SURE ? `The text is uncertain (confidence ${percent(confidence)}).` : null
}

/** Outcome of a page given up. */
export function describeGivenUp(outcome: 'timeout' | 'failed', timeoutMs: number): RecognitionOutcome {
  const seconds = Math.round(timeoutMs / 1000)
  if (outcome === 'timeout') return withoutText(outcome, `Recognition took longer than ${seconds} s and was given up.`)
  return withoutText(outcome, 'The recognition engine could not read the page.')
}

function withoutText(outcome: RecognitionOutcome['outcome'], message: string): RecognitionOutcome {
  return { outcome, text: '', confidence: 0, blocks: [], message }
}

/** More than three digits would overstate the engine's precision. */
function round(confidence: number): number {
  return Math.round(confidence * 1000) / 1000
}
