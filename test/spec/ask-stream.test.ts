import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertError, assertStatus } from './answer.ts'
import { parseEvents } from './events.ts'
import { numberOf } from './model-replies.ts'
import { useService } from './service.ts'
import type { AskCitation, Asked } from './shapes.ts'
import { addText, ask, makeMemory, readCitations } from './steps.ts'
import { verifies } from './verifies.ts'

const LEASE =
  'The workshop is let to Mara Lindqvist. The rent is 1,250 euros a month, due on the third day.\n\n' +
  'Notice has to be given three months ahead. It must be in writing.'
const RENT = 'How much is the rent of the workshop?'

const models = await startModelServer()
after(() => models.close())
let memoryId = ''

const settings = { RECOLLECT_LLM: 'openai-compatible:test-model@8k', OPENAI_BASE_URL: models.url }
const service = useService(settings, async (started) => {
  memoryId = await makeMemory(started)
  await addText(started, memoryId, LEASE)
})

const headers = { accept: 'text/event-stream' }

async function stream(question = RENT) {
  const answer = await service.post(`/v1/memories/${memoryId}/ask`, { question }, { headers })
  assertStatus(answer, 200)
  const events = parseEvents<Asked & AskCitation & { text: string; error: { code: string } }>(answer.text)
  const of = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data)
  return { events, tokens: of('token').map(({ text }) => text), citations: of('citation'), done: of('done'), of }
}

test('an answer comes word by word, each citation behind its sentence, the whole last', async () => {
  verifies('ask.stream', 'ask.stream-equals', 'ask.citations')
  models.respond(({ prompt }) => {
    const number = numberOf(prompt, 'Mara')
    return `The rent is 1,250 euros a month [${number}]. Notice is three months [${number}]. It must be in writing [${number}].`
  })
  const { events, tokens, citations, done } = await stream()
  assert.equal(done.length, 1)
  const [answer] = done
  assert.ok(answer && events.at(-1)?.event === 'done')
  assert.ok(tokens.length > 5, `${tokens.length} tokens`)
  assert.equal(tokens.join(''), answer.answer)
  assert.deepEqual(citations, answer.citations)
  assert.equal((await readCitations(service, memoryId, answer)).length, 3)
  const order = events.map(({ event }) => event)
  assert.ok(order.indexOf('citation') < order.lastIndexOf('token'), 'a citation is told before the answer ends')
  const { stats, ...whole } = await ask(service, memoryId, RENT)
  assert.deepEqual({ ...answer, stats }, { ...whole, stats })
})

test('no token shows a citation that the answer does not have', async () => {
  verifies('ask.stream-equals', 'ask.citation-removed')
  models.respond(
    ({ prompt }) => `The rent is 1,250 euros [${numberOf(prompt, 'Mara')}][17]. So it is (see [99]). Yes [4].`,
  )
  const { tokens, done } = await stream()
  assert.match(tokens.join(''), /^The rent is 1,250 euros \[1\]\. So it is \(see\)\. Yes\.$/)
  assert.equal(tokens.join(''), done[0]?.answer)
  assert.deepEqual(
    done[0]?.warnings.map(({ code }) => code),
    ['citation_removed'],
  )
})

test('a stream whose citations do not support it ends with that verdict', async () => {
  verifies('ask.unsupported', 'ask.stream-equals')
  models.respond(({ prompt }) => `The rent is 9,999 euros a month [${numberOf(prompt, 'Mara')}].`)
  const { tokens, done, citations } = await stream()
  const [answer] = done
  assert.deepEqual([answer?.answered, answer?.draft], [false, tokens.join('')])
  assert.deepEqual(answer?.citations, citations)
  assert.deepEqual(
    answer?.warnings.map(({ code }) => code),
    ['unsupported_answer'],
  )
})

test('a declining model shows no text of its own', async () => {
  verifies('ask.stream', 'ask.model-declines')
  models.respond(({ prompt }) => /write (\w+) and nothing else/.exec(prompt)?.[1] ?? '')
  const { tokens, done } = await stream('Who is the king of Spain?')
  assert.deepEqual([done[0]?.answered, tokens], [false, [done[0]?.answer]])
})

