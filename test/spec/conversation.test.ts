import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Asked } from './shapes.ts'
import { addTexts, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

let memoryId = ''
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started)
  const texts = [
    'The museum in Leeds opens at nine o’clock. The museum in Hull opens at half past ten.',
    'The blue pass costs 12 euros and is valid for three days.\n\nThe red pass costs 20 euros and is valid for a week.',
    'Die Fähre kostet für Erwachsene 14 Euro. Die Fähre kostet für Kinder 6 Euro.',
  ]
  assertStatus(
    await addTexts(
      started,
      memoryId,
      texts.map((text) => ({ text })),
    ),
    200,
  )
})

async function talk(...said: string[]): Promise<Asked> {
  const messages = said.map((content, index) => ({
    role: (said.length - index) % 2 === 1 ? 'user' : 'assistant',
    content,
  }))
  const answer = await service.post<Asked>(`/v1/memories/${memoryId}/ask`, { messages })
  assertStatus(answer, 200)
  return answer.json
}

test('a follow-up question is completed by the question before it', async () => {
  verifies('ask.messages', 'ask.messages.follow-up')
  for (const [former, question, rewritten, said] of [
    ['When does the museum in Leeds open?', 'And in Hull?', 'When does the museum in Hull open?', /half past ten/],
    ['What does the blue pass cost?', 'How long is it valid?', 'How long is it valid? (the blue pass)', /three days/],
    ['Was kostet die Fähre für Erwachsene?', 'Und für Kinder?', 'Was kostet die Fähre für Kinder?', /6 Euro/],
  ] as const) {
    const answer = await talk(former, 'An answer.', question)
    assert.deepEqual([answer.question, answer.rewrittenQuestion], [question, rewritten])
    assert.equal(answer.answered, true, question)
    assert.match(answer.answer, said)
  }
})

test('a follow-up of a follow-up keeps the subject, and an unknown one is declined', async () => {
  verifies('ask.messages.follow-up')
  const third = await talk('What does the blue pass cost?', 'a', 'And the red pass?', 'b', 'How long is it valid?')
  assert.match(third.answer, /valid for a week/)
  const unknown = await talk('When does the museum in Leeds open?', 'At nine.', 'And in York?')
  assert.equal(unknown.answered, false)
  assert.equal(unknown.rewrittenQuestion, 'When does the museum in York open?')
  const alone = await talk('How long is it valid?')
  assert.deepEqual(
    alone.warnings.map(({ code }) => code),
    ['incomplete_question'],
  )
})

test('a complete question is answered as it is', async () => {
  verifies('ask.messages.complete')
  const answer = await talk('When does the museum in Leeds open?', 'At nine.', 'What does the red pass cost?')
  assert.equal(answer.rewrittenQuestion, undefined)
  assert.match(answer.answer, /20 euros/)
})

test('messages are checked, and a stream and a chat completion use them too', async () => {
  verifies('ask.messages')
  const path = `/v1/memories/${memoryId}/ask`
  const user = { role: 'user', content: 'When does the museum in Leeds open?' }
  for (const body of [
    {},
    { messages: [] },
    { messages: [user], question: 'x' },
    { messages: [{ role: 'assistant', content: 'x' }] },
    { messages: [user, { role: 'user', content: ' ' }] },
    { messages: [{ role: 'owner', content: 'x' }] },
    { messages: Array.from({ length: 101 }, () => user) },
  ])
    assertError(await service.post(path, body), 400, 'validation_failed')
  const messages = [user, { role: 'assistant', content: 'At nine.' }, { role: 'user', content: 'And in Hull?' }]
  const stream = await service.post(path, { messages }, { headers: { accept: 'text/event-stream' } })
  assert.match(stream.text, /half past ten/)
  assert.match(stream.text, /"rewrittenQuestion":"When does the museum in Hull open\?"/)
  const chat = await service.post<{ choices: { message: { content: string } }[] }>('/v1/chat/completions', {
    model: memoryId,
    messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
  })
  assert.match(chat.json.choices[0]?.message.content ?? '', /half past ten/)
})
