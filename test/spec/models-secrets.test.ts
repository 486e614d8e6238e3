import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Behaviour } from '../support/model-server/behaviour.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import { addText, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const KEY = `sk-${randomUUID()}`
const TEXT = 'Ottoline Brackwater pays 412 crowns a quarter for the upper mill at Velmora.'
const QUESTION = 'What does Ottoline Brackwater pay for the upper mill?'
const SECRETS = /Ottoline|Brackwater|Velmora|412 crowns|Zebedee/

const models = await startModelServer()
const service = useService({
  RECOLLECT_LLM: 'openai-compatible:mini',
  OPENAI_BASE_URL: models.url,
  OPENAI_API_KEY: KEY,
})
after(() => models.close())

/** Errors that echo the whole request, and answers that paraphrase the documents. */
function unruly(): Behaviour[] {
  const echo = JSON.stringify({ error: { message: `Bearer ${KEY}: cannot answer ${QUESTION} with ${TEXT}` } })
  return [
    { status: 401, body: echo },
    { status: 404, body: echo },
    { status: 500, body: echo },
    { body: '{"choices":[{"message":{"content":"Zebedee owes' },
    { body: '[]' },
    { drop: 1 },
  ]
}

test('neither key nor question nor document nor answer of a model is in the log, however the model fails', async () => {
  verifies('models.no-secrets-logged', 'settings.llm')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, TEXT)
  const fields = [{ id: 'f', key: 'rent', label: 'Upper mill', data_type: 'currency' }]
  const schema = { sections: [{ id: 's', name: 'Rent', fields }] }
  const calls = [
    ['/ask', { question: QUESTION }],
    ['/ask', { question: QUESTION, stream: true }],
    ['/extract', schema],
  ] as const
  for (const behaviour of unruly()) {
    models.script(...Array.from({ length: 20 }, () => behaviour))
    const [once, ...answers] = await Promise.all([
      service.post('/v1/ask-once', { question: QUESTION, content: TEXT }),
      ...calls.map(([path, body]) => service.post(`/v1/memories/${memoryId}${path}`, body)),
    ])
    assertError(once, 502, 'model_failed')
    for (const { status, text } of answers) {
      assert.ok(status === 200 || status === 502, `${JSON.stringify(behaviour)}: ${text}`)
      assert.ok(!text.includes(KEY))
    }
  }
  models.script()
  assertStatus(await service.post(`/v1/memories/${memoryId}/ask`, { question: QUESTION }), 200)
  assert.equal(models.openRequests(), 0)
  const log = service.output()
  assert.match(log, /answered 401/)
  assert.ok(!log.includes(KEY))
  assert.doesNotMatch(log, SECRETS)
})
