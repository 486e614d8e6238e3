import assert from 'node:assert/strict'
import test from 'node:test'
import { buildPdf, lines } from '../support/build-pdf.ts'
import { assertError, assertStatus } from './answer.ts'
import { parseEvents } from './events.ts'
import { useSharedService } from './service.ts'
import type { Account, Asked, AskedOnce } from './shapes.ts'
import { addText, addTexts, ask, assertFields, makeKey, makeMemory, readCitations, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const LEASE =
  'The workshop is let to Mara Lindqvist. The rent is 1,250 euros a month, due on the third day.\n\n' +
  'Notice has to be given three months ahead. It must be in writing.'
const HARBOUR = 'The harbour crane was repaired in 1987 after a storm. It lifts up to 40 tons.'

let memoryId = ''
let lease = ''

const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  const added = await addTexts(started, memoryId, [
    { title: 'Lease of the workshop', text: LEASE },
    { title: 'Harbour', text: HARBOUR },
  ])
  assertStatus(added, 200)
  lease = added.json.documentIds[0] ?? ''
})

const RENT = 'How much is the rent of the workshop?'

test('without a model the best sentences are quoted, each with a citation that can be opened', async () => {
  verifies('ask.purpose', 'ask.question', 'ask.extractive', 'ask.answer-fields', 'ask.citations', 'ask.offsets')
  const answer = await ask(service, memoryId, RENT)
  assertFields(answer, 'question', 'answer', 'model', 'requestedModel', 'answered', 'citations', 'sources')
  assertFields(answer, 'usage', 'stats', 'grounding', 'warnings')
  assert.deepEqual([answer.question, answer.model, answer.answered], [RENT, 'extractive', true])
  assert.match(answer.answer, /^The rent is 1,250 euros a month, due on the third day\. \[1\]/)
  const [first, ...others] = await readCitations(service, memoryId, answer)
  assert.equal(first?.documentId, lease)
  assert.equal(first.words, 'The rent is 1,250 euros a month, due on the third day.')
  for (const { words } of [first, ...others]) assert.ok(answer.answer.includes(words))
  assertFields(answer.citations[0], 'index', 'documentId', 'chunkId', 'title', 'page', 'startOffset', 'endOffset')
  assertFields(answer.citations[0], 'answerStart', 'answerEnd')
  assert.equal(answer.citations[0]?.title, 'Lease of the workshop')
})

test('usage and stats report the cost, and quotes have no grounding', async () => {
  verifies('ask.usage', 'ask.grounding')
  const { usage, stats, grounding } = await ask(service, memoryId, RENT)
  assert.deepEqual(usage, { retrieved: 2, promptTokens: 0, completionTokens: 0, totalTokens: 0 })
  assert.ok(Math.abs(stats.totalMs - stats.retrievalMs - stats.generationMs) <= 1, JSON.stringify(stats))
  assert.equal(grounding, null)
})

test('any model may be asked for, gpt-4 by default, and the one that answers is named', async () => {
  verifies('ask.model', 'ask.unknown-model')
  const wished = await ask(service, memoryId, RENT, { model: 'no-such-model' })
  assert.deepEqual([wished.requestedModel, wished.model, wished.answered], ['no-such-model', 'extractive', true])
  assert.equal((await ask(service, memoryId, RENT)).requestedModel, 'gpt-4')
})

test('sources come when they are asked for, numbered as the citations are', async () => {
  verifies('ask.sources', 'ask.include-sources')
  assert.deepEqual((await ask(service, memoryId, RENT)).sources, [])
  const { sources, citations } = await ask(service, memoryId, RENT, { includeSources: true })
  assert.deepEqual(
    sources.map(({ index }) => index),
    [1, 2],
  )
  const source = sources[(citations[0]?.index ?? 0) - 1]
  assertFields(source, 'documentId', 'chunkId', 'title', 'filename', 'page', 'snippet', 'text', 'startOffset')
  assertFields(source, 'endOffset', 'score', 'kind')
  assert.deepEqual([source?.documentId, source?.text], [citations[0]?.documentId, LEASE])
})

