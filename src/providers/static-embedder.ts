import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Embedder } from './embedder.ts'
import { readStaticModel, type StaticModel } from './static-model.ts'

/** The event loop waits no longer than this for a batch. In milliseconds. */
const SLICE_MS = 8
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
  return {
    model: 'static-en',
    windowCharacters: WINDOW_CHARACTERS,
    chunksAtOnce: CHUNKS_AT_ONCE,
    fusionWeight: (language) => (language === 'en' ? FUSION_WEIGHT.english : FUSION_WEIGHT.other),
    embed: (texts) => embedInSlices(model, texts),
  }
}

async function embedInSlices(model: StaticModel, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  let sliceStart = performance.now()
  for (const text of texts) {
    vectors.push(model.embed(text))
    if (performance.now() - sliceStart < SLICE_MS) continue
    await setImmediate()
    sliceStart = performance.now()
  }
  return vectors
}
