import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Explained, ExplainedHit } from './shapes.ts'
import { addText, addTexts, endOfJob, makeKey, makeMemory, readText, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const DOCUMENTS = [
  {
    title: 'Warranty terms',
    text: 'The warranty period for kettles is twelve months. It begins with the day of purchase.',
    tags: ['terms'],
    metadata: { team: 'sales' },
  },
  { title: 'Trains', text: 'Night trains have couchettes, which are booked beside the ticket.', tags: ['travel'] },
  { title: 'Chat', text: 'Ann: the kettles of the kitchen were descaled.' },
  { title: 'Chat', text: 'Ben: which kettles do you mean?' },
]
const QUERY = 'how long is the warranty period for "kettles"?'
let memoryId = ''
let ids: string[] = []

const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  const added = await addTexts(started, memoryId, DOCUMENTS)
  assertStatus(added, 200)
  ids = added.json.documentIds
})

async function explain(options: Record<string, unknown>, query = QUERY, memory = memoryId): Promise<Explained> {
  const answer = await service.post<Explained>(`/v1/memories/${memory}/find`, { query, options })
  assertStatus(answer, 200)
  return answer.json
}

function why(documentId: string | undefined, options: Record<string, unknown> = {}, query = QUERY) {
  return explain({ explainDocumentId: documentId, ...options }, query).then(({ explainedDocument }) => {
    assert.ok(explainedDocument)
    return explainedDocument
  })
}

function assertAddsUp({ score, explanation }: ExplainedHit): void {
  assert.ok(explanation)
  const sum = explanation.parts.reduce((total, { points }) => total + points, 0)
  assert.ok(Math.abs(sum - score) < 1e-5, `${JSON.stringify(explanation.parts)} is ${sum}, not ${score}`)
  for (const { share, weight, points, message } of explanation.parts) {
    assert.ok(message.endsWith('.'))
    if (share !== null && weight !== null) assert.ok(share >= 0 && weight >= 0 && points >= 0)
  }
}

test('the parts of every score are said in words and numbers, and add up to it', async () => {
  verifies('beyond.explain', 'beyond.explain.adds-up')
  for (const mode of ['hybrid', 'semantic', 'lexical', 'auto']) {
    const { hits } = await explain({ explain: true, mode })
    assert.ok(hits.length > 0)
    for (const hit of hits) assertAddsUp(hit)
  }
  const [hit] = (await explain({ explain: true })).hits
  const parts = Object.fromEntries(hit?.explanation?.parts.map((part) => [part.name, part]) ?? [])
  assert.deepEqual([parts['words']?.raw, parts['meaning']?.raw], [hit?.scores.lexical, hit?.scores.semantic])
  assert.ok((parts['title']?.points ?? 0) > 0 && (parts['phrase']?.points ?? 0) > 0)
  // Every part is scaled, weighted and scaled again by one common factor.
  const factors = Object.values(parts).map(({ share, weight, points }) => points / ((share ?? 0) * (weight ?? 0)))
  for (const factor of factors) assert.ok(Math.abs(factor - (factors[0] ?? 0)) < 1e-3)
  assert.match(hit?.explanation?.summary ?? '', /^0\.\d\d: .*lexical match 0\.\d\d.*\.$/)
})

test('every share can be had from its figure, and the best score from how well the query is answered at all', async () => {
  verifies('beyond.explain.scales', 'beyond.explain.adds-up')
  for (const mode of ['hybrid', 'semantic', 'lexical']) {
    const { hits } = await explain({ explain: true, mode })
    const { score, words, meaning, message } = hits[0]?.explanation?.top ?? assert.fail('there is no top')
    assertNear(score, hits[0]?.score ?? 0)
    assertNear(score, 1 - (1 - (words ?? 0)) * (1 - (meaning ?? 0)))
    assert.deepEqual([words === null, meaning === null], [mode === 'semantic', mode === 'lexical'])
    assert.match(message, /^Overall match /)
    for (const hit of hits) {
      assert.deepEqual(hit.explanation?.top, hits[0]?.explanation?.top)
      assertComputable(hit)
    }
  }
})

function assertNear(one: number, other: number): void {
  assert.ok(Math.abs(one - other) < 1e-4, `${one} is not ${other}`)
}

function assertComputable({ explanation }: ExplainedHit): void {
  const { score = 0, total = 0 } = explanation?.top ?? {}
  for (const { raw, zero, one, share, weight, points } of explanation?.parts ?? []) {
    assertNear(points, ((share ?? 0) * (weight ?? 0) * score) / total)
    if (raw !== null && zero !== null && one !== null)
      assertNear(share ?? 0, one > zero ? Math.max(0, (raw - zero) / (one - zero)) : 1)
  }
}

