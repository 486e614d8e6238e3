import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Source } from './answer-generator.ts'
import { createExtractiveGenerator } from './extractive-generator.ts'

const embedder: Embedder = {
  model: 'of-tests',
  windowCharacters: null,
  chunksAtOnce: 8,
  fusionWeight: () => 0,
  embed: () => assert.fail(),
}

function sourceOf(text: string): Source {
  const place = { kind: 'document', document: 'doc_1', startOffset: 0 } as const
  return { ...place, text, title: null, section: null, header: null, score: 1, semantic: null }
}

test('quotes unescaped text and cites the stored text', async () => {
  const text = String.raw`The harbour master of K\u00f6ln is J\u00fcrgen M\u00fcller.`
  const { generate } = createExtractiveGenerator({
    analyzer: createAnalyzer(),
    embedder,
    detectLanguage: async () => null,
  })
  const found = await generate({
    question: 'Who is the harbour master of Köln?',
    languages: ['en'],
    sources: [sourceOf(text)],
    signal: AbortSignal.timeout(10_000),
  })
  assert.equal(found.answer, 'The harbour master of Köln is Jürgen Müller. [1]')
  const [citation] = found.citations
  assert.equal(text.slice(citation?.start, citation?.end), text)
})

test('puts the mark of a list below the list, for every kind of item', async () => {
  const { generate } = createExtractiveGenerator({
    analyzer: createAnalyzer(),
    embedder,
    detectLanguage: async () => null,
  })
  for (const item of ['-', '◦', '–', '(1)', '1.', 'a)']) {
    const led = `The crane needs these:\n${item} two men`
    const signal = AbortSignal.timeout(10_000)
    const asked = { question: 'What does the crane need?', languages: ['en'], sources: [sourceOf(led)], signal }
    assert.equal((await generate(asked)).answer, `${led}\n[1]`)
  }
})

test('puts the mark of code below the code, and the next quote below the mark', async () => {
  const led = 'The crane starts so:\n\n```sh\ncrane --start\n```'
  const sources = [sourceOf(`${led}\n\nThe crane starts at the first try.`)]
  const { generate } = createExtractiveGenerator({
    analyzer: createAnalyzer(),
    embedder,
    detectLanguage: async () => null,
  })
  const signal = AbortSignal.timeout(10_000)
  const { answer } = await generate({ question: 'How does the crane start?', languages: ['en'], sources, signal })
  assert.equal(answer, `${led}\n[1]\nThe crane starts at the first try. [1]`)
})

test('starts steps after a sentence on a new line', async () => {
  const [sentence, steps] = ['Start the crane at dawn.', '1. Turn the key.\n2. Pull the lever.']
  const { generate } = createExtractiveGenerator({
    analyzer: createAnalyzer(),
    embedder,
    detectLanguage: async () => null,
  })
  const sources = [sourceOf(`# Crane\n\n## Starting the crane\n\n${sentence}\n\n${steps}`)]
  const signal = AbortSignal.timeout(10_000)
  const { answer } = await generate({
    question: 'How do I start the crane at dawn?',
    languages: ['en'],
    sources,
    signal,
  })
  assert.equal(answer, `${sentence} [1]\n${steps}\n[1]`)
})

test('yields while reading long sources, and stops when aborted', async () => {
  const sources = [sourceOf('The crane stands on the quay. '.repeat(200))]
  const asked = { question: 'Where is the crane?', languages: ['en'], sources }
  const caller = new AbortController()
  let turns = 0
  const yieldToEventLoop = async () => {
    turns += 1
    if (turns === 150) caller.abort(new Error('left'))
  }
  const { generate } = createExtractiveGenerator(
    { analyzer: createAnalyzer(), embedder, detectLanguage: async () => null },
    yieldToEventLoop,
  )
  await assert.rejects(generate({ ...asked, signal: caller.signal }), /left/)
  assert.equal(turns, 150)
})
