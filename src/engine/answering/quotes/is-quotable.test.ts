import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'

test('an empty form field is no answer', () => {
  const form = passage('Harbour crane repaired by: ______________ on the ______ day.')
  assert.equal(ask('Who repaired the harbour crane?', [form]).answered, false)
})

test('a title, a heading and a table header are no answers, even with all words', () => {
  const text =
    'The harbour crane\n## Repairs of the harbour crane\n| Crane repairs | Cost |\n|---|---|\nIt got a new rope.'
  const crane = passage(text, {
    title: 'The harbour crane',
    section: 'The harbour crane > Repairs of the harbour crane',
  })
  const { quotes } = ask('What were the repairs of the harbour crane?', [crane])
  assert.deepEqual(quotes, ['It got a new rope.'])
  const plain = passage('Repairs of the harbour crane\n', { section: 'Repairs of the harbour crane' })
  assert.equal(ask('What were the repairs of the harbour crane?', [plain]).answered, false)
})

test('a heading with a date answers when', () => {
  const changes = passage(
    '## 4.2.1 (2024-06-11)\nFixed a memory leak of the watcher.\n## 4.2.0 (2024-05-28)\nAdded Windows.',
    {
      title: 'Changelog of Tern',
    },
  )
  assert.equal(quote('When was Tern 4.2.1 released?', [changes]).quotes[0], '## 4.2.1 (2024-06-11)')
  assert.equal(quote('What was fixed in Tern 4.2.1?', [changes]).quotes[0], 'Fixed a memory leak of the watcher.')
})

test('a sentence without the expected kind is no answer', () => {
  const crane = passage('The harbour crane was painted with green lead paint. The harbour lies below the hill.')
  for (const question of ['When was the harbour crane painted?', 'How often was the harbour crane painted?']) {
    assert.equal(ask(question, [crane]).answered, false, question)
  }
  const priced = passage('The Falk drill comes with a two-year warranty. The Falk drill needs 30 minutes for a charge.')
  assert.equal(ask('How much does the Falk drill cost?', [priced]).answered, false)
  assert.deepEqual(quote('How much does the Falk drill cost?', [passage('Falk drill: 149.90')]).quotes, [
    'Falk drill: 149.90',
  ])
  assert.equal(ask('What was the harbour crane painted with?', [crane]).answered, true)
  const crew = passage('The harbour crane was painted with lead. The harbour crane was painted by the night crew.')
  assert.deepEqual(quote('Who painted the harbour crane?', [crew]).quotes, [
    'The harbour crane was painted by the night crew.',
  ])
  const refund = passage('Refunds go back to the card that paid, within five working days.')
  assert.equal(ask('When do refunds go back to the card?', [refund]).answered, true)
})

test('the header of a table drawn with spaces is no answer', () => {
  const table = passage(
    'Invoice of May\n\nItem          Amount of tax     Amount\nPlants        7.80              78.00',
  )
  assert.ok(!quote('What is the amount of tax on plants?', [table]).quotes.some((quote) => quote.startsWith('Item')))
})

test('a first line with content is quotable, also above a label, and so is a table row', () => {
  const green = passage('Anna likes green tea\nBen: he likes milk')
  assert.equal(quote('What does Anna like?', [green]).quotes[0], 'Anna likes green tea')
  const blue = passage('VISITORS WAIT IN THE BLUE ROOM\nBreakfast is at the quay.')
  assert.equal(quote('Which room is for visitors?', [blue]).quotes[0], 'VISITORS WAIT IN THE BLUE ROOM')
  const table = passage('Name         Role       Room\nAda Byron    director   none\nBen Okafor   clerk      4')
  assert.equal(quote('Who is the director?', [table]).quotes[0], 'Ada Byron    director   none')
})

test('tables of contents, fences, data and program statements are no answers', () => {
  const text = [
    '- [What happens when the disk is full?](#disk)',
    '',
    'Writes to the disk are refused.',
    '',
    '```ts',
    'if (disk.isFull) throw new DiskFull("disk is full")',
    '```',
    '```json',
    '{"disk":"full","happens":["disk is full"],',
    '"disk":"full"}',
    '```',
  ].join('\n')
  assert.deepEqual(quote('What happens when the disk is full?', [passage(text)]).quotes, [
    'Writes to the disk are refused.',
  ])
  const end = text.slice(text.indexOf('{'))
  assert.equal(ask('What happens when the disk is full?', [passage(`${end}\n\n\`\`\`sh\ndf\n\`\`\``)]).answered, false)
})

