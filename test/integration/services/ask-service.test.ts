import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import type { AskRequest } from '../../../src/services/ask/ask-service.ts'
import { createAskService } from '../../../src/services/ask/ask-service.ts'
import { createExtractiveGenerator } from '../../../src/services/ask/extractive-generator.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import type { SearchService } from '../../../src/services/search/search.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { openIngestFixture, textDocument } from './ingest-fixture.ts'

const LEASE =
  'The workshop is let to Mara Lindqvist. The rent is 1,250 euros a month, due on the third day.\n\n' +
  'Notice has to be given three months ahead. It must be in writing.\n\n' +
  'The lease began on 1 April 2024. Pets are allowed in the yard.'
const HARBOUR =
  'The harbour crane was repaired in 1987 after a storm. It lifts up to 40 tons. The crane driver is Jonas Petersen.'

async function openAskFixture(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { parts, caller, memory } = fixture
  const search = createSearchService({ ...parts, rerank: true })
  const service = createAskService({ ...parts, search, writer: createExtractiveGenerator(parts) })
  const { signal } = new AbortController()
  const given: AskRequest = {
    question: '',
    model: 'gpt-4',
    maxContextChunks: 10,
    includeSources: false,
  }
  return {
    ...fixture,
    corrections: createCorrectionsService(parts),
    ask: async (question: string, more: Partial<AskRequest> = {}) =>
      service.ask(await search.open(caller, memory.id), { ...given, question, ...more }, signal),
    askOnce: (question: string, content: string, more: Partial<AskRequest> = {}) =>
      service.askOnce(caller, { ...given, question, content, ...more }, signal),
    service,
    search,
    given,
  }
}

test('an answer quotes its document verbatim, with verifiable offsets', async (t) => {
  const { add, ask } = await openAskFixture(t)
  const added = await add({}, [
    textDocument(LEASE, { title: 'Lease of the workshop' }),
    textDocument(HARBOUR, { title: 'Harbour' }),
  ])
  assert.ok('documentIds' in added)
  const answer = await ask('How much is the rent of the workshop?')
  assert.equal(answer.answered, true)
  assert.equal(answer.model, 'extractive')
  assert.equal(answer.requestedModel, 'gpt-4')
  assert.match(answer.answer, /^The rent is 1,250 euros a month, due on the third day\. \[1\]/)
  assert.deepEqual(answer.sources, [])
  assert.ok(answer.citations.length >= 1 && answer.citations.length <= 3)
  for (const { index, documentId, chunkId, startOffset, endOffset, answerStart, answerEnd } of answer.citations) {
    assert.equal(answer.answer.slice(answerStart, answerEnd), `[${index}]`)
    assert.ok(chunkId.startsWith(documentId))
    const text = documentId === added.documentIds[0] ? LEASE : HARBOUR
    assert.ok(answer.answer.includes(text.slice(startOffset, endOffset)))
  }
  assert.deepEqual(answer.usage, { retrieved: 2, promptTokens: 0, completionTokens: 0, totalTokens: 0 })
})

test('sources are given when they are asked for, numbered as the citations are', async (t) => {
  const { add, ask } = await openAskFixture(t)
  await add({}, [textDocument(LEASE, { title: 'Lease' }), textDocument(HARBOUR, { title: 'Harbour' })])
  const { sources, citations } = await ask('Who drives the harbour crane?', { includeSources: true })
  assert.deepEqual(
    sources.map(({ index }) => index),
    sources.map((_, place) => place + 1),
  )
  const [citation] = citations
  assert.ok(citation)
  assert.equal(sources[citation.index - 1]?.documentId, citation.documentId)
  assert.equal((await ask('crane', { includeSources: true, maxContextChunks: 1 })).sources.length, 1)
})

