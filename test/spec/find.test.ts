import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Found, Hit } from './shapes.ts'
import { addText, addTexts, assertFields, find, makeMemory, readText, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const documents = [
  {
    title: 'P1 Playbook',
    text: 'P1 incidents are acknowledged within 10 minutes by the engineer on duty.',
    tags: ['ops', 'p1'],
    metadata: { team: 'support', year: 2026 },
  },
  {
    title: 'Travel policy',
    text: 'Employees book trains for journeys under four hours.',
    tags: ['hr'],
    metadata: { team: 'people', year: 2025 },
  },
  {
    title: 'Kitchen rules',
    text: 'Whoever empties the coffee machine fills it again.',
    tags: ['office', 'ops'],
    metadata: { team: 'people', draft: true },
  },
  { title: 'Error codes', text: 'The pump reports ERR_4012 when the inlet valve is blocked.', tags: [], metadata: {} },
  {
    title: 'Markup',
    text: 'Use <b>bold</b> & "quotes" for pump warnings only.',
    tags: ['docs'],
    metadata: { team: 'docs' },
  },
]
let memoryId = ''
let ids: string[] = []

const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  const added = await addTexts(started, memoryId, documents)
  assertStatus(added, 200)
  ids = added.json.documentIds
})

/** Asserts the rules for the hits of any find. */
async function assertHits(found: Found, memory = memoryId): Promise<void> {
  let last = 1
  for (const [index, hit] of found.hits.entries()) {
    assert.equal(hit.rank, index + 1)
    assert.ok(hit.score >= 0 && hit.score <= last, `score ${hit.score} at rank ${hit.rank} after ${last}`)
    last = hit.score
    assert.doesNotMatch(hit.text, /<\/?mark>/)
    assert.equal(hit.text, (await readText(service, memory, hit.documentId)).slice(hit.startOffset, hit.endOffset))
    assert.equal(hit.chunkId, `${hit.documentId}.${hit.chunkIndex}`)
  }
  assert.ok(found.totalHits >= found.hits.length)
}

const titles = (found: { hits: Hit[] }) => found.hits.map(({ title }) => title)

test('a find answers every field, and so does each hit', async () => {
  verifies('find.fields', 'find.hit-fields', 'find.scores', 'find.score', 'find.offsets', 'search.two-forms')
  const found = await find(service, memoryId, 'how fast do we acknowledge a P1?')
  assertFields(found, 'query', 'mode', 'totalHits', 'tookMs', 'hits', 'warnings')
  assert.equal(found.query, 'how fast do we acknowledge a P1?')
  const [hit] = found.hits
  assertFields(
    hit,
    'rank',
    'score',
    'scores',
    'kind',
    'documentId',
    'chunkId',
    'chunkIndex',
    'title',
    'filename',
    'url',
  )
  assertFields(
    hit,
    'text',
    'snippet',
    'page',
    'pageEnd',
    'section',
    'startOffset',
    'endOffset',
    'tags',
    'metadata',
    'createdAt',
  )
  assertFields(hit?.scores, 'lexical', 'semantic', 'fused', 'rerank', 'boost')
  assert.deepEqual(
    [hit?.documentId, hit?.title, hit?.kind, hit?.text, hit?.tags, hit?.metadata, hit?.scores.boost],
    [ids[0], 'P1 Playbook', 'document', documents[0]?.text, ['ops', 'p1'], documents[0]?.metadata, 1],
  )
  await assertHits(found)
})

test('a natural-language question finds its passage, though most of its words occur nowhere', async () => {
  verifies('find.terms-optional')
  const questions: [string, string][] = [
    ['Could you please tell me what I am supposed to do after emptying the coffee machine?', 'Kitchen rules'],
    ['which means of transport should employees choose for short journeys', 'Travel policy'],
    ['what on earth does the code ERR_4012 mean for my poor old washing machine', 'Error codes'],
  ]
  for (const [question, title] of questions) {
    for (const mode of ['auto', 'hybrid', 'lexical']) {
      assert.equal(
        titles(await find(service, memoryId, question, { options: { mode } }))[0],
        title,
        `${mode}: ${question}`,
      )
    }
  }
})

test('words common to every document are found by exact letters', async () => {
  verifies('find.terms-optional', 'find.scores')
  const often = await makeMemory(service, 'Often')
  const text = 'Otters play. Otters swim. Otters sleep. Otters eat. Otters dive.'
  await addTexts(service, often, [
    { title: 'One', text },
    { title: 'Two', text: `${text} Otters and gulls.` },
  ])
  for (const query of ['otters', 'otters and gulls']) {
    const found = await find(service, often, query, { options: { mode: 'lexical' } })
    assert.equal(found.hits.length, 2, query)
    for (const { scores } of found.hits) assert.ok((scores.lexical ?? -1) > 0)
  }
})

