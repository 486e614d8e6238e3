import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce } from '../../pacing/in-turns.ts'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { type AskedQuestion, answerExtractively, type ExtractiveAnswer } from './answer-extractively.ts'
import type { Passage } from './passage.ts'
import { splitSentences } from './split-sentences.ts'

const analyzer = createAnalyzer()

function passage(text: string, more: Partial<Passage> = {}): Passage {
  return {
    text,
    startOffset: 0,
    title: null,
    section: null,
    score: 1,
    sentences: splitSentences(text),
    vectors: null,
    semantic: null,
    ...more,
  }
}

function answerAtOnce(question: AskedQuestion, passages: readonly Passage[]): ExtractiveAnswer {
  return atOnce(answerExtractively(analyzer, question, passages))
}

function ask(text: string, passages: readonly Passage[], ...languages: string[]) {
  const answer = answerAtOnce({ text, languages: languages.length > 0 ? languages : ['en'], vector: null }, passages)
  return { ...answer, quotes: quotesOf(answer, passages) }
}

function quotesOf({ sentences }: ExtractiveAnswer, passages: readonly Passage[]): string[] {
  return sentences.map(({ passage: index, start, end }) => passages[index]?.text.slice(start, end) ?? '')
}

const HARBOUR = passage(
  'The harbour office stands on Quay Street. The harbour crane was built by Mara Lindqvist. ' +
    'It was repaired in 1987 after a storm. The harbour crane lifts up to 40 tons. Visitors need a pass.',
)
const CANTEEN = passage('The canteen serves soup. Lunch costs nine euros on weekdays.', { score: 0.6 })

test('the sentence with the kind of thing that is asked for is the best', () => {
  assert.equal(
    ask('Who built the harbour crane?', [HARBOUR, CANTEEN]).quotes[0],
    'The harbour crane was built by Mara Lindqvist.',
  )
  assert.equal(
    ask('How many tons does the harbour crane lift?', [HARBOUR, CANTEEN]).quotes[0],
    'The harbour crane lifts up to 40 tons.',
  )
})

test('a line of a form that nobody filled in is no answer', () => {
  const form = passage('Harbour crane repaired by: ______________ on the ______ day.')
  assert.equal(ask('Who repaired the harbour crane?', [form]).answered, false)
})

