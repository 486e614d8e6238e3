import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ModelFailure, modelFailed } from './model-failure.ts'

function explain(failure: ModelFailure, who = 'openai-compatible:mini') {
  const { code, status, message, remedy, facts } = modelFailed(failure, { who, tries: 1 })
  assert.deepEqual([code, status], ['model_failed', 502])
  return { message, remedy, retryAfterSeconds: facts.retryAfterSeconds }
}

function withStatus(status: number, retryAfterMs?: number) {
  return new ModelFailure('status', `answered ${status}: details of the provider`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

test("a refused key is the model's key, and its setting is named", () => {
  for (const [who, setting] of [
    ['openai:gpt-4.1-mini', 'OPENAI_API_KEY'],
    ['openai-compatible:qwen3:8b', 'OPENAI_API_KEY'],
    ['anthropic:claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
    ['google:gemini-2.5-flash', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ] as const)
    for (const status of [401, 403]) {
      const { message, remedy } = explain(withStatus(status), who)
      assert.match(message, new RegExp(`model endpoint refused the model key.*${status}.*Your API key is valid`))
      assert.ok(remedy.includes(setting), remedy)
    }
})

test('a limit of the endpoint has the seconds to wait, if the endpoint gives them', () => {
  const known = explain(withStatus(429, 20_500))
  assert.match(known.message, /limits.*429/)
  assert.match(known.remedy, /in 21 seconds/)
  assert.equal(known.retryAfterSeconds, 21)
  const unknown = explain(withStatus(429))
  assert.match(unknown.remedy, /in a minute/)
  assert.equal(unknown.retryAfterSeconds, undefined)
})

test('a time limit has its length and its setting', () => {
  const { message, remedy } = explain(new ModelFailure('timeout', 'did not continue within 60 s'))
  assert.match(message, /did not answer in time.* 60 s/)
  assert.match(remedy, /RECOLLECT_LLM_TIMEOUT_SECONDS/)
})

test('an endpoint without a connection, model or success is named as the cause', () => {
  const gone = explain(new ModelFailure('unreachable', 'cannot be reached (ECONNREFUSED)'))
  assert.match(gone.message, /endpoint cannot be reached/)
  assert.match(gone.remedy, /OPENAI_BASE_URL/)
  assert.match(explain(withStatus(404)).remedy, /RECOLLECT_LLM/)
  assert.match(explain(withStatus(503)).message, /endpoint failed \(status 503\)/)
  assert.match(explain(withStatus(402)).message, /endpoint refused the request.*402/)
  assert.equal(explain(new ModelFailure('garbage', 'gave nothing')).message, 'The model returned an invalid response.')
})

test('what the endpoint said stays in the log', () => {
  for (const status of [401, 404, 429, 500])
    assert.doesNotMatch(JSON.stringify(explain(withStatus(status))), /details of the provider/)
})