test('each mode runs as asked, and leaves the scores of what did not run null', async () => {
  verifies('find.mode', 'find.mode-ran', 'find.scores')
  const query = 'pump with a blocked inlet'
  for (const mode of ['hybrid', 'semantic', 'lexical']) {
    const found = await find(service, memoryId, query, { options: { mode } })
    assert.equal(found.mode, mode)
    assert.equal(found.hits[0]?.title, 'Error codes')
    await assertHits(found)
    for (const { scores } of found.hits) {
      if (mode === 'lexical') assert.equal(scores.semantic, null)
      if (mode === 'semantic') assert.equal(scores.lexical, null)
    }
  }
  const byAuto = await find(service, memoryId, query)
  assert.deepEqual(byAuto.mode, (await find(service, memoryId, query, { options: { mode: 'auto' } })).mode)
  assert.ok(['hybrid', 'semantic', 'lexical'].includes(byAuto.mode))
  assert.equal((await find(service, memoryId, 'ERR_4012')).hits[0]?.title, 'Error codes')
})

test('a match in the title alone scores as high as one in the text', async () => {
  verifies('find.scores')
  const { hits } = await find(service, memoryId, '"Kitchen rules"')
  assert.deepEqual([hits[0]?.title, hits[0]?.score], ['Kitchen rules', 1])
})

test('a query is a non-empty string', async () => {
  verifies('find.query', 'search.query')
  for (const path of ['find', 'search']) {
    for (const body of [{}, { query: '' }, { query: ' ' }, { query: '\u200b ' }, { query: null }, { query: ['x'] }]) {
      assertError(await service.post(`/v1/memories/${memoryId}/${path}`, body), 400, 'validation_failed', 'query')
    }
  }
})

test('ten hits come by default, topK and options.limit change it, options.limit over topK, at most 100', async () => {
  verifies('find.top-k', 'find.limit', 'find.limit-over-top-k', 'find.limit-max', 'limits.hits-default')
  const many = await makeMemory(service, 'Many')
  const batch = Array.from({ length: 120 }, (_, index) => ({
    title: `N${index}`,
    text: `Sparrow number ${index} sings.`,
  }))
  assertStatus(await addTexts(service, many, batch), 200)
  const count = async (more: Record<string, unknown>) => {
    const found = await find(service, many, 'sparrow sings', more)
    assert.ok(found.totalHits >= found.hits.length)
    assert.equal(new Set(found.hits.map(({ chunkId }) => chunkId)).size, found.hits.length)
    return found.hits.length
  }
  assert.deepEqual(await Promise.all([count({}), count({ topK: 3 }), count({ options: { limit: 4 } })]), [10, 3, 4])
  assert.deepEqual(await Promise.all([count({ topK: 3, options: { limit: 7 } }), count({ topK: 100 })]), [7, 100])
  for (const [body, param] of [
    [{ query: 'x', topK: 101 }, 'topK'],
    [{ query: 'x', topK: 0 }, 'topK'],
    [{ query: 'x', options: { limit: 101 } }, 'options.limit'],
  ] as const) {
    assertError(await service.post(`/v1/memories/${many}/find`, body), 400, 'validation_failed', param)
  }
})

test('documents below the requested score are left out and not counted', async () => {
  verifies('find.min-score')
  const query = 'P1 incidents pump'
  const all = await find(service, memoryId, query, { options: { minScore: 0 } })
  const [best, second] = all.hits
  assert.ok(best !== undefined && second !== undefined && best.score > second.score)
  const strict = await find(service, memoryId, query, { options: { minScore: best.score } })
  assert.deepEqual([titles(strict), strict.totalHits], [[best.title], 1])
  for (const minScore of [-0.1, 1.1, 'high'])
    assertError(
      await service.post(`/v1/memories/${memoryId}/find`, { query, options: { minScore } }),
      ...([400, 'validation_failed', 'options.minScore'] as const),
    )
})