test('a title, a heading and the head of a table are no answers, however well their words fit', () => {
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

const FAQ =
  'How do I change my email address?\nGo to Profile and choose Edit.\n\nWhere are my files stored?\nOn servers in Ireland.\n\n' +
  'How can I delete my account?\nWrite to us. Deletion takes up to 30 days.'

test('what follows a question is the answer, and the question none', () => {
  const written = [
    FAQ,
    FAQ.replace(/^(.+\?)\n/gm, 'Q: $1\nA: '),
    FAQ.replace(/^(.+\?)\n/gm, '- $1\n  '),
    FAQ.replace(/^(.+\?)\n/gm, '## $1\n\n'),
    FAQ.replaceAll('?\n', '? '),
  ]
  for (const text of written) {
    const faq = passage(text)
    assert.deepEqual(
      ask('Where are my files stored?', [faq]).quotes.map((quote) => quote.replace('A: ', '')),
      ['On servers in Ireland.'],
      text,
    )
    assert.match(ask('How can I delete my account?', [faq]).quotes[0] ?? '', /^(?:A: )?Write to us\.$/, text)
  }
  const title = passage('Write to us. Deletion takes up to 30 days.', { title: 'How can I delete my account?' })
  assert.equal(ask('How can I delete my account?', [title]).quotes[0], 'Write to us.')
  assert.equal(ask('Where are my files stored?', [passage('Where are my files stored?')]).answered, false)
  const doubtful = passage('The files are stored on servers in Ireland (?)')
  assert.equal(ask('Where are the files stored?', [doubtful]).answered, true)
})

test('a heading is that of all that stands below it, and a question that of its line', () => {
  const fairs = passage(
    '## Winter fair\nTom runs it. It is on the quay.\nIt begins on 3 December.\n\n' +
      '## Summer fair\nIngrid runs it. It is on the field.\nIt begins on 27 June.',
    { title: 'Fairs of the school', section: 'Fairs of the school' },
  )
  assert.equal(ask('When does the summer fair begin?', [fairs]).quotes[0], 'It begins on 27 June.')
  const boat = passage(
    '# A new rescue boat\n\nThe rescue boat is nineteen years old. The meeting voted for one of 23,500 euros.',
    { title: 'Minutes', section: 'Minutes' },
  )
  assert.deepEqual(ask('How old is the rescue boat?', [boat]).quotes, ['The rescue boat is nineteen years old.'])
  const releases = passage('# Changes\n\n## 3.2.0 (2025-11-12)\n\n- Search\n\n## 3.1.0 (2025-06-30)\n\n- Start', {
    title: 'Changes',
    section: 'Changes',
  })
  assert.deepEqual(ask('When was 3.2.0 released?', [releases]).quotes, ['## 3.2.0 (2025-11-12)'])
  const chat = passage('Lena: who has the key of the shed?\nOmar: Ada. She sits in room 4.\nBen: Eva sings.')
  assert.ok(!ask('Who has the key of the shed?', [chat]).quotes.includes('Ben: Eva sings.'))
})

test('what follows a question answers in chats, interviews and other languages as well', () => {
  const chat =
    '[09:02] Lena: when do we ship 4.2?\n[09:03] Omar: Thursday, if QA signs off\n[09:05] Lena: who writes it?\n'
  const asked: [string, string, string, string][] = [
    ['en', chat, 'When do we ship 4.2?', '[09:03] Omar: Thursday, if QA signs off'],
    ['de', 'Wann wird abgebucht?\nAm dritten Werktag.\n', 'Wann wird abgebucht?', 'Am dritten Werktag.'],
    ['es', '¿Cuándo llega el pedido?\nEn cinco días.\n', '¿Cuándo llega el pedido?', 'En cinco días.'],
    ['zh', '问：如何修改密码？\n答：打开设置。\n', '如何修改密码？', '答：打开设置。'],
    ['ar', 'س: متى يصل الطلب؟\nج: خلال خمسة أيام.\n', 'متى يصل الطلب؟', 'ج: خلال خمسة أيام.'],
    ['el', 'Πότε φτάνει η παραγγελία;\nΣε πέντε ημέρες.\n', 'Πότε φτάνει η παραγγελία;', 'Σε πέντε ημέρες.'],
  ]
  for (const [language, text, question, answer] of asked) {
    assert.deepEqual(ask(question, [passage(text)], language).quotes, [answer], question)
  }
})

test('who asks for one number of a thing is not told of another', () => {
  const orders = [8812, 8830].map((order) =>
    passage(`Order ${order} was placed on 3 March 2026 by Mara. Status: open.`, { title: `Order ${order}` }),
  )
  const errors = passage('Error 12: paper jam. Open the rear cover. Error 14: toner empty. Error 15: drum worn out.')
  const windows = passage('Windows 10 is no longer supported since May.')
  const invoice = passage('Invoice date: 17 April 2026\nTotal: £1,488.00', { title: 'Invoice 2026-0417' })
  const german = passage('Die Bestellung 8830 wurde am 3. März aufgegeben.')
  assert.deepEqual(ask('When was order 8830 placed?', orders).quotes, [
    'Order 8830 was placed on 3 March 2026 by Mara.',
  ])
  assert.deepEqual(ask('What is error 14?', [errors]).quotes, ['Error 14: toner empty.'])
  assert.equal(ask('When was order 8899 placed?', orders).answered, false)
  assert.equal(ask('What is the status of order 8899?', orders).answered, false)
  assert.equal(ask('What is error 13?', [errors]).answered, false)
  assert.equal(ask('Is Windows 11 supported?', [windows]).answered, false)
  const cache = passage('Error CS-1107 is caused by a full cache.')
  assert.equal(ask('What causes error CS-1109?', [cache]).answered, false)
  assert.equal(ask('What is the total of invoice 2026-0999?', [invoice]).answered, false)
  assert.equal(ask('Wann wurden die Bestellungen 8899 aufgegeben?', [german], 'de').answered, false)
})

test('who asks of one year or name is not told of another', () => {
  const leave = passage('In 2024 staff get 25 days of paid leave. Unused days go over until March 2025.')
  const lake = passage('It has an area of 14 square kilometres. A ferry crosses the lake.', { title: 'Lake Ardal' })
  const gallery = passage('Customer: Gallery Miró, Barcelona\nCustomer number: K-20817')
  const minutes = passage('Present at the meeting: Helena Voss (chair).', { title: 'Meeting of 12 June 2024' })
  assert.equal(ask('How many days of paid leave do staff get in 2024?', [leave]).answered, true)
  assert.equal(ask('How many days of paid leave do staff get in 2023?', [leave]).answered, false)
  assert.equal(ask('What area has Lake Ardal?', [lake]).answered, true)
  assert.equal(ask('What area has Lake Morven?', [lake]).answered, false)
  assert.equal(ask('What is the customer number of Gallery Miró?', [gallery]).answered, true)
  assert.equal(ask('What is the customer number of Gallery Picasso?', [gallery]).answered, false)
  assert.equal(ask('Who was present at the meeting of 3 January 2022?', [minutes]).answered, false)
})

test('a number is the same however it is written, and a day is no year', () => {
  const answered: [string, string][] = [
    ['Who owns lot 12,500?', 'Lot 12500 is owned by Anna Berg.'],
    ['Who owns lot 12500?', 'Lot 12,500 is owned by Anna Berg.'],
    ['Who sits in room 7?', 'Anna Berg sits in Room 07.'],
    ['Who sits in room ７?', 'Anna Berg sits in Room 7.'],
    ['Who owns lot 12’500?', 'Lot 12\u00a0500 is owned by Anna Berg.'],
    ['What causes error CS-1107?', 'Error CS-1107 is caused by a full cache.'],
    ['Who wrote invoice 2026-0417?', 'Invoice 2026/0417 was written by Anna Berg.'],
    ['What was launched in March 2024?', 'On March 12 Apollo was launched.'],
  ]
  for (const [question, text] of answered) assert.equal(ask(question, [passage(text)]).answered, true, question)
})

test('the work for a question of many numbers does not grow with those of the text', () => {
  const list = (from: number, count: number) => Array.from({ length: count }, (_, index) => `order ${from + index}`)
  const orders = passage(`${list(50_000, 48).join(', ')}, order 10799.\n`.repeat(60))
  assert.equal(ask(`What about ${list(10_000, 800).join(', ')}?`, [orders]).answered, false)
})

test('quantities, ranges, parts of a version and several numbers are no other number of a thing', () => {
  const answered: [string, string][] = [
    ['Can groups of 30 people come without booking?', 'Groups of up to 20 people come without booking.'],
    ['Does the bus take 30 people?', 'The bus takes 20 people at most.'],
    ['What is jammed at printer error 13?', 'At printer error 12–14 the tray is jammed.'],
    ['Which Node does version 4.2 need?', 'Version 4 and later need Node 20.'],
    ['Which Node does version 4 need?', 'Version 4.2 needs Node 20.'],
    ['What is the difference of version 4 and version 5?', 'The difference to version 5 is the new engine.'],
    ['What is the difference of version 4 and 5?', 'The difference to version 5 is the new engine.'],
    ['What is jammed at printer error 13?', 'At printer error 12 and 13 the tray is jammed.'],
  ]
  for (const [question, text] of answered) assert.equal(ask(question, [passage(text)]).answered, true, question)
})

test('a heading with a date says when', () => {
  const changes = passage(
    '## 4.2.1 (2024-06-11)\nFixed a memory leak of the watcher.\n## 4.2.0 (2024-05-28)\nAdded Windows.',
    {
      title: 'Changelog of Tern',
    },
  )
  assert.equal(ask('When was Tern 4.2.1 released?', [changes]).quotes[0], '## 4.2.1 (2024-06-11)')
  assert.equal(ask('What was fixed in Tern 4.2.1?', [changes]).quotes[0], 'Fixed a memory leak of the watcher.')
})

test('who asks when, how much or for whom is told no sentence in which nothing of the kind stands', () => {
  const crane = passage('The harbour crane was painted with green lead paint. The harbour lies below the hill.')
  for (const question of ['When was the harbour crane painted?', 'How often was the harbour crane painted?']) {
    assert.equal(ask(question, [crane]).answered, false, question)
  }
  const priced = passage('The Falk drill comes with a two-year warranty. The Falk drill needs 30 minutes for a charge.')
  assert.equal(ask('How much does the Falk drill cost?', [priced]).answered, false)
  assert.equal(ask('How much does the Falk drill cost?', [passage('Falk drill: 149.90')]).answered, true)
  assert.equal(ask('What was the harbour crane painted with?', [crane]).answered, true)
  const crew = passage('The harbour crane was painted with lead. The harbour crane was painted by the night crew.')
  assert.deepEqual(ask('Who painted the harbour crane?', [crew]).quotes, [
    'The harbour crane was painted by the night crew.',
  ])
  const refund = passage('Refunds go back to the card that paid, within five working days.')
  assert.equal(ask('When do refunds go back to the card?', [refund]).answered, true)
})

test('of several times that which belongs to what is asked about is told, in words as in digits', () => {
  const hours = passage('The bakery opens at eleven. The bookshop opens at nine. The museum opens at 10:00.')
  assert.equal(ask('When does the bakery open?', [hours]).quotes[0], 'The bakery opens at eleven.')
  assert.equal(ask('When does the museum open?', [hours]).quotes[0], 'The museum opens at 10:00.')
})

test('a sentence that only refers back is found through the one before it', () => {
  const { sentences, quotes } = ask('When was the harbour crane of Mara Lindqvist repaired?', [HARBOUR, CANTEEN])
  assert.equal(quotes[sentences.findIndex(({ isBest }) => isBest)], 'It was repaired in 1987 after a storm.')
})

test('quotes are exact slices, at most three, in reading order, one of them the best', () => {
  const { sentences } = ask('harbour crane', [HARBOUR, CANTEEN])
  assert.ok(sentences.length <= 3)
  assert.equal(sentences.filter(({ isBest }) => isBest).length, 1)
  const starts = sentences.filter(({ passage: index }) => index === 0).map(({ start }) => start)
  assert.deepEqual(
    starts,
    [...starts].sort((a, b) => a - b),
  )
})

test('a question about something else is declined, and says how unsure it was', () => {
  const { answered, sentences, confidence } = ask('Which vaccine protects children against measles?', [
    HARBOUR,
    CANTEEN,
  ])
  assert.equal(answered, false)
  assert.deepEqual(sentences, [])
  assert.ok(confidence >= 0 && confidence < 0.25)
})

test('who asks what something means is told it, though no text says "mean"', () => {
  const glossary = passage('SLA: service level agreement. RTO: recovery time objective. PII: personal information.')
  for (const question of ['What does RTO stand for?', 'What do you mean by RTO?', 'What does RTO mean?']) {
    assert.deepEqual(ask(question, [glossary]).quotes, ['RTO: recovery time objective.'], question)
  }
  assert.equal(ask('What is the mean of the sample?', [passage('The sample is of ten trees.')]).answered, false)
  assert.equal(ask('What does it mean?', [glossary]).answered, false)
  assert.equal(ask('What does GDP stand for?', [glossary]).answered, false)
  const asked: [string, string, string][] = [
    ['es', '¿Qué significa el error E20?', 'Error E20: el filtro está sucio.'],
    ['pl', 'Co oznacza błąd E20?', 'Błąd E20: filtr jest brudny.'],
    ['de', 'Was bedeutet Fehler E20?', 'Fehler E20: das Sieb ist verschmutzt.'],
    ['fr', 'Que veut dire PII ?', 'PII : informations personnelles.'],
    ['it', 'Cosa significa PII?', 'PII: informazioni personali.'],
    ['nl', 'Wat betekent PII?', 'PII: persoonlijke gegevens.'],
    ['ru', 'Что означает ошибка E20?', 'Ошибка E20: фильтр загрязнён.'],
  ]
  for (const [language, question, answer] of asked) {
    assert.deepEqual(ask(question, [passage(answer)], language).quotes, [answer], question)
  }
})

test('a name that stands nowhere speaks against an answer', () => {
  const known = ask('What did Lindqvist build in the harbour?', [HARBOUR])
  const unknown = ask('What did Petrovic build in the harbour?', [HARBOUR])
  assert.ok(known.confidence > unknown.confidence)
})

test('in a German memory a capital says nothing, but names somebody in letters that are not German', () => {
  const russian = passage('Пушкин родился в Москве 6 июня 1799 года.')
  assert.equal(ask('Когда родился Пушкин?', [russian], 'de', 'ru').answered, true)
  assert.equal(ask('Когда родился Лермонтов?', [russian], 'de', 'ru').answered, false)
  const german = passage('Die Kündigungsfrist der Wohnung beträgt drei Monate.')
  assert.equal(ask('Wie lange ist die Frist der Wohnung in Tagen?', [german], 'de').answered, true)
})

test('nothing is answered from nothing', () => {
  assert.deepEqual(ask('Who built it?', []), { answered: false, confidence: 0, sentences: [], quotes: [] })
  assert.equal(ask('?!', [HARBOUR]).answered, false)
  assert.equal(ask('Who built the crane?', [passage('   ')]).answered, false)
})

test('the same sentence in two passages is quoted once', () => {
  const { quotes } = ask('Who built the harbour crane?', [HARBOUR, HARBOUR])
  assert.equal(new Set(quotes).size, quotes.length)
})

test('a title tells what the sentences of its document are about', () => {
  const first = passage('Notice must be given 14 days ahead. Keys are returned.', {
    title: 'Lease of the workshop',
    score: 0.9,
  })
  const other = passage('Notice must be given 30 days ahead. Keys are returned.', {
    title: 'Lease of the boathouse',
    score: 0.9,
  })
  const { quotes } = ask('How many days of notice for the lease of the boathouse?', [first, other])
  assert.equal(quotes[0], 'Notice must be given 30 days ahead.')
})

test('a sentence that says again what the title says is no better for it', () => {
  const manual = passage(
    'Data of the pump\nCapacity: unlimited\nWeight: 4.2 kg\n\nThe Falkental harbour pump 500 comes with a warranty if it is registered in time.',
    { title: 'Falkental harbour pump 500' },
  )
  assert.equal(ask('What is the weight of the Falkental harbour pump 500?', [manual]).quotes[0], 'Weight: 4.2 kg')
})

test('German and Chinese questions find their sentences', () => {
  const german = passage('Das Lager steht in Emden. Der Kran wurde 1987 gebaut. Er hebt 40 Tonnen.')
  assert.equal(ask('In welchem Jahr wurde der Kran gebaut?', [german], 'de').quotes[0], 'Der Kran wurde 1987 gebaut.')
  const chinese = passage('仓库位于海边。起重机建于1987年。它能吊起四十吨。')
  assert.equal(ask('起重机建于哪一年？', [chinese], 'zh').quotes[0], '起重机建于1987年。')
})

test('likeness in meaning decides where words do not', () => {
  const text = 'The gate is shut at dusk. The lamp is red.'
  const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)]
  const answer = answerAtOnce(
    { text: 'The gate or the lamp: closing hour?', languages: ['en'], vector: Float32Array.of(1, 0) },
    [passage(text, { vectors })],
  )
  assert.equal(answer.sentences.find(({ isBest }) => isBest)?.start, 0)
})

