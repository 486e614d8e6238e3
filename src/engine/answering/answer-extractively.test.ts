import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerAtOnce, ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { answerExtractively } from './answer-extractively.ts'

const HARBOUR = passage(
  'The harbour office stands on Quay Street. The harbour crane was built by Mara Lindqvist. ' +
    'It was repaired in 1987 after a storm. The harbour crane lifts up to 40 tons. Visitors need a pass.',
)

const CANTEEN = passage('The canteen serves soup. Lunch costs nine euros on weekdays.', { score: 0.6 })

test('the sentence with the expected kind is the best', () => {
  assert.equal(
    quote('Who built the harbour crane?', [HARBOUR, CANTEEN]).quotes[0],
    'The harbour crane was built by Mara Lindqvist.',
  )
  assert.equal(
    quote('How many tons does the harbour crane lift?', [HARBOUR, CANTEEN]).quotes[0],
    'The harbour crane lifts up to 40 tons.',
  )
})

test('a question is analysed in steps, because ten thousand words take a second', () => {
  const steps = answerExtractively(createAnalyzer(), { text: 'a b', languages: ['en'], vector: null }, [])
  for (let step = 0; step < 4; step++) assert.equal(steps.next().done, false)
})

test('of several times the relevant one is quoted, in words and digits', () => {
  const hours = passage('The bakery opens at eleven. The bookshop opens at nine. The museum opens at 10:00.')
  assert.equal(quote('When does the bakery open?', [hours]).quotes[0], 'The bakery opens at eleven.')
  assert.equal(quote('When does the museum open?', [hours]).quotes[0], 'The museum opens at 10:00.')
})

test('a sentence with an anaphor is found through the previous one', () => {
  const { sentences, quotes } = ask('When was the harbour crane of Mara Lindqvist repaired?', [HARBOUR, CANTEEN])
  assert.equal(quotes[sentences.findIndex(({ isBest }) => isBest)], 'It was repaired in 1987 after a storm.')
})

test('quotes are exact slices, at most three, in reading order, one of them the best', () => {
  const { sentences } = quote('harbour crane', [HARBOUR, CANTEEN])
  assert.ok(sentences.length <= 3)
  assert.equal(sentences.filter(({ isBest }) => isBest).length, 1)
  const starts = sentences.filter(({ passage: index }) => index === 0).map(({ start }) => start)
  assert.deepEqual(
    starts,
    [...starts].sort((a, b) => a - b),
  )
})

test('a question about another subject is declined, with its confidence', () => {
  const { answered, sentences, confidence } = ask('Which vaccine protects children against measles?', [
    HARBOUR,
    CANTEEN,
  ])
  assert.equal(answered, false)
  assert.deepEqual(sentences, [])
  assert.ok(confidence >= 0 && confidence < 0.25)
})

test('a missing name lowers the confidence', () => {
  const known = ask('What did Lindqvist build in the harbour?', [HARBOUR])
  const unknown = ask('What did Petrovic build in the harbour?', [HARBOUR])
  assert.ok(known.confidence > unknown.confidence)
})

test('in a German memory a capital indicates a name in non-Latin scripts only', () => {
  const russian = passage('Пушкин родился в Москве 6 июня 1799 года.')
  assert.equal(ask('Когда родился Пушкин?', [russian], 'de', 'ru').answered, true)
  assert.equal(ask('Когда родился Лермонтов?', [russian], 'de', 'ru').answered, false)
  const german = passage('Die Kündigungsfrist der Wohnung beträgt drei Monate.')
  assert.equal(ask('Wie lange ist die Frist der Wohnung in Tagen?', [german], 'de').answered, true)
})

test('nouns of a German question are no names in a mostly English memory, either', () => {
  const texts = [
    'The house is old.',
    'Münzen gibt es beim Hausmeister, Herrn Ott, Tel. 0221 555 123.',
    'Ruhe ist ab 22 Uhr.',
  ]
  const passages = texts.map((text) => passage(text))
  const { quotes } = ask('Wie lautet die Telefonnummer des Hausmeisters?', passages, 'en', 'de')
  assert.deepEqual(quotes, texts.slice(1, 2))
})

test('no passages give no answer', () => {
  assert.deepEqual(ask('Who built it?', []), {
    ...{ answered: false, confidence: 0, sentences: [], candidates: [], quotes: [] },
  })
  assert.equal(ask('?!', [HARBOUR]).answered, false)
  assert.equal(ask('Who built the crane?', [passage('   ')]).answered, false)
})

test('the same sentence in two passages is quoted once', () => {
  const { quotes } = ask('Who built the harbour crane?', [HARBOUR, HARBOUR])
  assert.equal(new Set(quotes).size, quotes.length)
})