test('copies are one hit with their number and hide no other passage, unless each is asked for', async () => {
  verifies('find.collapse-duplicates', 'find.copies-hide-nothing')
  const copied = await makeMemory(service, 'Copied')
  const text = 'In case of fire, leave the building and go to the assembly point in car park F.'
  const copies = Array.from({ length: 300 }, (_, index) => ({ title: 'Fire', text: `${text}${' '.repeat(index % 3)}` }))
  const amendment = { title: 'Amendment', text: `${text.replace('park F', 'park G')} This replaces the notice of May.` }
  for (const batch of [copies.slice(0, 150), copies.slice(150), [amendment]])
    assertStatus(await addTexts(service, copied, batch), 200)
  const query = 'Where is the assembly point in case of fire?'
  const found = await find(service, copied, query)
  assert.deepEqual(
    found.hits.map(({ title, duplicates }) => [title, duplicates]),
    [
      ['Fire', 299],
      ['Amendment', 0],
    ],
  )
  assert.equal(found.totalHits, 2)
  const each = await find(service, copied, query, { options: { collapseDuplicates: false } })
  assert.deepEqual(
    each.hits.map(({ title, duplicates }) => [title, duplicates]),
    Array.from({ length: 10 }, () => ['Fire', 0]),
  )
  const flag = { options: { collapseDuplicates: 'no' } }
  const refused = await service.post(`/v1/memories/${copied}/find`, { query, ...flag })
  assertError(refused, 400, 'validation_failed', 'options.collapseDuplicates')
})

test('a query that nothing matches has no hits', async () => {
  verifies('find.nothing-found')
  for (const query of ['xylograph zwieback', 'qwrtzpl', '😀', 'nobody@example.com', '甲状腺激素'])
    assert.deepEqual([(await find(service, memoryId, query)).totalHits, query], [0, query])
})

test('a date and a period find their other forms', async () => {
  verifies('find.date-forms')
  const dated = await makeMemory(service, 'Dated')
  await addTexts(service, dated, [
    { title: 'Boiler', text: 'The boiler was serviced on 21 March 2026.' },
    { title: 'Lift', text: 'The lift was serviced on 12 March 2026.' },
    { title: 'Sales', text: 'Sales of the fourth quarter of 2025 rose by 4 percent.' },
    { title: 'Réunion', text: 'Compte rendu de la réunion du 9 février 2026.' },
    { title: 'Bon', text: 'Bon de livraison du 19/02/2026, six cartons.' },
  ])
  for (const [query, title] of [
    ['serviced on 2026-03-21', 'Boiler'],
    ['serviced on 21.03.2026', 'Boiler'],
    ['serviced on 2026年3月12日', 'Lift'],
    ['sales Q4 2025', 'Sales'],
    ['19 février 2026', 'Bon'],
  ] as const)
    assert.equal(titles(await find(service, dated, query))[0], title, query)
})

test('matches are marked in the snippet only on request, also in other forms of the word', async () => {
  verifies('find.highlight', 'find.mark-in-snippet')
  const plain = await find(service, memoryId, 'acknowledging an incident')
  for (const hit of plain.hits) assert.doesNotMatch(hit.snippet, /<mark>/)
  const marked = await find(service, memoryId, 'acknowledging an incident', { options: { highlight: true } })
  assert.match(marked.hits[0]?.snippet ?? '', /<mark>incidents<\/mark>/)
  assert.match(marked.hits[0]?.snippet ?? '', /<mark>acknowledged<\/mark>/)
  await assertHits(marked)
})

test('everything else in a snippet is HTML-escaped, and text is clean', async () => {
  verifies('find.snippet-escaped', 'find.mark-in-snippet')
  const found = await find(service, memoryId, 'bold quotes for pump warnings', { options: { highlight: true } })
  const hit = found.hits.find(({ title }) => title === 'Markup')
  assert.equal(hit?.text, documents[4]?.text)
  const rest = (hit?.snippet ?? '').replaceAll(/<\/?mark>/g, '')
  assert.match(hit?.snippet ?? '', /<mark>/)
  assert.doesNotMatch(rest, /[<>]/)
  assert.match(rest, /&lt;b&gt;bold&lt;\/b&gt; &amp;/)
  const evil = await makeMemory(service, 'Evil')
  await addText(service, evil, '<img src=x onerror=alert(1)> <mark>alert</mark> <script>alert(2)</script>')
  const snippet = (await find(service, evil, 'alert script', { options: { highlight: true } })).hits[0]?.snippet ?? ''
  assert.doesNotMatch(snippet.replaceAll(/<\/?mark>/g, ''), /</)
})

