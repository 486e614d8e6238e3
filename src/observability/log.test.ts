import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog, createScrubber, createWorkContext, type LogLevel } from './log.ts'

const KEY = `rcl_${'aB3'.repeat(15)}z`
const BOOTSTRAP = 'correct horse "battery" staple\\'

function record(options: { level?: LogLevel; pretty?: boolean; showsRequests?: boolean } = {}) {
  const lines: string[] = []
  const log = createLog({
    level: options.level ?? 'debug',
    secrets: [BOOTSTRAP],
    pretty: options.pretty ?? false,
    showsRequests: options.showsRequests ?? false,
    destination: { write: (line) => lines.push(line) },
  })
  return { log, lines }
}

describe('the log', () => {
  it('writes one JSON object a line with level, time, facts and message', () => {
    const { log, lines } = record()
    log.info({ port: 8080 }, 'Listening.')
    assert.equal(lines.length, 1)
    const line = JSON.parse(lines[0] ?? '')
    assert.deepEqual([line.level, line.port, line.msg], ['info', 8080, 'Listening.'])
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('is silent when told so', () => {
    const { log, lines } = record({ level: 'silent' })
    log.error({}, 'nothing')
    assert.deepEqual(lines, [])
  })

  it('writes readable lines for a terminal', () => {
    const { log, lines } = record({ pretty: true })
    log.warn({ free: 3 }, 'The disk is nearly full.')
    assert.match(lines.join(''), /WARN.*The disk is nearly full\./)
  })

  it('shows a request on a terminal only on demand, in one line, and always as JSON', () => {
    const facts = { method: 'GET', route: '/v1/memories', status: 200, ms: 12, requestId: 'req_1', keyId: 'key_1' }
    const linesOf = (options: Parameters<typeof record>[0]) => {
      const { log, lines } = record(options)
      log.info(facts, 'request')
      return lines.join('')
    }
    assert.equal(linesOf({ pretty: true }), '')
    assert.match(linesOf({ pretty: true, showsRequests: true }), /^[^\n]*GET \/v1\/memories 200 12 ms req_1[^\n]*\n$/)
    assert.match(linesOf({}), /"route":"\/v1\/memories"/)
  })

  it('names the cause of an error', () => {
    const { log, lines } = record()
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed')
    assert.match(lines.join(''), /outer.*inner/)
  })

  const secrets: readonly (readonly [string, object, string])[] = [
    ['an API key in the message', {}, `presented ${KEY}.`],
    ['an API key in a value', { deep: { list: [{ text: `x${KEY}` }] } }, 'value'],
    ['an API key in an error and its stack', { err: new Error(`no such key ${KEY}`) }, 'error'],
    ['an API key as a field name', { [KEY]: 1 }, 'name'],
    ['an API key in an authorization header', { req: { headers: { authorization: `Bearer ${KEY}` } } }, 'header'],
    ['an API key in JSON inside a string', { body: JSON.stringify({ 'X-API-Key': KEY }) }, 'nested'],
    ['the bootstrap key in the message', {}, `first key: ${BOOTSTRAP}`],
    ['the bootstrap key in a value', { key: BOOTSTRAP }, 'value'],
    ['the bootstrap key in JSON inside a string', { body: JSON.stringify({ key: BOOTSTRAP }) }, 'nested'],
    ['the bootstrap key in an x-api-key header', { headers: { 'x-api-key': BOOTSTRAP } }, 'header'],
  ]
  for (const pretty of [false, true]) {
    for (const [what, facts, message] of secrets) {
      it(`never shows ${what}${pretty ? ' on a terminal' : ''}`, () => {
        const { log, lines } = record({ pretty })
        log.info(facts, message)
        const text = lines.join('')
        assert.ok(text.includes('[hidden]'), text)
        assert.ok(!text.includes(KEY) && !text.includes('horse') && !text.includes('staple'), text)
        if (!pretty) assert.doesNotThrow(() => JSON.parse(text))
      })
    }
  }
})

describe('facts of the work', () => {
  it('stand in every line, and give way to a fact of the line', async () => {
    const { within, facts } = createWorkContext()
    const lines: string[] = []
    const destination = { write: (line: string) => lines.push(line) }
    const log = createLog({ level: 'info', secrets: [], pretty: false, destination, facts })
    await within({ jobId: 'one' }, async () => {
      await Promise.resolve()
      log.info({}, 'inside')
      log.info({ jobId: 'two' }, 'of another')
    })
    log.info({}, 'outside')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { jobId?: string }).jobId),
      ['one', 'two', undefined],
    )
    assert.equal(lines[1]?.match(/jobId/g)?.length, 1)
  })
})

const scrub = createScrubber(['sk-proj-0123456789', 'short'])

describe('the scrubber', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['any authorization header', '{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"[hidden]"}'],
    ['a header in any case', '{"X-Api-Key":"a\\"b"}', '{"X-Api-Key":"[hidden]"}'],
    ['a header with several values', '{"x-api-key":["one","two"]}', '{"x-api-key":"[hidden]"}'],
    ['a header among raw headers', '["Authorization","Basic dXNlcg=="]', '["Authorization","[hidden]"]'],
    ['a header in escaped JSON', '{"b":"{\\"x-api-key\\":\\"one two\\"}"}', '{"b":"{\\"x-api-key\\":\\"[hidden]\\"}"}'],
    ['a bearer token in a text', '{"msg":"got Bearer abc.def-1"}', '{"msg":"got Bearer [hidden]"}'],
    ['a cookie', '{"cookie":"session=1"}', '{"cookie":"[hidden]"}'],
    ['a given secret', '{"msg":"sk-proj-0123456789 failed"}', '{"msg":"[hidden] failed"}'],
    ['a key that lost a character', `{"k":"rcl_${'a'.repeat(45)}"}`, '{"k":"[hidden]"}'],
  ]
  for (const [what, line, expected] of cases) {
    it(`hides ${what}`, () => assert.equal(scrub(line), expected))
  }

  it('leaves previews of keys and ordinary text as they are', () => {
    const line = '{"keyPreview":"rcl_ab12…wxyz","msg":"a short authorization story"}'
    assert.equal(scrub(line), line)
  })
})
