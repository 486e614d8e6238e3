import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { AnswerRequest, GeneratedAnswer, Source } from './answer-generator.ts'
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

const deps = { analyzer: createAnalyzer(), embedder, detectLanguage: async () => null }

async function answer(question: string, text: string, more: Partial<AnswerRequest> = {}): Promise<GeneratedAnswer> {
  const sources = [sourceOf(text)]
  const signal = AbortSignal.timeout(10_000)
  return createExtractiveGenerator(deps).generate({
    ...{ question, questionLanguage: 'en', languages: ['en'], sources, signal },
    ...more,
  })
}

test('quotes unescaped text and cites the stored text', async () => {
  const text = String.raw`The harbour master of K\u00f6ln is J\u00fcrgen M\u00fcller.`
  const found = await answer('Who is the harbour master of Köln?', text)
  assert.equal(found.answer, 'The harbour master of Köln is Jürgen Müller. [1]')
  const [citation] = found.citations
  assert.equal(text.slice(citation?.start, citation?.end), text)
})

test('puts the mark of a list below the list, for every kind of item', async () => {
  for (const item of ['-', '◦', '–', '(1)', '1.', 'a)']) {
    const led = `The crane needs these:\n${item} two men`
    assert.equal((await answer('What does the crane need?', led)).answer, `${led}\n[1]`)
  }
})

test('puts the mark of code below the code, and the next quote below the mark', async () => {
  const led = 'The harbour crane of Emden is started so:\n\n```sh\ncrane --start\n```'
  const next = 'The harbour crane of Emden is started at dawn.'
  const found = await answer('How is the harbour crane of Emden started?', `${led}\n\n${next}`)
  assert.equal(found.answer, `${led}\n[1]\n${next} [1]`)
})

test('starts steps after a sentence on a new line', async () => {
  const [sentence, steps] = ['Start the crane at dawn.', '1. Turn the key.\n2. Pull the lever.']
  const text = `# Crane\n\n## Starting the crane\n\n${sentence}\n\n${steps}`
  assert.equal((await answer('How do I start the crane at dawn?', text)).answer, `${sentence} [1]\n${steps}\n[1]`)
})

test('returns its confidence, and declines answers below the requested one', async () => {
  const asked = ['How many tons does the crane lift?', 'The crane lifts 40 tons.'] as const
  const { answered, confidence } = await answer(...asked)
  assert.ok(answered && confidence !== null && confidence > 0.5 && confidence < 1, `${confidence}`)
  assert.equal((await answer(...asked, { minConfidence: confidence })).answered, true)
  const declined = await answer(...asked, { minConfidence: 1 })
  assert.deepEqual(
    [declined.answered, declined.answer, declined.citations, declined.confidence],
    [false, '', [], confidence],
  )
})

test('quotes the newer edition first and names the older one', async () => {
  const older = { ...sourceOf('Refunds are paid within thirty days.'), title: 'Policy 2023', document: 'doc_1' }
  const newer = { ...sourceOf('Refunds are paid within fourteen days.'), title: 'Policy 2025', document: 'doc_2' }
  const found = await answer('Within how many days are refunds paid?', '', { sources: [older, newer] })
  const said = 'Refunds are paid within fourteen days. [2] (Policy 2025; Policy 2023 differs: Refunds are paid within'
  assert.equal(found.answer, `${said} thirty days. [1])`)
  assert.deepEqual(
    found.citations.map(({ index, answerStart, answerEnd }) => [index, found.answer.slice(answerStart, answerEnd)]),
    [
      [2, '[2]'],
      [1, '[1]'],
    ],
  )
  assert.deepEqual(
    found.warnings.map(({ code }) => code),
    ['sources_differ'],
  )
})

test('declines a question without a subject, with a warning', async () => {
  const { answered, confidence, warnings } = await answer('How much does it cost?', 'The crane costs 900 euros.')
  assert.deepEqual([answered, confidence, warnings.map(({ code }) => code)], [false, 0, ['incomplete_question']])
})

test('reads sources without a known language as in the language of the question', async () => {
  const table = 'Vorsitz | Heike Rau\nKasse | Jörg Timm'
  assert.equal(
    (await answer('Wer hat den Vorsitz?', table, { questionLanguage: 'de' })).answer,
    'Vorsitz | Heike Rau [1]',
  )
})

test('keeps the known languages of a memory beside that of the question', async () => {
  const asked = ['Who paid the Handwerker?', 'Ann Lee bezahlte die Handwerkerinnen.'] as const
  const found = await answer(...asked, { languages: ['de'] })
  assert.equal(found.answer, `${asked[1]} [1]`)
  assert.equal((await answer(...asked, { languages: ['en'] })).answered, false)
})

test('notes a correction in the language of the question', async () => {
  const source = { ...sourceOf('The crane lifts 40 tons.'), kind: 'correction', correctedOn: '2026-11-21' } as const
  const asked = ['How many tons does the crane lift?', '', { sources: [source] }] as const
  assert.equal((await answer(...asked)).answer, 'The crane lifts 40 tons. (corrected on 2026-11-21) [1]')
  const german = await answer(asked[0], '', { ...asked[2], questionLanguage: 'de' })
  assert.equal(german.answer, 'The crane lifts 40 tons. (korrigiert am 2026-11-21) [1]')
})

test('puts a label before the quote, outside of the citation', async () => {
  const text = '## Starter\n\nOne user.\n\n## Team\n\nSingle sign-on is included.'
  const named = await answer('Which plan has single sign-on?', text)
  assert.equal(named.answer, 'Team: Single sign-on is included. [1]')
  const [citation] = named.citations
  assert.equal(text.slice(citation?.start, citation?.end), 'Single sign-on is included.')
  const table = '| Plan | Price | Users |\n|---|---|---|\n| Team | 14 euros | 20 |\n| Pro | 24 euros | 50 |'
  const row = await answer('How much is the Pro plan?', table)
  assert.equal(row.answer, '| Plan | Price | Users |\n| Pro | 24 euros | 50 | [1]')
  const sheet = await answer(
    'How many crates of Vranja?',
    'Variety | Crates | Euros\nSmyrna | 18204 | 2.15\nVranja | 8200 | 3.05',
  )
  assert.equal(sheet.answer, 'Variety | Crates | Euros\nVranja | 8200 | 3.05 [1]')
  const levers = 'For the crane you need these levers:\n\nLever | Number\nlong lever | 1\nshort lever | 2'
  const introduced = await answer('Which levers do you need for the crane?', levers)
  assert.equal(introduced.answer, `${levers}\n[1]`)
})

test('yields while reading long sources, and stops when aborted', async () => {
  const sources = [sourceOf('The crane stands on the quay. '.repeat(200))]
  const asked = {
    question: 'Where is the crane?',
    questionLanguage: 'en',
    languages: ['en'],
    sources,
  }
  const caller = new AbortController()
  let turns = 0
  const yieldToEventLoop = async () => {
    turns += 1
    if (turns === 150) caller.abort(new Error('left'))
  }
  const { generate } = createExtractiveGenerator(deps, yieldToEventLoop)
  await assert.rejects(generate({ ...asked, signal: caller.signal }), /left/)
  assert.equal(turns, 150)
})
