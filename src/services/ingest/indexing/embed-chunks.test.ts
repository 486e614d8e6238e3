import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnalyzer } from '../../../engine/analysis/analyzer.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import { unpackWindows } from '../../../engine/windows.ts'
import type { Embedder, EmbedOptions } from '../../../models/embedder.ts'
import type { ChunkContext } from './embed-chunks.ts'
import { embedChunks } from './embed-chunks.ts'

/** Every text has the same vector of two components. */
const embedder = (windowCharacters: number | null): Embedder => ({
  model: 'of-tests',
  windowCharacters,
  chunksAtOnce: 8,
  fusionWeight: () => 0,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
})

const chunk = (text: string): Chunk => {
  const nowhere = { startOffset: 0, endOffset: text.length, page: null, pageEnd: null, section: null, header: null }
  return { text, ...nowhere }
}
const CHUNKS = [chunk('Boats wait. They wait for the lock.'), chunk('It opens at six.')]
const CONTEXT: ChunkContext = {
  documentId: 'doc_1',
  kind: 'document',
  heading: 'Harbour rules',
  language: 'en',
  labels: [],
  firstIndex: 0,
}

async function windowsOf(context: Partial<ChunkContext>, windowCharacters: number | null = 200): Promise<number[][]> {
  const indexing = { analyzer: createAnalyzer(), embedder: embedder(windowCharacters) }
  const rows = await embedChunks(indexing, CHUNKS, { ...CONTEXT, ...context })
  return rows.map(({ windows }) => [...unpackWindows(windows, 2)])
}

describe('embedChunks', () => {
  it('adds the title as a window with lower weight to the first chunk', async () => {
    assert.deepEqual(await windowsOf({}), [
      [127, 0, 111, 0],
      [127, 0],
    ])
    assert.deepEqual(await windowsOf({ firstIndex: 2 }), [
      [127, 0],
      [127, 0],
    ])
  })

  it('adds no title window for one word, a correction, or an embedder without windows', async () => {
    const without = [
      [127, 0],
      [127, 0],
    ]
    assert.deepEqual(await windowsOf({ heading: 'Untitled' }), without)
    assert.deepEqual(await windowsOf({ kind: 'correction' }), without)
    assert.deepEqual(await windowsOf({}, null), [[], []])
  })

  it('gives the embedder the language of the document for each text', async () => {
    let given: EmbedOptions['languages']
    const own: Embedder = {
      ...embedder(200),
      embed: async (texts, _kind, options) => {
        given = options?.languages
        return texts.map(() => Float32Array.of(1, 0))
      },
    }
    await embedChunks({ analyzer: createAnalyzer(), embedder: own }, CHUNKS, { ...CONTEXT, language: 'de' })
    // Two chunks, a window of each, and the title.
    assert.deepEqual(given, Array(5).fill('de'))
  })

  it('resolves escapes for vectors and terms and keeps the text', async () => {
    const embedded: string[] = []
    const embed = async (texts: readonly string[]) => {
      embedded.push(...texts)
      return texts.map(() => Float32Array.of(1, 0))
    }
    const text = String.raw`{"city":"K\u00f6ln\tS\u00fcd"}`
    const indexing = { analyzer: createAnalyzer(), embedder: { ...embedder(200), embed } }
    const [row] = await embedChunks(indexing, [chunk(text)], { ...CONTEXT, heading: '' })
    assert.deepEqual([...new Set(embedded)], ['{"city":"Köln Süd"}'])
    assert.deepEqual([row?.terms, row?.text], ['citi koln sud', text])
  })
})