test('long passages are looked through in steps of a sentence', () => {
  const long = passage('The crane stands on the quay. '.repeat(200))
  const steps = answerExtractively(analyzer, { text: 'Where is the crane?', languages: ['en'], vector: null }, [long])
  assert.ok([...steps].length > long.sentences.length)
})

test('who asks for a person, a place or a number is not told what has nothing of the question but the title', () => {
  const text =
    'Boxes are packed on Mondays in Leeds.\n\nNone of our brands is tested on animals.\n\nThe small box costs $29.'
  const box = passage(text, { title: 'Glowberry boxes' })
  assert.equal(ask('Who founded Glowberry boxes?', [box]).answered, false)
  assert.equal(ask('How heavy are Glowberry boxes?', [box]).answered, false)
  assert.equal(ask('What does the small box of Glowberry cost?', [box]).quotes[0], 'The small box costs $29.')
  assert.equal(ask('How do Glowberry boxes work?', [box]).answered, true)
})

test('the first line of a document without a title says what the rest is about, and is no answer', () => {
  const invoice = passage('TAX INVOICE\nPlants     12     $6.50\nTotal     $78.00')
  assert.equal(ask('What is the total of the invoice?', [invoice]).quotes[0], 'Total     $78.00')
  const contract = passage('Contract no. 17/25\nThe tenant pays on the first day.')
  assert.equal(ask('What is the contract no.?', [contract]).quotes[0], 'Contract no. 17/25')
  const ticket = passage('Ticket of Ada Byron\nStatus: open\nAgent: Joy Mbeki')
  assert.equal(ask('What is the status of the ticket of Ada Byron?', [ticket]).quotes[0], 'Status: open')
  const notes = passage('Anna likes green tea\nBen likes milk')
  assert.deepEqual(ask('What does Anna like?', [notes]).quotes, ['Anna likes green tea'])
})