test('filters by tags, documents and metadata narrow the hits', async () => {
  verifies('find.filter.tags', 'find.filter.document-ids', 'find.filter.metadata')
  const query = 'pump incidents coffee trains'
  const by = async (filter: Record<string, unknown>) => {
    const found = await find(service, memoryId, query, { options: { filter } })
    return titles(found).sort()
  }
  assert.deepEqual(await by({ tags: ['hr'] }), ['Travel policy'])
  assert.deepEqual(await by({ tags: ['p1', 'ops'] }), ['P1 Playbook'])
  assert.deepEqual(await by({ documentIds: [ids[1], ids[4]] }), ['Markup', 'Travel policy'])
  assert.deepEqual(await by({ metadata: { team: 'people' } }), ['Kitchen rules', 'Travel policy'])
  assert.deepEqual(await by({ metadata: { team: 'people', draft: true } }), ['Kitchen rules'])
  assert.deepEqual(await by({ metadata: { year: 2026 } }), ['P1 Playbook'])
  assert.deepEqual(await by({ tags: ['ops'], metadata: { team: 'people' } }), ['Kitchen rules'])
  assert.deepEqual(await by({ tags: ['none'] }), [])
  assert.deepEqual(await by({ documentIds: ['doc_01h455vb4pex5vsknk084sn02q', 'x'] }), [])
  assert.deepEqual(await by({ documentIds: [] }), [], 'who may see no document sees none')
  const { warnings } = await find(service, memoryId, query, { options: { filter: { documentIds: [] } } })
  assert.deepEqual(
    warnings.map(({ param }) => param),
    ['options.filter.documentIds'],
  )
  assert.ok((await by({ documentIds: null, tags: [], metadata: {} })).length > 3)
})

test('a filter matches the text of a tag or metadata as sent, even if stored differently', async () => {
  verifies('find.filter.tags', 'find.filter.metadata')
  const sent = 'a\u0000b'
  const odd = await makeMemory(service, 'Odd')
  const body = { documents: [{ text: 'The pump.', tags: [sent], metadata: { [sent]: sent } }] }
  assertStatus(await service.post(`/v1/memories/${odd}/documents`, body), 200)
  const filter = { tags: [sent], metadata: { [sent]: sent } }
  assert.equal((await find(service, odd, 'pump', { options: { filter } })).hits.length, 1)
  const listed = await service.get<{ total: number }>(`/v1/memories/${odd}/documents?tag=a%00b`)
  assert.equal(listed.json.total, 1)
})

test('SQL in a filter, a tag or a query is only data', async () => {
  verifies('find.filter.tags', 'find.filter.metadata', 'find.filter.document-ids')
  const hostile = ["' OR 1=1 --", "x'); DROP TABLE documents; --", '" OR ""="', '%', '\\', '😀\u0000']
  for (const text of hostile) {
    for (const filter of [
      { tags: [text] },
      { documentIds: [text] },
      { metadata: { team: text } },
      { metadata: { [text]: 'x' } },
    ]) {
      const answer = await service.post<Found>(`/v1/memories/${memoryId}/find`, { query: 'pump', options: { filter } })
      if (answer.status === 200) assert.deepEqual(answer.json.hits, [], JSON.stringify(filter))
      else assertError(answer, 400, 'validation_failed')
    }
    const answer = await service.post(`/v1/memories/${memoryId}/find`, { query: text })
    assert.ok([200, 400].includes(answer.status), answer.text)
  }
  assert.ok((await find(service, memoryId, 'pump')).hits.length >= 2)
})

test('a query of nothing but stop words, signs or one rare letter does no harm', async () => {
  verifies('find.query')
  for (const query of [
    'the of and',
    '???',
    '😀',
    'a',
    '"',
    '((((',
    'x'.repeat(5000),
    '日本',
    'AND OR NOT',
    'pump*^~:',
  ]) {
    await assertHits(await find(service, memoryId, query))
  }
})

test('a mode other than the one asked for is explained in the warnings', async () => {
  verifies('find.fall-back-warned', 'find.mode-ran')
  for (const query of ['???', 'the of and', 'qqzzxxyy', 'pump']) {
    for (const mode of ['hybrid', 'semantic', 'lexical']) {
      const found = await find(service, memoryId, query, { options: { mode } })
      if (found.mode !== mode) assert.ok(found.warnings.length > 0, `${mode} became ${found.mode} in silence`)
    }
  }
})

test('an empty memory answers no hits', async () => {
  verifies('find.fields')
  const empty = await makeMemory(service, 'Empty')
  for (const mode of ['auto', 'hybrid', 'semantic', 'lexical']) {
    const found = await find(service, empty, 'anything', { options: { mode } })
    assert.deepEqual([found.hits, found.totalHits], [[], 0])
  }
})

