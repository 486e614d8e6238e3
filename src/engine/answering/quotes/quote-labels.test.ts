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
