import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'

const log = passage(
  '# Changes\n\n## 2.4.0 – 2 March 2026\n\n- Added dark mode.\n\n## 2.3.0 – 5 May 2025\n\n- Added a clock in 2025.',
)

test('a heading with the date is quoted with a sentence without it', () => {
  assert.deepEqual(quote('When was dark mode added?', [log]).quotes, ['## 2.4.0 – 2 March 2026', '- Added dark mode.'])
  assert.equal(quote('When was the clock added?', [log]).quotes[0], '- Added a clock in 2025.')
  assert.equal(quote('What was added beside the dark mode?', [log]).quotes[0], '- Added dark mode.')
})

test('outer headings cover the lines of inner headings', () => {
  const versions = passage(
    '# Changes\n\n## 2.4.0 – 2 March 2026\n\n### Added\n\n- Dark mode\n- Export to PDF\n\n### Fixed\n\n- Crash at the start\n\n## 2.3.0 – 5 May 2025\n\n### Added\n\n- A clock',
  )
  assert.deepEqual(quote('When was dark mode added?', [versions]).quotes, ['## 2.4.0 – 2 March 2026', '- Dark mode'])
  assert.deepEqual(quote('What is new in 2.4.0?', [versions]).quotes, [
    '- Dark mode\n- Export to PDF',
    '- Crash at the start',
  ])
  const policy = passage('## Not covered\n\n### Water\n\n- Damage by floods\n\n## Covered\n\n- Damage by fire')
  assert.deepEqual(quote('Are floods covered?', [policy]).quotes, ['## Not covered', '- Damage by floods'])
})

test('lines after an answer belong to the heading above the question', () => {
  const section = (name: string, price: number) =>
    `## ${name}\n\nWhere is it?\nIn room ${price}.\nA pass costs ${price} euros.`
  const guide = passage([section('Library', 4), section('Canteen', 7)].join('\n\n'))
  assert.deepEqual(quote('What does a pass for the canteen cost?', [guide]).quotes, ['A pass costs 7 euros.'])
})

test('a heading with the version is quoted with a sentence without it', () => {
  const version = 'Which version has the dark mode?'
  assert.deepEqual(quote(version, [log]).quotes, ['## 2.4.0 – 2 March 2026', '- Added dark mode.'])
  const mail = passage('The dark mode needs version 2.4 of the app. The dark mode was shown on 2 March 2026.')
  assert.deepEqual(quote(version, [mail]).quotes, ['The dark mode needs version 2.4 of the app.'])
})

test('a table header with the date is quoted with the row, without the heading above', () => {
  const sales = passage('## Sales\n\n| Item | 2025 |\n|---|---|\n| Red lamp | kept |\n| Green lamp | sold |')
  assert.deepEqual(quote('When was the green lamp sold?', [sales]).quotes, ['| Item | 2025 |', '| Green lamp | sold |'])
})

test('sentences without the expected kind are not quoted next to one with it', () => {
  const recipe = passage('Lentil soup takes 40 minutes. Lentil soup needs 250 g of lentils.', { title: 'Lentil soup' })
  assert.deepEqual(quote('How long does the lentil soup take?', [recipe]).quotes, ['Lentil soup takes 40 minutes.'])
})

test('a question for permission is answered by a permission or prohibition', () => {
  const course = passage('If you are ill on the day, bring a note. Calculators are allowed, phones are not.')
  assert.equal(
    quote('May I bring my phone to the exam?', [course]).quotes[0],
    'Calculators are allowed, phones are not.',
  )
})

test('a prohibiting heading is quoted with its sentences unless they say so', () => {
  const rules = passage(
    '## Not allowed\n\nLoud music. Pets of any kind. Smoking is forbidden.\n\n## Allowed\n\nCandles.',
  )
  assert.deepEqual(quote('Are pets allowed?', [rules]).quotes, ['## Not allowed', 'Pets of any kind.'])
  assert.deepEqual(quote('Are candles allowed?', [rules]).quotes, ['Candles.'])
  assert.deepEqual(quote('Is smoking allowed?', [rules]).quotes, ['Smoking is forbidden.'])
})

test('sentences that match the title only are not quoted next to the best one', () => {
  const notes = passage('## New\n\n- Search in attachments.\n\n## Upgrading\n\n1. Stop the service.', {
    title: 'Release 5',
  })
  assert.deepEqual(quote('What is new in release 5?', [notes]).quotes, ['- Search in attachments.'])
})