test('languages are found in their own forms, side by side in one memory', async () => {
  verifies('find.terms-optional', 'find.highlight')
  const mixed = await makeMemory(service, 'Languages')
  const batch = [
    { title: 'de', text: 'Die Rechnungen werden innerhalb von dreißig Tagen nach dem Eingang der Lieferung bezahlt.' },
    {
      title: 'fr',
      text: 'Les factures sont payées dans un délai de trente jours après la réception des marchandises.',
    },
    { title: 'es', text: 'Las bibliotecas municipales permanecen cerradas durante las fiestas de la primavera.' },
    { title: 'ru', text: 'Библиотеки города закрыты во время весенних праздников и открываются после них.' },
    { title: 'ja', text: '東京の図書館は春の祭りの間は閉まっています。' },
    { title: 'zh', text: '发票应在收到货物后三十天内支付。' },
  ]
  assertStatus(await addTexts(service, mixed, batch), 200)
  const rows = [
    ['Wann muss eine Rechnung bezahlt werden?', 'de'],
    ['paiement de la facture', 'fr'],
    ['biblioteca cerrada', 'es'],
    ['библиотека закрыта весной', 'ru'],
    ['図書館はいつ閉まりますか', 'ja'],
    ['发票什么时候支付', 'zh'],
  ] as const
  for (const [query, title] of rows) {
    const found = await find(service, mixed, query, { options: { highlight: true } })
    assert.equal(found.hits[0]?.title, title, query)
    assert.match(found.hits[0]?.snippet ?? '', /<mark>/, query)
  }
})

test('every chunk of a long file is exactly the slice its offsets say', async () => {
  verifies('find.offsets', 'find.hit-fields')
  const long = await makeMemory(service, 'Long')
  const section = (index: number) =>
    `## Part ${index}\n\n${`Sentence about topic${index} and 😀 more. `.repeat(60)}\n\n- item one\n- item two\n\n`
  const content = `# Manual\n\n${Array.from({ length: 12 }, (_, index) => section(index)).join('')}`
  await uploadReady(service, long, { content, filename: 'manual.md' })
  const found = await find(service, long, 'topic3 topic7', { options: { mode: 'hybrid', limit: 100 } })
  assert.ok(found.hits.length >= 4)
  await assertHits(found, long)
  assert.match(found.hits[0]?.section ?? '', /Part [37]/)
})

test('search is the simple form: query and limit, ten hits by default', async () => {
  verifies(
    'search.query',
    'search.limit',
    'search.defaults',
    'search.fields',
    'search.two-forms',
    'limits.hits-default',
  )
  const answer = await service.post<Found>(`/v1/memories/${memoryId}/search`, { query: 'acknowledge P1', limit: 2 })
  assertStatus(answer, 200)
  assertFields(answer.json, 'query', 'hits', 'totalHits', 'tookMs')
  const [hit] = answer.json.hits
  assertFields(hit, 'rank', 'score', 'documentId', 'chunkId', 'title', 'text', 'snippet', 'page')
  assert.deepEqual([hit?.rank, hit?.title, hit?.text], [1, 'P1 Playbook', documents[0]?.text])
  assert.ok(answer.json.hits.length <= 2)
  const many = await makeMemory(service, 'Simple')
  await addTexts(
    service,
    many,
    Array.from({ length: 15 }, (_, index) => ({ title: 'W', text: `Wren ${index} sings.` })),
  )
  assert.equal((await service.post<Found>(`/v1/memories/${many}/search`, { query: 'wren' })).json.hits.length, 10)
  for (const limit of [0, 101, '5']) {
    assertError(
      await service.post(`/v1/memories/${many}/search`, { query: 'x', limit }),
      400,
      'validation_failed',
      'limit',
    )
  }
})

test('for one word, passages with it rank before those with it only in the title', async () => {
  verifies('beyond.find.word-before-title')
  const memoryId = await makeMemory(service)
  const filling = 'Every room has a window, a lamp and two chairs, and its door is locked at night. '.repeat(30)
  await addText(service, memoryId, filling, { title: 'Kestrel house rules' })
  await addText(service, memoryId, `${filling}The kestrel on the roof is not to be fed. ${filling}`, {
    title: 'Letter',
  })
  for (const mode of ['hybrid', 'lexical']) {
    const { hits } = await find(service, memoryId, 'kestrel', { topK: 3, options: { mode } })
    assert.match(hits[0]?.text ?? '', /kestrel on the roof/, mode)
  }
})
