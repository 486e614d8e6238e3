import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { addCompounds, addSynonyms } from './expand-question.ts'
import { readQuestionUnits } from './question-units.ts'

const analyzer = createAnalyzer()

function read(question: string, language: string): string[][] {
  const languages = [language]
  const units = readQuestionUnits(analyzer, question, languages)
  return addSynonyms(analyzer, units, { languages, kind: 'measure' }).map(({ terms }) => [...terms])
}

test('measures and form labels get synonyms', () => {
  const [heavy = [], tent = []] = read('How heavy is the tent?', 'en')
  assert.ok(heavy.includes('weight'), String(heavy))
  assert.deepEqual(tent, ['tent'])
  const [salary = []] = read('Wie ist das Gehalt?', 'de')
  assert.ok(
    analyzer.terms('Vergütung', 'de').every((term) => salary.includes(term)),
    String(salary),
  )
})

test('a name gets no synonyms', () => {
  assert.deepEqual(read('Who is Big Price?', 'en').at(-1), analyzer.terms('Price', 'en'))
})

test('a German compound is also searched by its parts', () => {
  const parts = read('Wie lautet die Rechnungsnummer?', 'de').flat()
  for (const word of ['Rechnungsnummer', 'Rechnung', 'Nr'])
    assert.ok(
      analyzer.terms(word, 'de').every((term) => parts.includes(term)),
      `${word}: ${parts}`,
    )
})

test('synonyms of forms and measures find answers in other words', () => {
  const tent = passage('Two-person tent.\n- Packed weight: 1.94 kg\n- Peak height: 105 cm', { title: 'Larkfield tent' })
  assert.equal(quote('How heavy is the Larkfield tent?', [tent]).quotes[0], '- Packed weight: 1.94 kg')
  const bill = passage('Rechnung Nr. 2025-0381\nMwSt.     CHF 198.45\nTotal     CHF 2648.45')
  assert.equal(quote('Wie hoch ist die Mehrwertsteuer?', [bill], 'de').quotes[0], 'MwSt.     CHF 198.45')
  assert.equal(quote('Wie lautet die Rechnungsnummer?', [bill], 'de').quotes[0], 'Rechnung Nr. 2025-0381')
  assert.equal(quote('Wie hoch ist der Gesamtbetrag?', [bill], 'de').quotes[0], 'Total     CHF 2648.45')
  const lease = passage('Le loyer mensuel est de 870 €. Une provision pour charges de 65 € est due.')
  assert.equal(quote('Quel est le montant du loyer ?', [lease], 'fr').quotes[0], 'Le loyer mensuel est de 870 €.')
  const asked = 'À combien s’élèvent les charges ?'
  assert.equal(quote(asked, [lease], 'fr').quotes[0], 'Une provision pour charges de 65 € est due.')
})

test('only questions for amounts, times and measures get synonyms, and no function words', () => {
  const pairs = [
    ['What is the account number?', 'You need no account to read the pages.'],
    ['Who is the manager of the shop?', 'Ada Byron hit her head in the shop.'],
  ] as const
  for (const [question, text] of pairs) assert.equal(ask(question, [passage(text)]).answered, false, question)
  assert.equal(ask('How heavy is the tent?', [passage('The tent. Packed weight: 4.2 kg')]).answered, true)
  const crane = passage(
    'An inspection of the crane has a duration of a day in May. The crane was last inspected in 2021.',
  )
  assert.match(quote('When was the last inspection of the crane?', [crane]).quotes[0] ?? '', /2021/)
})

test('a German compound is found by its parts, also if it is a form label', () => {
  const sentence = 'Der Vertrag kann mit einer Frist von drei Monaten gekündigt werden, ohne Grund.'
  const contract = passage(`Kündigung\n${sentence}`)
  assert.deepEqual(quote('Wie lang ist die Kündigungsfrist?', [contract], 'de').quotes, [sentence])
})

