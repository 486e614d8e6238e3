import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/analyzer.ts'
import { withOtherWords } from './other-words.ts'
import { readQuestionUnits } from './question-units.ts'

const analyzer = createAnalyzer()

function read(question: string, language: string): string[][] {
  const languages = [language]
  const units = readQuestionUnits(analyzer, question, languages)
  return withOtherWords(analyzer, units, { languages, isStrong: true }).map(({ terms }) => [...terms])
}

test('a word that asks for a measure stands for those that give it, and a word of forms for its likes', () => {
  const [heavy = [], tent = []] = read('How heavy is the tent?', 'en')
  assert.ok(heavy.includes('weight'), String(heavy))
  assert.deepEqual(tent, ['tent'])
  const [salary = []] = read('Wie ist das Gehalt?', 'de')
  assert.ok(
    analyzer.terms('Vergütung', 'de').every((term) => salary.includes(term)),
    String(salary),
  )
})

test('a name stands for nothing else', () => {
  assert.deepEqual(read('Who is Big Price?', 'en').at(-1), analyzer.terms('Price', 'en'))
})

test('a German word of two is looked for by its parts as well', () => {
  const parts = read('Wie lautet die Rechnungsnummer?', 'de').flat()
  for (const word of ['Rechnungsnummer', 'Rechnung', 'Nr'])
    assert.ok(
      analyzer.terms(word, 'de').every((term) => parts.includes(term)),
      `${word}: ${parts}`,
    )
})
