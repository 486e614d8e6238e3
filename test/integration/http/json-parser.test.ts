import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunningThread } from '../../../src/concurrency/worker-thread.ts'
import { ApiError } from '../../../src/errors.ts'
import { parseJsonBody } from '../../../src/http/body/json-body.ts'
import type { JsonReply, JsonRequest } from '../../../src/http/body/json-parser.ts'
import { createJsonParser, type JsonParser, startJsonThread } from '../../../src/http/body/json-parser.ts'
import { assertYields } from '../../support/assert-yields.ts'
import { MEMORY_ID } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const { signal } = new AbortController()
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
/** As large bodies come. */
const shared = (content: string | Buffer) => {
  const bytes = Buffer.from(content as string)
  const whole = Buffer.from(new SharedArrayBuffer(bytes.length))
  bytes.copy(whole)
  return whole
}

function openParser(start: () => RunningThread<JsonRequest, JsonReply> = startJsonThread) {
  const warnings: unknown[] = []
  const log = { warn: (facts: unknown) => void warnings.push(facts) }
  return { parser: createJsonParser({ start, log, idleMs: 60_000, retryMs: 60_000 }), warnings }
}

/** The result of parsing, or the exception. */
async function outcomeOf(parse: () => unknown) {
  try {
    return { value: await parse() }
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return { code: error.code, message: error.message, remedy: error.remedy, param: error.facts.param }
  }
}

const TEXT = 'The herons nest at the old weir. '.repeat(10_000)
const BODIES = [
  {
    documents: numbers(120).map((index) => ({ text: `Möwe ${index} `.repeat(600), tags: ['a'] })),
    options: { async: true },
  },
  { documents: numbers(50), other: numbers(60_000), further: numbers(90_000), deep: { own: numbers(300) } },
  numbers(100_000),
  { documents: [TEXT.repeat(10)] },
  { documents: [], other: TEXT },
  { zeros: numbers(400_000).map(() => 0), nested: numbers(100_000).map(() => [[]]) },
  'a text',
  null,
].map((value) => JSON.stringify(value))
const ODD = [
  `{"__proto__":${JSON.stringify(numbers(90_000))},"constructor":1,"documents":[1],"documents":${JSON.stringify(numbers(60_000))}}`,
  '',
  ' \n',
  '\u{feff}{"a":1}',
  '{"documents":[1,2',
  '--boundary',
  '['.repeat(70),
]

test('the thread gives and refuses what this thread does, also when bodies come together', async () => {
  const { parser, warnings } = openParser()
  const bodies = [...BODIES, ...ODD].map(shared)
  bodies.push(shared(Buffer.from([0x22, 0xc0, 0x80, 0x22])))
  const there = await Promise.all(bodies.map((body) => outcomeOf(() => parser.parse(body, signal))))
  const here = await Promise.all(bodies.map((body) => outcomeOf(() => parseJsonBody(body))))
  assert.deepEqual(there, here)
  assert.deepEqual(warnings, [])
  await parser.close()
})

test('a body of many documents blocks no other work', async () => {
  const { parser } = openParser()
  const text = 'The herons nest at the old weir. '.repeat(300)
  const documents = numbers(6000).map((index) => ({ title: `Note ${index}`, text: `${index} ${text}` }))
  const body = shared(JSON.stringify({ documents }))
  let parsed: Awaited<ReturnType<JsonParser['parse']>>
  await assertYields(async () => async () => {
    parsed = await parser.parse(body, signal)
  })
  assert.deepEqual(parsed, { documents })
  await parser.close()
})

test('results that a broken thread lost are parsed in this thread', async () => {
  const documents = numbers(200).map((index) => ({ text: `${index} ${TEXT.slice(0, 5000)}` }))
  const body = shared(JSON.stringify({ documents }))
  for (const answers of [0, 1, 2]) {
    const real = startJsonThread()
    let left = answers
    const { parser, warnings } = openParser(() => ({
      call: (request) => {
        left -= 1
        return left < 0 ? Promise.reject(new Error('out of memory')) : real.call(request)
      },
      terminate: real.terminate,
    }))
    assert.deepEqual(await parser.parse(body, signal), { documents })
    assert.equal(warnings.length, 1)
    await parser.close()
  }
})

test('a body whose client left before its turn is not parsed', async () => {
  const { parser } = openParser()
  const first = parser.parse(shared('[1]'), signal)
  const leaving = new AbortController()
  const second = parser.parse(shared('[2]'), leaving.signal)
  leaving.abort(new Error('left'))
  await assert.rejects(second, /left/)
  assert.deepEqual(await first, [1])
  await parser.close()
})

test('large bodies of JSON alone go to the parser, in memory that a thread can share, and are checked like any other', async (t) => {
  const parsed: Buffer[] = []
  const parse = async (body: Buffer) => {
    parsed.push(body)
    return parseJsonBody(body)
  }
  const server = await startServer(t, { jsonParser: { parse } })
  const path = `/v1/memories/${MEMORY_ID}/documents`
  const documents = numbers(300).map((index) => ({ title: 'Möwe', text: `${index} `.repeat(5000) }))
  for (const sent of [{ documents: documents.slice(0, 3) }, { documents }])
    assert.equal((await server.sendJson('POST', path, sent)).status, 200)
  const { length } = Buffer.from(JSON.stringify({ documents }))
  assert.deepEqual(
    parsed.map((body) => [body.length, body.buffer instanceof SharedArrayBuffer]),
    [[length, true]],
  )
  const wrong = documents.map((document, index) => (index === 200 ? { ...document, text: 1 } : document))
  const refused = await server.sendJson('POST', path, { documents: wrong })
  assert.equal((await readError(refused)).param, 'documents[200].text')
  const broken = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ documents }).slice(0, -1) }
  assert.equal((await readError(await server.send('POST', path, broken))).code, 'malformed_json')
  assert.equal(parsed.length, 3)
})