test('a question without an answer gets an answer that says so', async (t) => {
  const { add, ask } = await openAskFixture(t)
  await add({}, [textDocument(LEASE, { title: 'Lease' }), textDocument(HARBOUR, { title: 'Harbour' })])
  const answer = await ask('Which enzymes does the pancreas of a horse produce?')
  assert.equal(answer.answered, false)
  assert.deepEqual(answer.citations, [])
  assert.match(answer.answer, /^[A-Z].*\.$/)
  assert.doesNotMatch(answer.answer, /\[/)
})

test('an empty memory answers nothing, an unknown one is not found', async (t) => {
  const { ask, search, caller } = await openAskFixture(t)
  assert.equal((await ask('Who drives the crane?')).answered, false)
  await assert.rejects(
    search.open(caller, 'mem_nothing'),
    (error) => error instanceof ApiError && error.code === 'memory_not_found',
  )
})

test('a correction is quoted in place of the document it corrects', async (t) => {
  const { add, ask, corrections, caller, memory } = await openAskFixture(t)
  await add({}, [textDocument(LEASE, { title: 'Lease of the workshop' })])
  const { signal } = new AbortController()
  const statement = 'The rent of the workshop is 1,400 euros a month since May.'
  await corrections.add(caller, memory.id, { corrections: [{ statement, topics: [], boost: 2 }], signal })
  const answer = await ask('How much is the rent of the workshop?', { includeSources: true })
  const [source] = answer.sources
  assert.equal(answer.answer, `${statement} (corrected on ${source?.correction?.createdAt.slice(0, 10)}) [1]`)
  assert.equal(source?.kind, 'correction')
})

test('a correction about something else leaves the documents their answer', async (t) => {
  const { add, ask, corrections, caller, memory } = await openAskFixture(t)
  await add({}, [textDocument(HARBOUR, { title: 'Harbour' })])
  const { signal } = new AbortController()
  const statement = 'Visitors park behind the hall.'
  await corrections.add(caller, memory.id, { corrections: [{ statement, topics: ['crane'], boost: 2 }], signal })
  assert.match((await ask('When was the harbour crane repaired?')).answer, /repaired in 1987/)
})

test('a text of the request is answered over, with offsets into it', async (t) => {
  const { askOnce } = await openAskFixture(t)
  const content = `${'The meadow is green. '.repeat(2000)}\n\n${LEASE}\n\n${'The sky is blue. '.repeat(2000)}`
  const answer = await askOnce('When did the lease begin?', content, { includeSources: true })
  assert.equal(answer.answered, true)
  const [citation] = answer.citations
  assert.ok(citation)
  assert.equal(content.slice(citation.startOffset, citation.endOffset), 'The lease began on 1 April 2024.')
  assert.equal(answer.answer.slice(citation.answerStart, citation.answerEnd), `[${citation.index}]`)
  for (const { text, startOffset, endOffset } of answer.sources) {
    assert.equal(content.slice(startOffset, endOffset), text)
  }
  assert.deepEqual(Object.keys(citation).sort(), ['answerEnd', 'answerStart', 'endOffset', 'index', 'startOffset'])
})

test('a text that does not answer is declined, also an empty one', async (t) => {
  const { askOnce } = await openAskFixture(t)
  for (const content of [HARBOUR, '   ', '']) {
    assert.equal((await askOnce('Which vaccine protects against measles?', content)).answered, false)
  }
})

test('a question over a text ends when its asker leaves', async (t) => {
  const { service, given, caller } = await openAskFixture(t)
  const reason = new Error('left')
  await assert.rejects(
    service.askOnce(caller, { ...given, question: 'crane?', content: HARBOUR }, AbortSignal.abort(reason)),
    reason,
  )
})

test('a question stops its search when the client leaves', async (t) => {
  const { given, parts, caller, memory, search } = await openAskFixture(t)
  const reason = new Error('left')
  const leaving = new AbortController()
  const find: SearchService['find'] = (_searched, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      leaving.abort(reason)
    })
  const service = createAskService({ ...parts, search: { find }, writer: createExtractiveGenerator(parts) })
  await assert.rejects(
    service.ask(await search.open(caller, memory.id), { ...given, question: 'crane?' }, leaving.signal),
    reason,
  )
})

test("a quoted text's own notes do not look like citations", async (t) => {
  const { askOnce } = await openAskFixture(t)
  const { answer } = await askOnce('When was the crane repaired?', 'The crane was repaired in 1987.[12][13] It is old.')
  assert.match(answer, /^The crane was repaired in 1987\. \[1\]/)
})
