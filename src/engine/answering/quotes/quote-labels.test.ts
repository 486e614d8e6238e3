import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'
import type { Passage } from '../passage.ts'
import { isTableHead } from '../table-rows.ts'

function labelsOf(question: string, passages: readonly Passage[], language = 'en'): string[] {
  const { sentences, quotes } = quote(question, passages, language)
  return sentences.map(({ label }, at) => (label === null ? (quotes[at] ?? '') : `${label}: ${quotes[at]}`))
}

test('a heading that answers is the label of the quote', () => {
  const plans = (inner: string) =>
    passage(`# Plans\n\n## Starter\n\n${inner}5 euros a month.\n\n## Team\n\n${inner}14 euros a month. Audit log.`)
  assert.deepEqual(labelsOf('Which plan has an audit log?', [plans('')]), ['Team: Audit log.'])
  assert.deepEqual(labelsOf('Which plan has an audit log?', [plans('### Included\n\n')]), [
    'Team – Included: Audit log.',
  ])
  const rooms = passage(
    '## Zimmer Elbe\n\nBlick auf den Hof.\n\n## Zimmer Alster\n\nBlick auf den See. Balkon vorhanden.',
  )
  assert.deepEqual(labelsOf('Welches Zimmer hat einen Balkon?', [rooms], 'de'), ['Zimmer Alster: Balkon vorhanden.'])
  const outside = passage('Audit log.', { section: 'Plans > Team', title: 'Plans' })
  assert.deepEqual(labelsOf('Which plan has an audit log?', [outside]), ['Team: Audit log.'])
})

test('a title that answers is the label, unless the quote names the thing', () => {
  const printer = (name: string, dpi: number) =>
    passage(`Label printer. Resolution: ${dpi} dpi.`, { title: `Orion ${name}` })
  const printers = [printer('X200', 203), printer('X300', 300)]
  assert.equal(labelsOf('Which printer has 300 dpi?', printers)[0], 'Orion X300: Resolution: 300 dpi.')
  const named = passage('The printer X300 has 300 dpi.', { title: 'Orion X300' })
  assert.deepEqual(labelsOf('Which printer has 300 dpi?', [named]), ['The printer X300 has 300 dpi.'])
  const crane = passage('The crane was built in 1987.', { title: 'Harbour' })
  assert.deepEqual(labelsOf('When was the crane built?', [crane]), ['The crane was built in 1987.'])
})

test('quotes of different titles or headings have labels', () => {
  const printers = ['X200', 'X300'].map((title, at) =>
    passage(`Resolution: ${at + 2}00 dpi.`, { title, score: 1 - at / 20 }),
  )
  assert.deepEqual(labelsOf('What is the resolution?', printers), [
    'X200: Resolution: 200 dpi.',
    'X300: Resolution: 300 dpi.',
  ])
  const lease = passage(
    '## Termination by the landlord\n\nThe notice is six months.\n\n## Termination by the tenant\n\nThe notice is three months.',
  )
  assert.deepEqual(labelsOf('What is the notice for termination?', [lease]), [
    'Termination by the landlord: The notice is six months.',
    'Termination by the tenant: The notice is three months.',
  ])
})

test('a heading that limits what is said is the label, one that the question has is none', () => {
  const lease = passage(
    '## Notice of termination by the tenant\n\nThree months to the end of a month.\n\n## Deposit\n\nNone is paid.',
  )
  assert.deepEqual(labelsOf('How long is the notice of termination?', [lease]), [
    'Notice of termination by the tenant: Three months to the end of a month.',
  ])
  assert.deepEqual(labelsOf('How long is the notice of termination by the tenant?', [lease]), [
    'Three months to the end of a month.',
  ])
})

test('a message that answers who is labelled with its speaker', () => {
  const chat = passage('Maya Lind 09:12\nThe pump leaks again.\n\nTobias Kern 09:14\nI fixed the pump at noon.\n')
  assert.deepEqual(labelsOf('Who fixed the pump?', [chat]), ['Tobias Kern: I fixed the pump at noon.'])
})

test('a table that is quoted whole has its header once', () => {
  const table =
    '| setting | default | allowed |\n|---|---|---|\n| `HOST` | `::1` | any |\n| `PORT` | `80` | `0` to `99` |'
  const { quotes, sentences } = quote('Which settings of the service are there?', [passage(`## Service\n\n${table}\n`)])
  assert.deepEqual([quotes, sentences[0]?.label], [[table], null])
})

test('a row of a sheet or of a table in a document is read with its header', () => {
  const sheet = passage(
    'Stock\n\nVariety | Crates | Price EUR\nSmyrna | 18204 | 2.15\nChampion | 11873 | 1.95\n\nThe stock is counted in May.',
  )
  for (const question of ['What is the price of Champion?', 'How many crates of Champion?']) {
    const { answered, quotes, sentences } = ask(question, [sheet])
    assert.deepEqual([answered, quotes], [true, ['Champion | 11873 | 1.95']], question)
    assert.equal(sentences[0]?.label, 'Variety | Crates | Price EUR')
  }
  assert.equal(ask('What is the price of Conference?', [sheet]).answered, false)
  const page = passage('Home | Shop | Help\nHarbour | Opening hours 2026\n\nThe harbour office opens at nine.')
  assert.ok(ask('When does the harbour office open?', [page]).sentences.every(({ label }) => label === null))
  assert.ok(!isTableHead(page, 0))
})

test('the heading names the thing in languages whose interrogatives are anywhere', () => {
  const rooms: [question: string, text: string, said: string, language: string][] = [
    ['哪个房间有阳台？', '## 单人间\n\n有书桌。\n\n## 双人间\n\n有阳台。', '双人间: 有阳台。', 'zh'],
    [
      '발코니가 있는 방은 어느 방입니까?',
      '## 매화방\n\n책상이 있습니다.\n\n## 난초방\n\n발코니가 있습니다.',
      '난초방: 발코니가 있습니다.',
      'ko',
    ],
  ]
  rooms.push(
    [
      '哪个班的老师是李明？',
      '# 二班\n\n隔壁一班的老师是李明。\n\n# 三班\n\n老师是王芳。',
      '隔壁一班的老师是李明。',
      'zh',
    ],
    [
      '어느 방에 발코니가 있습니까?',
      '## 주의\n\n조용히 하세요. 매화방에 발코니가 있습니다.',
      '매화방에 발코니가 있습니다.',
      'ko',
    ],
  )
  for (const [question, text, said, language] of rooms)
    assert.deepEqual(labelsOf(question, [passage(text)], language), [said], question)
})

test('the person of a heading is named by "who", if the text below has no subject', () => {
  const team = passage(
    '## Ines Falk\n\nOrders paper and ink. Usually in on Mondays.\n\n## Omar Reis\n\nSigns contracts. Works from Hull.',
  )
  assert.deepEqual(labelsOf('Who signs contracts?', [team]), ['Omar Reis: Signs contracts.'])
  assert.equal(ask('Who signs invoices?', [team]).answered, false)
  const rules = passage(
    '## Leave Policy\n\nRequests are signed in a week.\n\n## Payment Terms\n\nInvoices are paid in May.',
  )
  assert.equal(ask('Who signs requests?', [rules]).answered, false)
})

test('the name in bold that begins the line of a later sentence is the label', () => {
  const cheese = passage(
    '# Cheese\n\n**Brava** – made of goat milk. Keeps for a month.\n\n**Tilo** – made of cow milk. Melts well.',
  )
  assert.deepEqual(labelsOf('Which cheese melts well?', [cheese]), ['Tilo: Melts well.'])
})