test('a model that fails ends the stream with an error, and the next question is answered', async () => {
  verifies('ask.stream-error', 'ask.model-failed', 'ask.stream')
  const proper = ({ prompt }: { prompt: string }) => `The rent is 1,250 euros a month [${numberOf(prompt, 'Mara')}].`
  models.respond(proper)
  for (const behaviour of [
    { drop: 4 },
    { endAfter: 4 },
    { isEndless: true },
    { status: 401 },
    { status: 200, body: 'data: {"choices": nonsense}\n\n', headers: { 'content-type': 'text/event-stream' } },
    { status: 200, body: '<html></html>' },
  ]) {
    models.script(behaviour, behaviour, behaviour)
    const { events, of, done } = await stream()
    models.script()
    if (behaviour.isEndless) {
      assert.equal(events.at(-1)?.event, 'done')
      assert.ok(done[0]?.warnings.some(({ code }) => code === 'answer_cut'))
      continue
    }
    assert.deepEqual([events.at(-1)?.event, done], ['error', []], JSON.stringify(behaviour))
    const [{ error } = { error: null }] = of('error')
    assert.equal(error?.code, 'model_failed')
    assert.deepEqual(Object.keys(error).sort(), ['code', 'details', 'message', 'param', 'remedy', 'requestId'])
    assert.equal((await stream()).done[0]?.answered, true)
  }
  await Promise.all(models.requests.map(({ ended }) => ended))
  assert.equal(models.openRequests(), 0)
})

test('a client that leaves stops the call of the model, streamed or not', async () => {
  verifies('ask.client-leaves')
  for (const [accept, behaviour] of [
    ['text/event-stream', { stall: 3 }],
    ['text/event-stream', { stall: 'before-headers' }],
    ['application/json', { stall: 'before-headers' }],
  ] as const) {
    models.script(behaviour)
    const asked = models.nextRequest()
    const leaving = new AbortController()
    const response = fetch(`${service.url}/v1/memories/${memoryId}/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.bootstrapKey}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ question: RENT }),
      signal: leaving.signal,
    })
    const left = assert.rejects(response.then((answer) => answer.text()))
    const { ended } = await asked
    assert.equal(models.openRequests(), 1)
    leaving.abort()
    await left
    assert.equal(await ended, 'left')
    assert.equal(models.openRequests(), 0)
  }
  assert.equal((await stream()).done[0]?.answered, true)
})

/**
 * Asks with an idempotency key; the response of the previous request may still be in the process of
 * being stored.
 */
async function askUnder(idempotencyKey: string, question: string, more: Record<string, string> = headers) {
  const keyed = { 'idempotency-key': idempotencyKey, ...more }
  for (;;) {
    const answer = await service.post<Asked>(`/v1/memories/${memoryId}/ask`, { question }, { headers: keyed })
    if (answer.status !== 409) return answer
  }
}

test('a streamed question repeated under its key gets the same answer', async () => {
  verifies('ask.stream')
  models.respond(({ prompt }) => `The rent is 1,250 euros a month [${numberOf(prompt, 'Mara')}].`)
  const first = await askUnder('the rent', RENT)
  const [done] = parseEvents<Asked>(first.text).filter(({ event }) => event === 'done')
  assert.ok(done)
  const asked = models.requests.length
  const again = await askUnder('the rent', RENT)
  assert.deepEqual([again.headers.get('idempotent-replayed'), parseEvents<Asked>(again.text)], ['true', [done]])
  const asJson = await askUnder('the rent', RENT, {})
  assert.deepEqual([asJson.headers.get('idempotent-replayed'), asJson.json], ['true', done.data])
  assertError(await askUnder('the rent', 'Who is the tenant?'), 422, 'idempotency_key_reused')
  assert.equal(models.requests.length, asked)
})

test('a stream that ends with an error is not stored: its key asks again', async () => {
  verifies('ask.stream-error')
  const broken = { endAfter: 4 }
  models.script(broken, broken, broken)
  const last = ({ text }: { text: string }) => parseEvents(text).at(-1)?.event
  assert.equal(last(await askUnder('broken', RENT)), 'error')
  models.script()
  const again = await askUnder('broken', RENT)
  assert.deepEqual([again.headers.get('idempotent-replayed'), last(again)], [null, 'done'])
})
