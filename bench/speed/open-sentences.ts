import { join } from 'node:path'
import { createRealSentences, createSyntheticSentences, type Sentences } from '../sentences.ts'

const VOCABULARY = join(import.meta.dirname, '..', '..', 'embedder', 'vocab.txt')

/** Sentences of the texts under a folder, or synthetic ones without a folder. */
export function openSentences(folder: string | undefined): Sentences {
  return folder === undefined ? createSyntheticSentences(VOCABULARY) : createRealSentences(folder)
}
