import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import type { Embedder } from '../../providers/embedder.ts'
import { createExtractiveWriter } from './extractive-writer.ts'

const embedder: Embedder = {
  model: 'of-tests',
  windowCharacters: null,
  chunksAtOnce: 8,
  fusionWeight: () => 0,
  embed: () => assert.fail(),
}

test('words are found and quoted as they read, and cited as they are written', async () => {
  const text = String.raw`The harbour master of K\u00f6ln is J\u00fcrgen M\u00fcller.`
  const { write } = createExtractiveWriter({ analyzer: createAnalyzer(), embedder })
  const found = await write({
    question: 'Who is the harbour master of Köln?',
    languages: ['en'],
    sources: [
      {
        kind: 'document',
        text,
        document: 'doc_1',
        startOffset: 0,
        title: null,
        section: null,
        header: null,
        score: 1,
        semantic: null,
      },
    ],
    signal: AbortSignal.timeout(10_000),
  })
  assert.equal(found.answer, 'The harbour master of Köln is Jürgen Müller. [1]')
  const [citation] = found.citations
  assert.equal(text.slice(citation?.start, citation?.end), text)
})