test('a title gives the subject of its sentences', () => {
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

test('repeating the title does not improve a sentence', () => {
  const manual = passage(
    'Data of the pump\nCapacity: unlimited\nWeight: 4.2 kg\n\nThe Falkental harbour pump 500 comes with a warranty if it is registered in time.',
    { title: 'Falkental harbour pump 500' },
  )
  assert.equal(quote('What is the weight of the Falkental harbour pump 500?', [manual]).quotes[0], 'Weight: 4.2 kg')
})

test('German and Chinese questions are answered', () => {
  const german = passage('Das Lager steht in Emden. Der Kran wurde 1987 gebaut. Er hebt 40 Tonnen.')
  assert.equal(quote('In welchem Jahr wurde der Kran gebaut?', [german], 'de').quotes[0], 'Der Kran wurde 1987 gebaut.')
  const chinese = passage('仓库位于海边。起重机建于1987年。它能吊起四十吨。')
  assert.equal(quote('起重机建于哪一年？', [chinese], 'zh').quotes[0], '起重机建于1987年。')
})

test('semantic similarity decides if words do not', () => {
  const text = 'The gate is shut at dusk. The lamp is red.'
  const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)]
  const answer = answerAtOnce(
    { text: 'The gate or the lamp?', languages: ['en'], vector: Float32Array.of(1, 0), minConfidence: 0 },
    [passage(text, { vectors })],
  )
  assert.equal(answer.sentences.find(({ isBest }) => isBest)?.start, 0)
})

test('long passages take one step per sentence', () => {
  const long = passage('The crane stands on the quay. '.repeat(200))
  const steps = answerExtractively(createAnalyzer(), { text: 'Where is the crane?', languages: ['en'], vector: null }, [
    long,
  ])
  assert.ok([...steps].length > long.sentences.length)
})

test('a question for a person, place or number is not answered by the title match only', () => {
  const text =
    'Boxes are packed on Mondays in Leeds.\n\nNone of our brands is tested on animals.\n\nThe small box costs $29.'
  const box = passage(text, { title: 'Glowberry boxes' })
  assert.equal(ask('Who founded Glowberry boxes?', [box]).answered, false)
  assert.equal(ask('How heavy are Glowberry boxes?', [box]).answered, false)
  assert.equal(quote('What does the small box of Glowberry cost?', [box]).quotes[0], 'The small box costs $29.')
  assert.equal(ask('How do Glowberry boxes work?', [box]).answered, true)
})

test('a sentence without the expected kind does not precede the best one', () => {
  const box = passage('The price list of the red box has a lid. The red box with a lid is $12.')
  assert.deepEqual(quote('What is the price of the red box with a lid?', [box]).quotes, [
    'The red box with a lid is $12.',
  ])
})

test('unusual forms of reasons, durations and people are quoted', () => {
  const atlas = passage('Atlas ended because the budget ran out.', { title: 'Atlas project' })
  assert.equal(ask('Why was the Atlas project cancelled?', [atlas]).answered, true)
  const pairs = [
    ['How much is the probation period?', 'The probation period is six months.'],
    ['How much can I carry over?', 'Employees can carry over up to five days.'],
    ['What time zone is used?', 'The time zone used is that of Leeds.'],
    ['Who will do the dishes?', 'Ben Okafor: will do the dishes.'],
  ] as const
  for (const [question, text] of pairs) assert.deepEqual(quote(question, [passage(text)]).quotes, [text], question)
})

test('a number with a name is found without its noun', () => {
  const mail = passage(
    'Thank you for your order 4711.\n\nBest regards\nKarin Vogel\nHead of Sales\nTel. +49 221 5550 12',
  )
  assert.deepEqual(quote('What is the order number?', [mail]).quotes, ['Thank you for your order 4711.'])
  assert.deepEqual(quote('What is the phone number of Karin Vogel?', [mail]).quotes, ['Tel. +49 221 5550 12'])
  assert.equal(ask('What is the order number?', [passage('Your order was sent in time.')]).answered, false)
})

test('a phone number is found by its purpose, and a time of day is none', () => {
  const house = passage('Bring your phone at 17:00.\n\nCall 555-0102 for help.\n\nOur hours begin at 8:15.')
  for (const question of ['What is the phone number?', 'What is the hotline number?'])
    assert.deepEqual(quote(question, [house]).quotes, ['Call 555-0102 for help.'], question)
  const haus = passage('Bringen Sie ein Telefon mit.\n\nRufen Sie 0221 555 12 an.')
  assert.deepEqual(quote('Wie lautet die Telefonnummer?', [haus], 'de').quotes, ['Rufen Sie 0221 555 12 an.'])
})

test('"until when" asks for a time, not for an end', () => {
  const letter = passage('Please pay for the trip by 9 October. Homework is due until the end of May.')
  assert.deepEqual(quote('Until when must I pay for the trip?', [letter]).quotes, [
    'Please pay for the trip by 9 October.',
  ])
})

test('a sentence that a correction replaces is not quoted, but the correction', () => {
  const document = passage('The harbour crane lifts up to 40 tons. It is painted red.')
  const correction = passage('The harbour crane lifts up to 55 tons.', { kind: 'correction', score: 0.1 })
  assert.deepEqual(quote('What weight can the crane in the harbour lift?', [correction, document]).quotes, [
    'The harbour crane lifts up to 55 tons.',
  ])
})