test('the head of a table that is drawn with spaces is no answer', () => {
  const table = passage(
    'Invoice of May\n\nItem          Amount of tax     Amount\nPlants        7.80              78.00',
  )
  assert.ok(!ask('What is the amount of tax on plants?', [table]).quotes.some((quote) => quote.startsWith('Item')))
})

test('what asks what happens or whether there is something stands in no text, and an answer need not say it', () => {
  const rain = passage('The fair is on the field. If it rains it moves to the hall.')
  assert.equal(ask('What happens if it rains at the fair?', [rain]).quotes[0], 'If it rains it moves to the hall.')
  const regen = passage('Das Fest ist im Garten. Wenn es regnet, feiern wir im Saal.')
  assert.match(ask('Was passiert, wenn es beim Fest regnet?', [regen], 'de').quotes[0] ?? '', /regnet/)
  const gym = passage('No hay permanencia. Para el yoga hay que reservar.', { title: 'Gimnasio Marea' })
  assert.equal(ask('¿Hay aparcamiento en el gimnasio?', [gym], 'es').answered, false)
})

test('a sentence without what is asked for does not stand before the best, which has it', () => {
  const box = passage('The price list of the red box has a lid. The red box with a lid is $12.')
  assert.deepEqual(ask('What is the price of the red box with a lid?', [box]).quotes, [
    'The red box with a lid is $12.',
  ])
})