test('a hit with only common words says so', async () => {
  verifies('beyond.explain')
  const { hits } = await explain({ explain: true, mode: 'lexical' }, 'kettles')
  const { summary, parts, terms } = hits.at(-1)?.explanation ?? assert.fail('there is no explanation')
  assert.equal(terms[0]?.count, 1)
  assert.deepEqual([parts[0]?.name, parts[0]?.share, parts[0]?.raw], ['words', 0, parts[0]?.zero])
  assert.match(summary, /lexical match 0\.00, the lowest of all matches/)
})

test('matching terms are listed with their words, and the nearest window', async () => {
  verifies('beyond.explain')
  const [hit] = (await explain({ explain: true, mode: 'hybrid' })).hits
  const terms = hit?.explanation?.terms ?? []
  assert.deepEqual(
    terms.filter(({ count }) => count > 0).map(({ words }) => words.join()),
    ['warranty', 'period', 'kettles'],
  )
  const asked = terms.flatMap((term) => term.asked)
  assert.ok(asked.every((word) => QUERY.toLowerCase().includes(word)) && asked.includes('kettles'), asked.join())
  const { startOffset = 0, endOffset = 0 } = hit?.explanation?.window ?? {}
  const text = await readText(service, memoryId, hit?.documentId ?? '')
  assert.equal(text.slice(startOffset, endOffset), text)
})

test('nothing is explained where it was not asked for', async () => {
  verifies('beyond.explain')
  const plain = await explain({})
  assert.ok(plain.hits.every((hit) => !('explanation' in hit)) && !('explainedDocument' in plain))
  const asked = await explain({ explain: false, explainDocumentId: ids[0] })
  assert.ok(asked.hits.every((hit) => !('explanation' in hit)))
  const facts = ({ hits }: Explained) => hits.map(({ documentId, score }) => [documentId, score])
  assert.deepEqual(facts(asked), facts(plain))
})

test('a named document is a hit, or outranked with the scores', async () => {
  verifies('beyond.explain.document')
  const hit = await why(ids[0])
  assert.deepEqual([hit.reason, hit.rank, hit.title], ['hit', 1, 'Warranty terms'])
  assertAddsUp({ score: hit.score ?? 0, explanation: hit.explanation } as ExplainedHit)
  const last = await why(ids[1], { limit: 1 })
  assert.equal(last.reason, 'outranked')
  assert.ok((last.rank ?? 0) > 1 && (last.score ?? 1) < (last.neededScore ?? 0))
  assertAddsUp({ score: last.score ?? 0, explanation: last.explanation } as ExplainedHit)
})

test('a document excluded by the filter names the condition', async () => {
  verifies('beyond.explain.document')
  const filter = { tags: ['terms', 'new'], documentIds: [ids[1]], metadata: { team: 'people', year: 2026 } }
  const { reason, message } = await why(ids[0], { filter })
  assert.equal(reason, 'filtered_out')
  assert.match(message, /documentIds does not contain it; it has no tag "new"; /)
  assert.match(message, /"team" must be "people", but is "sales"; metadata "year" must be 2026, but is absent/)
})

test('a document without a word of the query is no candidate by words', async () => {
  verifies('beyond.explain.document')
  const { reason, message, legs } = await why(ids[1], { mode: 'lexical' }, 'kettles')
  assert.deepEqual([reason, legs], ['not_a_candidate', [{ leg: 'lexical', best: null, needed: null }]])
  assert.match(message, /Lexical: no passage contains a word of the query/)
})

test('a missing, foreign or malformed document is not found, without details', async () => {
  verifies('beyond.explain.document')
  const other = await makeMemory(service)
  const foreign = await addText(service, other, 'The warranty period for kettles is over.')
  const { key } = await makeKey(service, memoryId)
  for (const id of [foreign, 'doc_01m7yr0fdrf21vdwyrjzjpfjva', 'nonsense']) {
    const body = { query: QUERY, options: { explainDocumentId: id } }
    const answer = await service.call<Explained>('POST', `/v1/memories/${memoryId}/find`, { body, key })
    const { reason, title, message, score } = answer.json.explainedDocument ?? {}
    assert.deepEqual([reason, title, message, score], ['not_found', null, 'This memory has no such document.', null])
  }
  for (const wrong of ['', 7]) {
    const answer = await service.post(`/v1/memories/${memoryId}/find`, {
      query: 'a',
      options: { explainDocumentId: wrong },
    })
    assertError(answer, 400, 'validation_failed', 'options.explainDocumentId')
  }
})