test('questions for people match lists, and questions for a meeting match minutes', () => {
  const minutes = passage(
    'Held on 14 March in the Old Mill.\n\nPresent: Ruth Adler (chair), Tomas Berg. Apologies: Dana Owusu.\n\n' +
      'The minutes of the last meeting were approved.',
    { title: 'Minutes of the mill committee' },
  )
  const first = (question: string) => quote(question, [minutes]).quotes[0]
  assert.equal(first('When was the meeting held?'), 'Held on 14 March in the Old Mill.')
  assert.equal(first('Who attended?'), 'Present: Ruth Adler (chair), Tomas Berg.')
  assert.equal(first('Who chaired the meeting?'), 'Present: Ruth Adler (chair), Tomas Berg.')
  assert.equal(first('Who was absent?'), 'Apologies: Dana Owusu.')
  assert.deepEqual(read('How many minutes does it boil?', 'en').flat().includes('meet'), false)
})

test('"teaches" matches the instructor', () => {
  const course = passage('Instructor: Dr. Helen Park\nTeaching assistant: Omar Said', { title: 'Statistics' })
  assert.equal(quote('Who teaches statistics?', [course]).quotes[0], 'Instructor: Dr. Helen Park')
})

test('a German word matches its compounds, and a compound its parts', () => {
  const cases: [question: string, text: string][] = [
    ['Wie hoch ist der Beitrag?', 'Der Jahresbeitrag beträgt 180 Euro.'],
    ['Wann fand die Versammlung statt?', 'Am 3. Mai war Mitgliederversammlung in der Halle.'],
    ['Welche Filtergröße passt in die Kanne?', 'In die Kanne geht ein Filter der Größe 4.'],
    ['Wie lang ist das Kabel?', 'Kabellänge: 85 cm.'],
    ['Wer ist der Vermieter?', 'Frau Eva Brandt ist die Vermieterin.'],
    ['Wie heißt die Leiterin?', 'Der Leiter heißt Jan Roth.'],
    ['Was müssen Gäste mitbringen?', 'Von den Gästen ist Kuchen mitzubringen.'],
    ['Wie lautet die Vereinsadresse?', 'Die Adresse des Vereins ist Am Kai 4.'],
  ]
  for (const [question, text] of cases)
    assert.equal(quote(question, [passage(`Das Haus hat Gäste. ${text} Es regnet.`)], 'de').quotes[0], text, question)
})

test('words that end others by chance are no parts', () => {
  const text = 'Der Apparat steht im Keller.'
  assert.equal(ask('Wo tagt der Rat?', [passage(text)], 'de').answered, false)
})

test('a question word matches its variants, as in search', () => {
  const asked: [language: string, question: string, text: string][] = [
    ['de', 'Wann wurde das Boot gekauft?', 'Sie kauften das Boot 1990.'],
    ['en', 'When was the hemoglobin of the guest measured?', 'The haemoglobin of the guest was measured in 1990.'],
  ]
  for (const [language, question, text] of asked)
    assert.equal(
      quote(question, [passage(`The boat, das Boot, the guest. ${text}`)], language).quotes[0],
      text,
      question,
    )
})

test('a repeated measure is expanded once', () => {
  const question = `Wie lang ist das Kabel? ${'lang '.repeat(3900)}`
  const text = `${Array.from({ length: 2000 }, (_, index) => `Wort${index.toString(36)}x`).join(' ')}. Kabellänge: 85 cm.`
  assert.equal(quote(question, [passage(text)], 'de').quotes[0], 'Kabellänge: 85 cm.')
})

test('each text and each question word takes one step', () => {
  const analyzer = createAnalyzer()
  const question = 'Haus, Hof, Garten, Keller, Dach?'
  const units = readQuestionUnits(analyzer, question, ['de'])
  const steps = [...addCompounds(analyzer, units, { question, languages: ['de'], texts: ['Das Haus.', 'Der Hof.'] })]
  assert.equal(steps.length, 5 + 2)
})