test('what is asked for in other words than the text has is found by the words of forms and measures', () => {
  const tent = passage('Two-person tent.\n- Packed weight: 1.94 kg\n- Peak height: 105 cm', { title: 'Larkfield tent' })
  assert.equal(ask('How heavy is the Larkfield tent?', [tent]).quotes[0], '- Packed weight: 1.94 kg')
  const bill = passage('Rechnung Nr. 2025-0381\nMwSt.     CHF 198.45\nTotal     CHF 2648.45')
  assert.equal(ask('Wie hoch ist die Mehrwertsteuer?', [bill], 'de').quotes[0], 'MwSt.     CHF 198.45')
  assert.equal(ask('Wie lautet die Rechnungsnummer?', [bill], 'de').quotes[0], 'Rechnung Nr. 2025-0381')
  assert.equal(ask('Wie hoch ist der Gesamtbetrag?', [bill], 'de').quotes[0], 'Total     CHF 2648.45')
  const lease = passage('Le loyer mensuel est de 870 €. Une provision pour charges de 65 € est due.')
  assert.equal(ask('Quel est le montant du loyer ?', [lease], 'fr').quotes[0], 'Le loyer mensuel est de 870 €.')
  const asked = 'À combien s’élèvent les charges ?'
  assert.equal(ask(asked, [lease], 'fr').quotes[0], 'Une provision pour charges de 65 € est due.')
})