test('an answer is made of ten chunks unless a number from 1 to 100 says otherwise', async () => {
  verifies('ask.max-context-chunks', 'ask.max-chunks-range', 'limits.ask-chunks')
  const many = await makeMemory(service, 'Many')
  const batch = Array.from({ length: 30 }, (_, index) => ({ title: `N${index}`, text: `Sparrow ${index} sings.` }))
  assertStatus(await addTexts(service, many, batch), 200)
  const count = async (options: Record<string, unknown>) =>
    (await ask(service, many, 'Which sparrow sings?', { includeSources: true, ...options })).sources.length
  assert.deepEqual(
    await Promise.all([count({}), count({ maxContextChunks: 1 }), count({ maxContextChunks: 100 })]),
    [10, 1, 30],
  )
  for (const maxContextChunks of [0, 101, 2.5, 'many']) {
    const body = { question: 'q', options: { maxContextChunks } }
    const answer = await service.post(`/v1/memories/${many}/ask`, body)
    assertError(answer, 400, 'validation_failed', 'options.maxContextChunks')
  }
})

test('a question without an answer is 200 with a plain sentence', async () => {
  verifies('ask.not-answered')
  const empty = await makeMemory(service, 'Empty')
  for (const memory of [memoryId, empty]) {
    const answer = await ask(service, memory, 'Which enzymes does the pancreas of a horse produce?')
    assert.deepEqual([answer.answered, answer.citations], [false, []])
    assert.match(answer.answer, /^[A-Z][^[\]]+\.$/)
  }
})

test('an answer has a confidence, and one below the requested confidence is declined', async () => {
  verifies('ask.confidence', 'ask.min-confidence')
  const { confidence, answered } = await ask(service, memoryId, RENT)
  assert.ok(answered && confidence !== null && confidence > 0.25 && confidence <= 1, `${confidence}`)
  assert.equal((await ask(service, memoryId, RENT, { minConfidence: confidence })).answered, true)
  const strict = await ask(service, memoryId, RENT, { minConfidence: 1 })
  assert.deepEqual([strict.answered, strict.citations, strict.confidence], [false, [], confidence])
  const body = { question: RENT, content: LEASE, options: { minConfidence: 1 } }
  const once = await service.post<AskedOnce>('/v1/ask-once', body)
  assert.equal(once.json.answered, false)
  const why = 'Why is the rent so high?'
  assert.equal((await ask(service, memoryId, why)).answered, false)
  assert.equal((await ask(service, memoryId, why, { minConfidence: 0 })).answered, true)
  const nothing = await ask(service, memoryId, 'Which enzymes does the pancreas of a horse produce?')
  assert.ok(nothing.confidence !== null && nothing.confidence < 0.25)
})

test('a question without a subject is declined with what is missing', async () => {
  verifies('ask.incomplete-question', 'ask.question-language')
  for (const [question, said] of [
    ['And until when?', /does not say what it is about/],
    ['Und wie lange?', /Frage sagt nicht, worum es geht/],
    ['¿Y los niños?', /no dice de qué se trata/],
  ] as const) {
    const { answered, answer, warnings, citations } = await ask(service, memoryId, question)
    assert.deepEqual([answered, citations], [false, []])
    assert.deepEqual(
      warnings.map(({ code, param }) => [code, param]),
      [['incomplete_question', 'question']],
    )
    assert.match(answer, said)
  }
})

test('an answer is declined in the language of the question, in English otherwise', async () => {
  verifies('ask.question-language', 'ask.not-answered')
  for (const [question, said] of [
    ['Welche Enzyme bildet die Bauchspeicheldrüse eines Pferdes?', 'In den Quellen wurde keine Antwort gefunden.'],
    ['Quelles enzymes le pancréas du cheval produit-il ?', "Aucune réponse n'a été trouvée dans les sources."],
    ['马的胰腺分泌哪些酶？', '资料中没有找到答案。'],
    ['Which enzymes does the pancreas of a horse produce?', 'No answer was found in the sources.'],
  ] as const) {
    const { answered, answer } = await ask(service, memoryId, question)
    assert.deepEqual([answered, answer], [false, said])
  }
})

test('a question is a string with something in it', async () => {
  verifies('ask.question')
  for (const body of [{}, { question: '' }, { question: ' \n' }, { question: 5 }, { question: 'x'.repeat(20_001) }]) {
    assertError(await service.post(`/v1/memories/${memoryId}/ask`, body), 400, 'validation_failed', 'question')
  }
  assert.equal((await ask(service, memoryId, 'x'.repeat(20_000))).answered, false)
})