test('overlapping parts of a long list are quoted once', () => {
  const step =
    'Turn the brass valve by a quarter, wait until the hand of the gauge rests, and note what it shows in the log book.'
  const rest = '4. Bleed the pump at these:\n   - the upper screw\n   - the lower screw\n   - the hose'
  const end = `5. ${step}\n6. ${step}\n7. ${step}`
  const manual = passage(`To bleed the pump do this in order:\n\n1. ${step}\n2. ${step}\n3. ${step}\n${rest}\n${end}`)
  const { sentences } = ask('Where do I bleed the pump?', [manual])
  const ends = [0, ...sentences.map((sentence) => sentence.end)]
  assert.ok(sentences.every(({ start }, index) => start >= (ends[index] ?? 0)))
})

test('a sentence that two documents wrap differently is quoted once', () => {
  const [first, second] = ['Ann Lee ordered two red trailers for the harbour under order INV-', '20931 of the office.']
  const rest = 'The harbour office stands on the long quay beside the crane and the\nold lighthouse of the town.'
  const copies = [`${first}${second}`, `${first}\n${second}\n${rest}`].map((text) => passage(text))
  assert.deepEqual(quote('Who ordered the red trailers?', copies).quotes, [`${first}${second}`])
})

test('a value of a record is quoted once, with or without its name', () => {
  const invoice = passage(
    'invoices\ninvoice id: RE-17\ncustomer\nMeyer GmbH\nKöln\nname: Meyer GmbH\ncity: Köln\n\n12.50\n2026-12-01\ntotal: 12.50\ndue: 2026-12-01',
  )
  const { quotes } = quote('What is the total of the invoice of Meyer GmbH?', [invoice])
  assert.equal(quotes.filter((quote) => quote.includes('Meyer')).length, 1, quotes.join(' / '))
})

const SALES =
  '# Sales\n\nTotal sales were 900 tons in 2024, after 800 tons in 2023.\n\n| tons | 2024 | 2023 |\n|---|---|---|\n' +
  '| Apples | 300 | 250 |\n| Dried pears | 200 | 150 |\n| Total sales | 900 | 800 |'

test('a question about a row gets the row with its header, not the total', () => {
  const { quotes, sentences } = ask('What were the sales of dried pears in 2023?', [passage(SALES)])
  assert.deepEqual(quotes, ['| Dried pears | 200 | 150 |'])
  assert.equal(sentences[0]?.label, '| tons | 2024 | 2023 |')
  assert.match(quote('What were the total sales in 2023?', [passage(SALES)]).quotes[0] ?? '', /800/)
  const rest = passage('| Team | 14 euros | 20 |\n| Pro | 24 euros | 50 |', { section: '| Plan | Price | Users |' })
  const cut = ask('How much is the Pro plan?', [rest])
  assert.deepEqual([cut.quotes, cut.sentences[0]?.label], [['| Pro | 24 euros | 50 |'], '| Plan | Price | Users |'])
})

test('the whole list below the heading asked for is quoted, an item that is asked for alone', () => {
  const items = ['Jonas: churn numbers by 16 March', 'Mei: spike on sync', 'Olu: ask about cookies']
  for (const mark of ['- ', '1. ', '']) {
    const list = items.map((item, at) => `${mark.replace('1', `${at + 1}`)}${item}`).join('\n')
    const minutes = passage(`# Weekly, 4 March 2026\n\nPresent: Ana.\n\n## Actions\n\n${list}\n\n## Next\n\nFriday.`)
    assert.deepEqual(quote('What are the actions of the meeting on 4 March?', [minutes]).quotes, [list], mark)
    assert.match(quote('Which action does Mei have?', [minutes]).quotes.join(), /^[^\n]*Mei: spike on sync$/, mark)
  }
  const present = '- Ana Lima\n- Jonas Berg\n- Mei Tan\n- Olu Ade'
  assert.deepEqual(quote('Who was present?', [passage(`## Present\n\n${present}\n\n## Next\n\nFriday.`)]).quotes, [
    present,
  ])
})

test('a neighbor is quoted with a sentence that only repeats a part of the question', () => {
  const pairs = [
    ['Why was the Atlas project cancelled?', 'The Atlas project was cancelled in May.', 'The budget had run out.'],
    ['What do I do if the alarm rings at night?', 'The alarm may ring at night.', 'Call the guard then.'],
  ] as const
  for (const [question, first, second] of pairs) {
    assert.deepEqual(quote(question, [passage(`${first} ${second} All is well.`)]).quotes, [first, second], question)
  }
  const [[why, event, reason], [question, first, second]] = pairs
  assert.deepEqual(quote(question, [passage(`${first}\n\n${second}`)]).quotes, [first])
  assert.deepEqual(quote(why, [passage(`${event}\n\n${reason}`)]).quotes, [])
  const wrapped = passage(`${event}\nThe budget of the whole department had run out.\nAll is well.`)
  assert.equal(quote(why, [wrapped]).quotes[0], event)
})