test('a number in a name is neither price nor weight, and a name alone answers no question about features', () => {
  const manual = passage('Manual of the Aroma 5\n\nRinse the tank.\nThe Aroma brews fast.\nPower: 900 W')
  assert.equal(ask('What does the Aroma cost?', [manual]).answered, false)
  assert.deepEqual(quote('How many watts has the Aroma?', [manual]).quotes, ['Power: 900 W'])
  assert.equal(ask('Does the Aroma have a grinder?', [manual]).answered, false)
  assert.equal(quote('Does the Aroma have a tank?', [manual]).quotes[0], 'Rinse the tank.')
})

test('opening hours answer no question for closed days, nor the other way round', () => {
  const museums = [
    [
      'en',
      'The museum is open from 10:00 to 18:00. It is closed on Mondays.',
      'Until what time is the museum open?',
      'Which day is the museum closed?',
    ],
    [
      'en',
      'Opening hours of the museum: 10:00 to 18:00. Closed on Mondays.',
      'When does the museum close?',
      'When is the museum closed?',
    ],
    [
      'de',
      'Das Museum ist von 10 bis 18 Uhr geöffnet. Montags ist es geschlossen.',
      'Bis wie viel Uhr ist das Museum geöffnet?',
      'An welchem Tag ist das Museum geschlossen?',
    ],
    [
      'fr',
      'Le musée est ouvert de 10 h à 18 h. Il est fermé le lundi.',
      "Jusqu'à quelle heure le musée est-il ouvert ?",
      'Quel jour le musée est-il fermé ?',
    ],
    [
      'es',
      'El museo abre de 10:00 a 18:00. Los lunes está cerrado.',
      '¿Hasta qué hora abre el museo?',
      '¿Qué día está cerrado el museo?',
    ],
    [
      'it',
      'Il museo è aperto dalle 10 alle 18. Il lunedì il museo è chiuso.',
      'Fino a che ora è aperto il museo?',
      'Quale giorno è chiuso il museo?',
    ],
    [
      'nl',
      'Het museum is open van 10:00 tot 18:00. Op maandag is het gesloten.',
      'Tot hoe laat is het museum open?',
      'Welke dag is het museum gesloten?',
    ],
    [
      'ru',
      'Музей открыт с 10:00 до 18:00. В понедельник музей закрыт.',
      'До скольки открыт музей?',
      'В какой день музей закрыт?',
    ],
  ] as const
  for (const [language, text, open, closed] of museums) {
    const [hours, days] = passage(text).sentences.map(({ start, end }) => text.slice(start, end))
    assert.deepEqual(quote(open, [passage(text)], language).quotes, [hours], open)
    assert.deepEqual(quote(closed, [passage(text)], language).quotes, [days], closed)
  }
  const library = passage('The library is open from 10 to 18. It is closed on Mondays.')
  assert.ok(quote('Is the library open on Mondays?', [library]).quotes.includes('It is closed on Mondays.'))
})

test('who is not answered by the person of the question, nor by a month', () => {
  const cases = [
    [
      'en',
      'Priya is on holiday from 1 to 19 June. Tomasz is on call for her.',
      'Who is on call while Priya is on holiday?',
      'Tomasz is on call for her.',
    ],
    [
      'en',
      'Mara is ill until Friday. Ben Okafor takes her classes.',
      'Who takes the classes while Mara is ill?',
      'Ben Okafor takes her classes.',
    ],
    [
      'de',
      'Priya ist vom 1. bis 19. Juni im Urlaub. Tomasz vertritt sie.',
      'Wer vertritt Priya im Urlaub?',
      'Tomasz vertritt sie.',
    ],
  ] as const
  for (const [language, text, question, answer] of cases)
    assert.deepEqual(quote(question, [passage(text)], language).quotes, [answer], question)
  assert.deepEqual(quote('Who is Priya?', [passage('Priya runs the library.')]).quotes, ['Priya runs the library.'])
})