test('a correction is quoted in place of the document it corrects', async () => {
  verifies('ask.corrections-first')
  const corrected = await makeMemory(service, 'Corrected')
  await addText(service, corrected, LEASE)
  const statement = 'The rent of the workshop is 1,400 euros a month since May.'
  assertStatus(await service.post(`/v1/memories/${corrected}/correct`, { statement, topics: [] }), 201)
  const { answer, sources } = await ask(service, corrected, RENT, { includeSources: true })
  assert.equal(answer, `${statement} (corrected on ${sources[0]?.correction?.createdAt.slice(0, 10)}) [1]`)
  assert.equal(sources[0]?.kind, 'correction')
})

test('a citation names the page of its words', async () => {
  verifies('ask.citations', 'ask.offsets')
  const pages = await makeMemory(service, 'Pages')
  const texts = ['The garden has nine apple trees.', 'The roof was painted green in 2011.', 'The cellar is dry.']
  const content = new Uint8Array(buildPdf(texts.map((text) => ({ content: lines([text], { x: 72, y: 700 }) }))))
  await uploadReady(service, pages, { content, filename: 'house.pdf', options: { storeSource: true } })
  const answer = await ask(service, pages, 'When was the roof painted?')
  const [citation] = await readCitations(service, pages, answer)
  assert.deepEqual([citation?.page, citation?.words], [2, texts[1]])
})

test('an ask costs one query, also without an answer, and none when refused', async () => {
  verifies('account.queries.ask')
  const count = async () => (await service.get<Account>('/v1/account')).json.usage.queries
  const before = await count()
  await ask(service, memoryId, RENT)
  await ask(service, memoryId, 'Which enzymes does a horse produce?')
  assert.equal(await count(), before + 2)
  assertError(await service.post(`/v1/memories/${memoryId}/ask`, { question: '' }), 400, 'validation_failed')
  const unknown = 'mem_01h455vb4pex5vsknk084sn02q'
  assertError(await service.post(`/v1/memories/${unknown}/ask`, { question: 'q' }), 404, 'memory_not_found')
  assert.equal(await count(), before + 2)
})

test('a memory-scoped key asks its own memory and no other, and nothing over a text', async () => {
  verifies('keys.memory-scope.ask-once')
  const { key } = await makeKey(service, memoryId)
  const other = await makeMemory(service, 'Other')
  const body = { question: RENT }
  assertStatus(await service.post(`/v1/memories/${memoryId}/ask`, body, { key }), 200)
  assertError(await service.post(`/v1/memories/${other}/ask`, body, { key }), 404, 'memory_not_found')
  const once = await service.post('/v1/ask-once', { ...body, content: LEASE }, { key })
  assertError(once, 403, 'scope_forbidden')
})

test('quotes are streamed one by one, each with its citation, and the whole answer last', async () => {
  verifies('ask.stream', 'ask.stream-equals')
  const headers = { accept: 'text/event-stream' }
  const answer = await service.post(`/v1/memories/${memoryId}/ask`, { question: RENT }, { headers })
  assertStatus(answer, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = parseEvents<Asked & { text: string }>(answer.text)
  assert.equal(events.at(-1)?.event, 'done')
  const { stats, ...done } = events.at(-1)?.data ?? ({} as Asked)
  const { stats: ownStats, ...whole } = await ask(service, memoryId, RENT)
  assert.deepEqual(done, whole)
  assert.deepEqual(Object.keys(stats), Object.keys(ownStats))
  const tokens = events.filter(({ event }) => event === 'token').map(({ data }) => data.text)
  assert.equal(tokens.join(''), whole.answer)
  assert.deepEqual(
    events.filter(({ event }) => event === 'citation').map(({ data }) => data),
    whole.citations,
  )
})

test('a stream that declines says so in a token and in done', async () => {
  verifies('ask.stream', 'ask.not-answered')
  const headers = { accept: 'text/event-stream' }
  const body = { question: 'Which enzymes does the pancreas of a horse produce?' }
  const events = parseEvents<Asked & { text: string }>(
    (await service.post(`/v1/memories/${memoryId}/ask`, body, { headers })).text,
  )
  const [token, done, ...more] = events
  assert.deepEqual([token?.event, done?.event, more], ['token', 'done', []])
  assert.deepEqual([done?.data.answered, done?.data.answer], [false, token?.data.text])
})

test('a stream from a memory that is not there is a 404 like any other', async () => {
  verifies('ask.stream')
  const headers = { accept: 'text/event-stream' }
  const path = '/v1/memories/mem_01h455vb4pex5vsknk084sn02q/ask'
  assertError(await service.post(path, { question: 'q' }, { headers }), 404, 'memory_not_found')
})