test('other words for the same are looked for where an amount, a time or a measure is asked for, and are no words that say nothing', () => {
  const pairs = [
    ['What is the room number?', 'There is no room left for guests.'],
    ['What is the account number?', 'You need no account to read the pages.'],
    ['Who is the manager of the shop?', 'Ada Byron hit her head in the shop.'],
    ['How long is the fence?', 'The fence was painted in 2019.'],
  ] as const
  for (const [question, text] of pairs) assert.equal(ask(question, [passage(text)]).answered, false, question)
  assert.equal(ask('How heavy is the tent?', [passage('The tent. Packed weight: 4.2 kg')]).answered, true)
  const crane = passage(
    'An inspection of the crane has a duration of a day in May. The crane was last inspected in 2021.',
  )
  assert.match(ask('When was the last inspection of the crane?', [crane]).quotes[0] ?? '', /2021/)
})

test('a reason, a span of time or a person that is said in other ways than usual is quoted', () => {
  const atlas = passage('Atlas ended because the budget ran out.', { title: 'Atlas project' })
  assert.equal(ask('Why was the Atlas project cancelled?', [atlas]).answered, true)
  const pairs = [
    ['How much is the probation period?', 'The probation period is six months.'],
    ['How much can I carry over?', 'Employees can carry over up to five days.'],
    ['What time zone is used?', 'The time zone used is that of Leeds.'],
    ['Who will do the dishes?', 'Ben Okafor: will do the dishes.'],
  ] as const
  for (const [question, text] of pairs) assert.deepEqual(ask(question, [passage(text)]).quotes, [text], question)
})

