import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, type Random } from './random.ts'

/** The source of the texts of a bench. */
export type Sentences = {
  /** The description of the texts for the report. */
  description: string
  /** The next sentence, with its full stop. */
  next(): string
}

const SEED = 20_260_101
const SENTENCE_WORDS = { min: 8, max: 24 } as const
const REAL_SENTENCE_CHARACTERS = { min: 30, max: 400 } as const

/**
 * Sentences with words distributed by Zipf's law, from the vocabulary of the embedder, which is
 * sorted by frequency in English. The sentences mean nothing, but frequencies, lengths and vectors
 * are real.
 */
export function createSyntheticSentences(vocabularyPath: string): Sentences {
  const words = readFileSync(vocabularyPath, 'utf8')
    .split('\n')
    .filter((word) => /^[a-z]{2,}$/.test(word))
  const random = createRandom(SEED)
  const nextWord = createZipf(random, words)
  return {
    description: `made of ${words.length} English words by Zipf's law`,
    next() {
      const { min, max } = SENTENCE_WORDS
      const count = min + Math.floor(random() * (max - min))
      const sentence = Array.from({ length: count }, nextWord).join(' ')
      return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`
    },
  }
}

/**
 * Random sentences from the `.txt`, `.md` and `.jsonl` files (field `text`) under a folder, for any
 * number of distinct chunks from a small collection. Throws without sentences.
 */
export function createRealSentences(folder: string): Sentences {
  const sentences = listTexts(folder)
    .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= REAL_SENTENCE_CHARACTERS.min && length <= REAL_SENTENCE_CHARACTERS.max)
  if (sentences.length === 0) throw new Error(`${folder} has no .txt, .md or .jsonl file with sentences`)
  const random = createRandom(SEED)
  return {
    description: `of ${sentences.length} real sentences, drawn at random`,
    next: () => sentences[Math.floor(random() * sentences.length)] ?? '',
  }
}

/** Draws items with Zipf's law: the n-th item is n times rarer than the first. */
function createZipf(random: Random, items: readonly string[]): () => string {
  const sums = new Float64Array(items.length)
  items.forEach((_, index) => {
    sums[index] = (sums[index - 1] ?? 0) + 1 / (index + 1)
  })
  return () => {
    const wanted = random() * (sums.at(-1) ?? 0)
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return items[low] ?? ''
  }
}

function listTexts(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.sort().flatMap((path) => {
    if (/\.(txt|md)$/.test(path)) return [readFileSync(path, 'utf8')]
    if (!path.endsWith('.jsonl')) return []
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.filter((line) => line.trim() !== '').map((line) => textOf(JSON.parse(line)))
  })
}

function textOf(record: unknown): string {
  const { text } = record as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
