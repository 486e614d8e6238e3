import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertError, assertStatus } from './answer.ts'
import { parseEvents } from './events.ts'
import { createService, type Service, useSharedService } from './service.ts'
import type { Account, AskedOnce } from './shapes.ts'
import { assertFields } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
const CONTENT =
  'The workshop is let to Mara Lindqvist. The rent is 1,250 euros a month.\n\n' +
  'The lease began on 1 April 2024. Pets are allowed in the yard.'
const QUESTION = 'When did the lease begin?'

const models = await startModelServer()
after(() => models.close())
const service = useSharedService()

async function askOnce(to: Service, body: Record<string, unknown>, headers = {}): Promise<AskedOnce> {
  const answer = await to.post<AskedOnce>('/v1/ask-once', { question: QUESTION, ...body }, { headers })
  assertStatus(answer, 200)
  return answer.json
}

test('a text of the request is answered over, with citations into it', async () => {
  verifies('ask-once.purpose', 'ask-once.fields', 'ask-once.answer')
  const answer = await askOnce(service, { content: CONTENT, model: 'any', options: { includeSources: true } })
  assertFields(answer, 'question', 'answer', 'model', 'requestedModel', 'answered', 'citations', 'sources')
  assertFields(answer, 'usage', 'stats', 'grounding', 'warnings')
  assert.deepEqual([answer.model, answer.requestedModel, answer.answered], ['extractive', 'any', true])
  const [citation] = answer.citations
  assert.ok(citation)
  assert.equal(CONTENT.slice(citation.startOffset, citation.endOffset), 'The lease began on 1 April 2024.')
  assert.equal(answer.answer.slice(citation.answerStart, citation.answerEnd), `[${citation.index}]`)
  for (const { text, startOffset, endOffset } of answer.sources) {
    assert.equal(CONTENT.slice(startOffset, endOffset), text)
  }
  for (const one of [citation, answer.sources[0]]) {
    assert.ok(one && !('documentId' in one) && !('chunkId' in one) && !('title' in one))
  }
})

test('question and content are strings with something in them, model is a string', async () => {
  verifies('ask-once.fields')
  const whole = { question: QUESTION, content: CONTENT }
  for (const [body, param] of [
    [{ content: CONTENT }, 'question'],
    [{ ...whole, question: ' ' }, 'question'],
    [{ question: QUESTION }, 'content'],
    [{ ...whole, content: '' }, 'content'],
    [{ ...whole, content: 5 }, 'content'],
    [{ ...whole, model: 5 }, 'model'],
  ] as const) {
    assertError(await service.post('/v1/ask-once', body), 400, 'validation_failed', param)
  }
})

test('it costs one query', async () => {
  verifies('account.queries.ask')
  const count = async () => (await service.get<Account>('/v1/account')).json.usage.queries
  const before = await count()
  await askOnce(service, { content: CONTENT })
  assert.equal(await count(), before + 1)
})

test('a large text is answered over, with the same offsets', async () => {
  verifies('ask-once.large')
  const filler = 'The meadow is green and wide. '.repeat((8 * MB) / 30)
  const content = `${filler}\n\n${CONTENT}\n\n${filler}`
  const { citations } = await askOnce(service, { content })
  assert.equal(content.slice(citations[0]?.startOffset, citations[0]?.endOffset), 'The lease began on 1 April 2024.')
})

test('it streams on request', async () => {
  verifies('ask-once.answer', 'ask.stream')
  const headers = { accept: 'text/event-stream' }
  const answer = await service.post('/v1/ask-once', { question: QUESTION, content: CONTENT }, { headers })
  const events = parseEvents<AskedOnce>(answer.text)
  const { stats, ...done } = events.at(-1)?.data ?? ({} as AskedOnce)
  const { stats: ownStats, ...whole } = await askOnce(service, { content: CONTENT })
  assert.deepEqual(done, whole)
  assert.deepEqual(Object.keys(stats), Object.keys(ownStats))
})

/** Every byte the service keeps. */
async function readFolder(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(files.map(async (path) => ({ path, bytes: await readFile(path) })))
}

for (const settings of [{}, { RECOLLECT_LLM: 'openai-compatible:once@32k', OPENAI_BASE_URL: models.url }]) {
  const how = 'RECOLLECT_LLM' in settings ? 'with a model' : 'without a model'
  test(`nothing of it is kept anywhere but the count of the query, ${how}`, async (t) => {
    verifies('ask-once.kept-nowhere', 'ask-once.purpose')
    const kept = createService(settings)
    await kept.start()
    t.after(() => kept.dispose())
    const planted = ['Zanzibarrow', 'Quixotelle', 'Vermillionaire']
    models.respond(() => `The secret word of ${planted[1]} is ${planted[0]} [1].`)
    const content = `The secret word of ${planted[1]} is ${planted[0]}. ${CONTENT}`
    const body = { question: `What is the secret word of ${planted[1]}?`, content, model: planted[2] }
    const large = { ...body, content: `${'The meadow is green. '.repeat(200_000)}\n\n${content}` }
    const { answer } = await askOnce(kept, body, { 'idempotency-key': 'once' })
    assert.match(answer, /Zanzibarrow/)
    assert.match((await askOnce(kept, body, { 'idempotency-key': 'once' })).answer, /Zanzibarrow/)
    await askOnce(kept, large)
    await kept.post('/v1/ask-once', body, { headers: { accept: 'text/event-stream' } })
    models.script({ status: 400 }, { status: 400 })
    await kept.post('/v1/ask-once', body)
    models.script()
    await kept.post('/v1/ask-once', { ...body, content: 5 })
    await kept.stop()
    const files = await readFolder(kept.dataDirectory)
    assert.ok(files.length > 0)
    for (const word of planted) {
      for (const { path, bytes } of files) assert.ok(!bytes.includes(word), `${path} holds ${word}`)
      assert.ok(!kept.output().includes(word), `the log holds ${word}`)
    }
  })
}