test('a document that is not ready reports its state', async () => {
  verifies('beyond.explain.document')
  const own = await makeMemory(service)
  const file = { content: '{"cut": [1, 2', filename: 'cut.json', options: { async: true } }
  const accepted = await upload<Accepted>(service, own, file)
  assertStatus(accepted, 202)
  assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'failed')
  const { explainedDocument } = await explain({ explainDocumentId: accepted.json.documentIds[0] }, QUERY, own)
  assert.equal(explainedDocument?.reason, 'not_ready')
  assert.match(explainedDocument?.message ?? '', /Its status is failed: /)
})

test('a correction is explained by its rank, and one that does not match by what it lacks', async () => {
  verifies('beyond.explain', 'beyond.explain.adds-up', 'beyond.explain.document')
  const own = await makeMemory(service)
  await addText(service, own, 'The warranty period for kettles is twelve months.')
  const correct = async (statement: string, boost: number) =>
    (await service.post<{ id: string }>(`/v1/memories/${own}/correct`, { statement, boost })).json.id
  await correct('The warranty period for kettles is twenty-four months.', 2)
  await correct('The warranty period for kettles is three years.', 5)
  const lunch = await correct('The cafeteria serves soup on Tuesdays.', 2)
  const { hits, explainedDocument } = await explain({ explain: true, explainDocumentId: lunch }, QUERY, own)
  assert.deepEqual(
    hits.map(({ kind }) => kind),
    ['correction', 'correction', 'document'],
  )
  for (const hit of hits) assertAddsUp(hit)
  assert.match(hits[0]?.explanation?.parts[1]?.message ?? '', /^Rank 1 of 2 among corrections.*boost 5\.$/)
  assert.equal(explainedDocument?.reason, 'correction_not_matching')
})

test('a correction that does not match names the deciding rule', async () => {
  verifies('beyond.explain.document')
  const own = await makeMemory(service)
  const correct = async (statement: string) =>
    (await service.post<{ id: string }>(`/v1/memories/${own}/correct`, { statement })).json.id
  const room = await correct('The extension of room 8 is 3,708.')
  const russian = await correct('Парковка закрыта до конца мая, а не до июня.')
  const japanese = await correct('駐車場は六月ではなく、五月の終わりまで閉まっています。')
  const messageOf = async (explainDocumentId: string, query: string, mode = 'hybrid') => {
    const { explainedDocument } = await explain({ explainDocumentId, mode }, query, own)
    assert.equal(explainedDocument?.reason, 'correction_not_matching', query)
    return explainedDocument.message
  }
  assert.match(
    await messageOf(room, 'room 7'),
    /only its numbers differ: in a query of at most 3 words, the number must match/,
  )
  for (const mode of ['hybrid', 'lexical']) {
    const message = await messageOf(room, 'when was the lunch menu of 7 May in this building written?', mode)
    assert.match(message, /Its cosine is -?[\d.]+ \(required: 0\.6, or 0\.5 with a term coverage of 0\.4\)\.$/)
    assert.doesNotMatch(message, /number/)
  }
  assert.match(await messageOf(russian, 'Кто закрывает школу вечером?'), /its four-gram coverage is [\d.]+ \(required/)
  assert.match(
    await messageOf(japanese, '図書館の開館時間'),
    /its coverage of character pairs is [\d.]+ \(required: 0\.4/,
  )
})

test('a document after the candidates, or not read, has its scores and the required ones', async () => {
  verifies('beyond.explain.document')
  const own = await makeMemory(service)
  // The longer the text around the matching word, the lower the score.
  const documents = Array.from({ length: 300 }, (_, index) => {
    return {
      title: `Note ${index}`,
      text: `Descaling. ${'Nothing of any interest here. '.repeat(index + 1)}`.slice(0, 900),
    }
  })
  const short = documents.map((document, index) => ({
    ...document,
    text: `${document.text.slice(0, 12 + 3 * index)}.`,
  }))
  const { documentIds } = (await addTexts(service, own, short)).json
  const reasonOf = async (index: number) => {
    const options = { explainDocumentId: documentIds[index], mode: 'lexical' }
    const { explainedDocument } = await explain(options, 'descaling', own)
    assert.ok(explainedDocument)
    return explainedDocument
  }
  const behind = await reasonOf(299)
  assert.equal(behind.reason, 'not_a_candidate')
  const [leg] = behind.legs
  assert.ok((leg?.best ?? 0) > 0 && (leg?.best ?? 9) < (leg?.needed ?? 0), JSON.stringify(behind))
  const unread = await reasonOf(170)
  assert.deepEqual([unread.reason, unread.rank], ['not_read', null], JSON.stringify(unread))
  assert.equal((await reasonOf(60)).reason, 'outranked')
})
