import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLoopShare } from '../concurrency/loop-share.ts'
import type { Embedder } from './embedder.ts'
import { readStaticModel, type StaticModel } from './static-model.ts'

/** Work between two turns of the event loop, of all calls together. In milliseconds. */
const SLICE_MS = 8
/** Texts between two looks at the clock, some 0.3 ms: a small document is embedded at once when its turn has come. */
const TEXTS_A_LOOK = 16
/** A few milliseconds of work between two turns of the event loop. */
const CHUNKS_AT_ONCE = 32
/** Windows of whole sentences up to here find best: the largest single gain measured (embedder/README.md, "Windows"). */
const WINDOW_CHARACTERS = 200
/** Measured with all else that ranks (docs/relevance.md): it knows English, and of other languages names and numbers. */
const FUSION_WEIGHT = { english: 0.35, other: 0.2 } as const

/**
 * The embedder that the service brings along: the folder `embedder/`, read once. Needs no network and no native code. Rejects when
 * the files are missing or damaged.
 */
export async function createStaticEmbedder({ directory }: { directory: string }): Promise<Embedder> {
  const [table, vocabulary] = await Promise.all([
    readFile(join(directory, 'static-en.bin')),
    readFile(join(directory, 'vocab.txt'), 'utf8'),
  ])
  const model = readStaticModel(table, vocabulary)
  const shareLoop = createLoopShare(SLICE_MS)
  return {
    model: 'static-en',
    windowCharacters: WINDOW_CHARACTERS,
    chunksAtOnce: CHUNKS_AT_ONCE,
    fusionWeight: (language) => (language === 'en' ? FUSION_WEIGHT.english : FUSION_WEIGHT.other),
    embed: (texts) => embedInSlices(model, texts, shareLoop),
  }
}

async function embedInSlices(
  model: StaticModel,
  texts: readonly string[],
  shareLoop: () => Promise<void>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_A_LOOK === 0) await shareLoop()
    vectors.push(model.embed(text))
  }
  return vectors
}
