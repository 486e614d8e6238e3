import assert from 'node:assert/strict'
import test from 'node:test'
import OpenAI from 'openai'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import { addTexts, ask, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const LEASE = 'The workshop is let to Mara Lindqvist. The rent is 1,250 euros a month, due on the third day.'
const RENT = 'How much is the rent of the workshop?'
const UNKNOWN = 'Which enzymes does the pancreas of a horse produce?'

let memoryId = ''
let other = ''
const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started, 'Leases for OpenAI')
  other = await makeMemory(started, 'Another one')
  const added = await addTexts(started, memoryId, [
    { title: 'Lease of the workshop', text: LEASE, metadata: { year: 2026 } },
    { title: 'Harbour', text: 'The harbour crane lifts up to 40 tons.' },
  ])
  assertStatus(added, 200)
})

const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${service.url}/v1`, apiKey, maxRetries: 0 })
const chat = (body: object) => service.post<Chat>('/v1/chat/completions', body)
type Chat = OpenAI.ChatCompletion & { answered: boolean; confidence: number | null; citations: object[] }
const user = (content: unknown) => ({ role: 'user', content })

test('a client of OpenAI lists memories and embedding models as models', async () => {
  verifies('openai.models', 'openai.client')
  const client = clientOf(service.bootstrapKey)
  const { data } = await client.models.list()
  const listed = data.find(({ id }) => id === memoryId) as (OpenAI.Model & { name: string }) | undefined
  assert.deepEqual([listed?.name, listed?.object, listed?.owned_by], ['Leases for OpenAI', 'model', 'recollect'])
  assert.ok(Math.abs((listed?.created ?? 0) - Date.now() / 1000) < 3600)
  assert.ok(data.some(({ id }) => id === 'static-multi'))
  assert.equal((await client.models.retrieve('static-multi')).id, 'static-multi')
  assert.equal((await client.models.retrieve(memoryId)).id, memoryId)
})

test('a chat completion is the answer of ask, with its marks as annotations', async () => {
  verifies('openai.chat', 'openai.chat.citations', 'openai.client')
  const expected = await ask(service, memoryId, RENT)
  const messages = [
    { role: 'system' as const, content: 'Answer like a pirate.' },
    { role: 'user' as const, content: 'Hello' },
    { role: 'assistant' as const, content: 'Hello!' },
    { role: 'user' as const, content: RENT },
  ]
  for (const model of [memoryId, 'Leases for OpenAI']) {
    const answer = (await clientOf(service.bootstrapKey).chat.completions.create({
      model,
      messages,
      temperature: 0,
    })) as Chat
    assert.deepEqual([answer.model, answer.answered, answer.citations], [memoryId, true, expected.citations])
    const [choice] = answer.choices
    assert.deepEqual([choice?.message.content, choice?.finish_reason], [expected.answer, 'stop'])
    const mark = choice?.message.annotations?.[0]?.url_citation
    assert.equal(expected.answer.slice(mark?.start_index, mark?.end_index), '[1]')
    assert.equal(mark?.title, 'Lease of the workshop')
    const text = await service.get<{ text: string }>(mark?.url ?? '')
    assertStatus(text, 200)
    assert.ok(text.text.includes('Mara Lindqvist'))
  }
})

test('parts of text are one question', async () => {
  verifies('openai.chat')
  const parts = [
    { type: 'text', text: 'How much is the rent' },
    { type: 'text', text: 'of the workshop?' },
  ]
  const answer = await chat({ model: memoryId, messages: [user(parts)] })
  assertStatus(answer, 200)
  assert.match(answer.json.choices[0]?.message.content ?? '', /1,250 euros/)
})

test('the chunks of a stream add up to the answer and end with the citations', async () => {
  verifies('openai.chat.stream', 'openai.client')
  const expected = await ask(service, memoryId, RENT)
  const stream = await clientOf(service.bootstrapKey).chat.completions.create({
    ...{ model: memoryId, stream: true, stream_options: { include_usage: true } },
    messages: [{ role: 'user', content: RENT }],
  })
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const content = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
  assert.equal(content, expected.answer)
  assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant')
  const last = chunks.find(({ choices }) => choices[0]?.finish_reason === 'stop') as unknown as Chat | undefined
  assert.deepEqual([last?.answered, last?.citations], [true, expected.citations])
  assert.equal(chunks.at(-1)?.usage?.total_tokens, 0)
  const raw = await service.post('/v1/chat/completions', { model: memoryId, stream: true, messages: [user(RENT)] })
  assert.ok(raw.text.endsWith('data: [DONE]\n\n'), raw.text.slice(-100))
})

test('a question without an answer is declined in the message', async () => {
  verifies('openai.chat.declined')
  const { json } = await chat({ model: memoryId, messages: [user(UNKNOWN)] })
  const { answered, citations, choices } = json
  assert.deepEqual([answered, citations, choices[0]?.message.annotations], [false, [], []])
  assert.match(choices[0]?.message.content ?? '', /^No answer was found/)
})

test('bad requests say what to change', async () => {
  verifies('openai.chat.invalid')
  for (const messages of [[], [{ role: 'assistant', content: 'Hello' }], [user(' ')], [user(null)]])
    assertError(await chat({ model: memoryId, messages }), 400, 'validation_failed')
  const picture = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]
  assertError(await chat({ model: memoryId, messages: [user(picture)] }), 400, 'validation_failed')
  assertError(await chat({ model: 'gpt-4', messages: [user(RENT)] }), 404, 'memory_not_found')
  await makeMemory(service, 'Twins for OpenAI')
  await makeMemory(service, 'Twins for OpenAI')
  assertError(await chat({ model: 'Twins for OpenAI', messages: [user(RENT)] }), 400, 'validation_failed')
})

test('texts are embedded, as numbers and as the base64 that the client asks for', async () => {
  verifies('openai.embeddings', 'openai.client')
  const client = clientOf(service.bootstrapKey)
  const input = ['the rent of the workshop', 'the price of the lease']
  const { data, model } = await client.embeddings.create({ model: 'static-multi', input })
  assert.deepEqual([model, data.map(({ index }) => index)], ['static-multi', [0, 1]])
  const plain = await client.embeddings.create({ model: 'static-multi', input, encoding_format: 'float' })
  assert.deepEqual(plain.data, data)
  const length = Math.hypot(...(data[0]?.embedding ?? []))
  assert.ok(Math.abs(length - 1) < 0.01, `${length}`)
  const embed = (body: object) => service.post('/v1/embeddings', { model: 'static-multi', input, ...body })
  assertError(await embed({ model: 'text-embedding-3-small' }), 404, 'model_not_found')
  assertError(await embed({ dimensions: 7 }), 400, 'validation_failed')
  assertError(await embed({ input: [[1, 2]] }), 400, 'validation_failed')
  assertError(await embed({ input: [] }), 400, 'validation_failed')
})

test('a memory is searched as a vector store', async () => {
  verifies('openai.store-search', 'openai.client')
  const found = await clientOf(service.bootstrapKey).vectorStores.search(memoryId, { query: RENT, max_num_results: 1 })
  assert.equal(found.data.length, 1)
  const [hit] = found.data
  assert.deepEqual(
    [hit?.filename, hit?.attributes, hit?.content],
    ['Lease of the workshop', { year: 2026 }, [{ type: 'text', text: LEASE }]],
  )
  const search = (body: object) => service.post<{ data: object[] }>(`/v1/vector_stores/${memoryId}/search`, body)
  const strict = await search({ query: UNKNOWN, ranking_options: { score_threshold: 0.9 } })
  assert.deepEqual(strict.json.data, [])
  const year = (type: string, value: unknown) => ({ type, key: 'year', value })
  const filtered = async (filters: object) => (await search({ query: RENT, filters })).json.data.length
  assert.equal(await filtered(year('gte', 2026)), 1)
  assert.equal(await filtered(year('lt', 2026)), 0)
  assert.equal(await filtered({ type: 'or', filters: [year('lt', 2026), year('in', [2026, 2027])] }), 1)
  for (const filters of [year('like', 1), { type: 'and' }, { type: 'eq', key: '$or', value: [] }])
    assertError(await search({ query: RENT, filters }), 400, 'validation_failed')
  assertError(await search({ query: ['one', 'two'] }), 400, 'validation_failed')
})

test('a key of a memory sees that memory alone', async () => {
  verifies('openai.scope')
  const { key } = await makeKey(service, memoryId)
  const client = clientOf(key)
  const { data } = await client.models.list()
  assert.deepEqual(
    data.filter(({ id }) => id.startsWith('mem_')).map(({ id }) => id),
    [memoryId],
  )
  const messages = [{ role: 'user' as const, content: RENT }]
  assert.equal((await client.chat.completions.create({ model: memoryId, messages })).model, memoryId)
  for (const model of [other, 'Another one'])
    await assert.rejects(client.chat.completions.create({ model, messages }), { status: 404, code: 'memory_not_found' })
  await assert.rejects(client.vectorStores.search(other, { query: RENT }), { status: 404 })
  await assert.rejects(client.models.retrieve(other), { status: 404 })
})