test('a sentence that only repeats the question answers no question for a value', () => {
  const mail = passage('From: ann@harbour.example Sent: Thursday, 6 May 2027\nSubject: The red crane\n\nIt is shut.')
  assert.deepEqual(quote('When was the mail with the subject red crane sent?', [mail]).quotes, [
    'From: ann@harbour.example Sent: Thursday, 6 May 2027',
  ])
  const deck = passage('Money for harbours\n\nThird Harbour Forum\n\nThe next slide is empty.')
  assert.equal(ask('Where does the speaker of the Third Harbour Forum work?', [deck]).answered, false)
  const notes = passage('## 2.4.0 – 2 March 2026\n\n- Dark mode')
  assert.deepEqual(quote('When was the dark mode added?', [notes]).quotes.slice(-1), ['- Dark mode'])
})

test('a number word that is a stop word of its language answers how many', () => {
  const cases = [
    ['de', 'Sieben Räder wurden gestohlen.', 'Wie viele Räder wurden gestohlen?'],
    ['it', 'Sei finestre sono state sostituite.', 'Quante finestre sono state sostituite?'],
  ] as const
  for (const [language, text, question] of cases)
    assert.deepEqual(ask(question, [passage(text)], language).quotes, [text], question)
  assert.equal(ask('Wie viele Räder wurden gestohlen?', [passage('Räder wurden gestohlen.')], 'de').answered, false)
})

test('a number before the noun that it counts is no year', () => {
  const fibre = passage('In 1500 homes the meters were replaced. In 1900 the old ones had been new.')
  assert.deepEqual(quote('In how many homes were the meters replaced?', [fibre]).quotes, [
    'In 1500 homes the meters were replaced.',
  ])
  const last = passage('The meters were replaced in 1500 homes.')
  assert.equal(ask('When were the meters replaced?', [last]).answered, false)
  assert.deepEqual(quote('When had the old ones been new?', [fibre]).quotes, ['In 1900 the old ones had been new.'])
})

test('a round year is a date, whatever word follows', () => {
  const cases = [
    ['en', 'When did Ostrel open its first mill?', 'In 1800 Ostrel opened its first mill in Kelby.'],
    ['en', 'When was the viaduct built?', 'Around 1900 masons built the viaduct.'],
    ['de', 'Wann errichtete die Gemeinde den Brunnen?', '1700 errichtete die Gemeinde den Brunnen.'],
    ['es', '¿Cuándo cerró la fábrica?', 'En 2000 cerró la fábrica.'],
  ] as const
  for (const [language, question, text] of cases)
    assert.deepEqual(ask(question, [passage(text)], language).quotes, [text], question)
})

test('a sentence alone without a reason does not answer why', () => {
  const note = passage('- Ann Lee is away.\n- The ferry trip was cancelled.')
  assert.equal(ask('Why was the ferry trip cancelled?', [note]).answered, false)
  const reason = 'The ferry trip was cancelled because of fog.'
  assert.deepEqual(ask('Why was the ferry trip cancelled?', [passage(`- Ann Lee is away.\n- ${reason}`)]).quotes, [
    `- ${reason}`,
  ])
})

test('a reason needs no listed word in Japanese, and in languages without a list', () => {
  for (const text of ['船は霧で欠航した。', '霧だから、船は欠航した。'])
    assert.deepEqual(quote('なぜ船は欠航したのですか。', [passage(text)], 'ja').quotes, [text])
  const swedish = 'Atlas blev cancelled när dimman låg tät över hela hamnen och ingen kunde se.'
  assert.deepEqual(quote('Why was Atlas cancelled?', [passage(swedish)], 'sv').quotes, [swedish])
})

test('a thing that has it is no answer to the question which one has not', () => {
  const rates = passage('## Basic rate\n\nDeposit 50 euros.\n\n## Club rate\n\nBreakfast is served at 8.')
  assert.deepEqual(ask('Which rate has no deposit?', [rates]).quotes, [])
  const tents = passage('The red tent has no floor. The blue tent has a floor.')
  assert.deepEqual(ask('Which tent has no floor?', [tents]).quotes, ['The red tent has no floor.'])
})

test('"how often" is answered by a repetition without a figure', () => {
  const declined = [
    ['How often does the bus stop?', 'The bus stops at every village.'],
    ['How often are the stairs cleaned?', 'The monthly rent includes cleaning of the stairs.'],
    ['How often does the board meet?', 'The board meets every candidate.'],
  ]
  for (const [question = '', text = ''] of declined)
    assert.equal(ask(question, [passage(text)]).answered, false, question)
  const plants = passage('The ferns are watered every evening. The cacti are watered once a month.')
  assert.deepEqual(ask('How often are the ferns watered?', [plants]).quotes, ['The ferns are watered every evening.'])
})