test('a first line that says something is quoted, also above a label, and so is a row of a table above one with figures', () => {
  const green = passage('Anna likes green tea\nBen: he likes milk')
  assert.equal(ask('What does Anna like?', [green]).quotes[0], 'Anna likes green tea')
  const blue = passage('VISITORS WAIT IN THE BLUE ROOM\nBreakfast is at the quay.')
  assert.equal(ask('Which room is for visitors?', [blue]).quotes[0], 'VISITORS WAIT IN THE BLUE ROOM')
  const table = passage('Name         Role       Room\nAda Byron    director   none\nBen Okafor   clerk      4')
  assert.equal(ask('Who is the director?', [table]).quotes[0], 'Ada Byron    director   none')
})

test('what something costs is told by its line of a price list, and not by what says that something else costs', () => {
  const list = passage(
    '| Article | Price | Stock |\n| --- | --- | --- |\n| Widget | 12.50 | 4 |\n| Gadget | 30 | 12 |\n\nDelivery costs 5 euros.',
  )
  for (const question of [
    'What does the gadget cost?',
    'How much does the gadget cost?',
    'What is the price of the gadget?',
  ])
    assert.deepEqual(ask(question, [list]).quotes, ['| Gadget | 30 | 12 |'], question)
  const menu = passage('Kaffee 2,80\nKuchen 3,90\n\nEin Frühstück kostet 12 Euro.')
  assert.equal(ask('Was kostet ein Kuchen?', [menu], 'de').quotes[0], 'Kuchen 3,90')
})

test('who asks what or who something is gets the sentence of which it is the subject', () => {
  const berths = passage(
    'Whoever has a berth pays for the berth in March. A *berth* (place) is a place at the jetty. Berths are numbered. ' +
      'The harbour master answers questions about a berth. The harbour master is the person who assigns berths.',
  )
  assert.equal(ask('What is a berth?', [berths]).quotes[0], 'A *berth* (place) is a place at the jetty.')
  assert.equal(ask('What are berths?', [berths]).quotes[0], 'A *berth* (place) is a place at the jetty.')
  const who = 'The harbour master is the person who assigns berths.'
  assert.equal(ask('Who is the harbour master?', [berths]).quotes[0], who)
  const words = passage('Whoever stores a jib pays for the jib in May.\n\n- Jib: the small sail in front.')
  assert.equal(ask('What is a jib?', [words]).quotes[0], '- Jib: the small sail in front.')
  const german = passage(
    'Wer einen Liegeplatz hat, zahlt für den Liegeplatz im März. Ein Liegeplatz ist ein Platz am Steg.',
  )
  assert.equal(ask('Was ist ein Liegeplatz?', [german], 'de').quotes[0], 'Ein Liegeplatz ist ein Platz am Steg.')
})

test('a line of contents, fences and the values and statements of an example are no answers', () => {
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
  assert.deepEqual(ask('What happens when the disk is full?', [passage(text)]).quotes, [
    'Writes to the disk are refused.',
  ])
  const end = text.slice(text.indexOf('{'))
  assert.equal(ask('What happens when the disk is full?', [passage(`${end}\n\n\`\`\`sh\ndf\n\`\`\``)]).answered, false)
})

