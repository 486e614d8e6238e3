import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'
import { createAnalyzer } from '../../analysis/analyzer.ts'
import { withCompounds } from './compound-words.ts'
import { readQuestionUnits } from './question-units.ts'

test('a German word is answered by its compounds, and a compound by its parts', () => {
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
    assert.equal(ask(question, [passage(`Das Haus hat Gäste. ${text} Es regnet.`)], 'de').quotes[0], text, question)
})

test('words that end others by chance are none of their parts', () => {
  const text = 'Der Apparat steht im Keller.'
  assert.equal(ask('Wo tagt der Rat?', [passage(text)], 'de').answered, false)
})

test('a word of a question is found in its other forms, as search finds it', () => {
  const asked: [language: string, question: string, text: string][] = [
    ['de', 'Wann wurde das Boot gekauft?', 'Sie kauften das Boot 1990.'],
    ['en', 'When was the hemoglobin of the guest measured?', 'The haemoglobin of the guest was measured in 1990.'],
  ]
  for (const [language, question, text] of asked)
    assert.equal(ask(question, [passage(`The boat, das Boot, the guest. ${text}`)], language).quotes[0], text, question)
})

test('a question that says one measure a thousand times is read as one that says it once', () => {
  const question = `Wie lang ist das Kabel? ${'lang '.repeat(3900)}`
  const text = `${Array.from({ length: 2000 }, (_, index) => `Wort${index.toString(36)}x`).join(' ')}. Kabellänge: 85 cm.`
  assert.equal(ask(question, [passage(text)], 'de').quotes[0], 'Kabellänge: 85 cm.')
})

test('each text and each word of a question is looked at in a step of its own', () => {
  const analyzer = createAnalyzer()
  const question = 'Haus, Hof, Garten, Keller, Dach?'
  const units = readQuestionUnits(analyzer, question, ['de'])
  const steps = [...withCompounds(analyzer, units, { question, languages: ['de'], texts: ['Das Haus.', 'Der Hof.'] })]
  assert.equal(steps.length, 5 + 2)
})