test('a sentence that leads in code, a list or a table is quoted with it', () => {
  const led = (block: string) =>
    ask('How is the crane started?', [passage(`The crane is started so:\n\n${block}\n\nIt lifts.`)])
  for (const block of [
    '```sh\ncrane --start\ncrane --lift\n```',
    '- turn the key\n- pull the\n  lever',
    '| a | b |\n|---|---|\n| c | d |',
  ]) {
    assert.deepEqual(led(block).quotes, [`The crane is started so:\n\n${block}`])
  }
  assert.deepEqual(led('So it is.').quotes, ['The crane is started so:'])
  assert.deepEqual(led(`\`\`\`\n${'crane\n'.repeat(200)}\`\`\``).quotes, ['The crane is started so:'])
  const item = passage('The crane has:\n\n- a lift\n- a hook of 40 tons\n')
  assert.deepEqual(ask('How many tons has the hook of the crane?', [item]).quotes, ['- a hook of 40 tons'])
})

test('who asks for what a heading says gets the whole list below it, and who asks for one thing its item', () => {
  const list = '- a ticket for the bus, paid in full\n- 50 euros a month for sports\n- leave for parents: 16 weeks'
  const guide = passage(`## Hours\n\nWe open at nine.\n\n## Benefits\n\n${list}\n\n## Rooms\n\nThere are four.`)
  assert.deepEqual(ask('Which benefits are there?', [guide]).quotes, [list])
  assert.deepEqual(ask('How long is the leave for parents?', [guide]).quotes, ['- leave for parents: 16 weeks'])
})

test('who is responsible for a matter stands beside it, whether a text says so or not', () => {
  const contacts = passage('| Topic | Person |\n| --- | --- |\n| Payroll | Maria Sousa |\n| Holidays | Jonas Weber |')
  for (const question of ['Who is responsible for payroll?', 'Who handles payroll?', 'Whom do I ask about payroll?']) {
    assert.deepEqual(ask(question, [contacts]).quotes, ['| Payroll | Maria Sousa |'], question)
  }
  const said = passage('Payroll is paid by Maria Sousa. Jonas Weber is responsible for payroll.')
  assert.equal(ask('Who is responsible for payroll?', [said]).quotes[0], 'Jonas Weber is responsible for payroll.')
  const coins = passage('There are coins for the machines at the kiosk. The machines are old.')
  assert.equal(ask('Where do I get coins?', [coins]).quotes[0], 'There are coins for the machines at the kiosk.')
  const german = passage('| Thema | Person |\n| --- | --- |\n| Lohnabrechnung | Maria Sousa |')
  assert.equal(ask('Wer ist für die Lohnabrechnung zuständig?', [german], 'de').answered, true)
})

test('a few words above a paragraph are its heading, and no answer', () => {
  const rules =
    'From ten in the evening to six in the morning nobody plays the drums, or\nAnn Lee is told of it by those who cannot sleep.'
  const house = passage(`Quiet hours\n${rules}\n\nAnn Lee\nBen Lund`)
  assert.equal(ask('When are the quiet hours?', [house]).quotes[0], rules)
  assert.equal(ask('Who are Ann Lee and Ben Lund?', [house]).quotes.includes('Quiet hours'), false)
})

test('a numbered heading of a paragraph and one of labels lead in, and the step of a recipe is one', () => {
  const fair = passage(
    '1. Summer fair\nThe fair takes place on 20 June from eleven to four.\n\n2. Lunch\nIt costs more from May on than it did until now.',
  )
  assert.deepEqual(ask('When is the summer fair?', [fair]).quotes, [
    'The fair takes place on 20 June from eleven to four.',
  ])
  const codes = passage('Error codes\nE01: the tank is empty.\nE02: the unit is missing.')
  assert.equal(ask('What does error E03 mean?', [codes]).answered, false)
  assert.deepEqual(ask('What does error E02 mean?', [codes]).quotes, ['E02: the unit is missing.'])
  const steps = passage('1. Beat the eggs\n2. Fold the flour into the eggs, and let all of it rest for an hour.')
  assert.equal(ask('What do I do with the eggs?', [steps]).quotes.includes('1. Beat the eggs'), true)
})

test('a German word of two is found by its parts, also where it is a label of forms itself', () => {
  const sentence = 'Der Vertrag kann mit einer Frist von drei Monaten gekündigt werden, ohne Grund.'
  const contract = passage(`Kündigung\n${sentence}`)
  assert.deepEqual(ask('Wie lang ist die Kündigungsfrist?', [contract], 'de').quotes, [sentence])
})
