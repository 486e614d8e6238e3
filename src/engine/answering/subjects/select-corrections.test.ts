import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../analysis/analyzer.ts'
import { selectCorrections } from './select-corrections.ts'

const analyzer = createAnalyzer()

function select(query: string, statements: readonly string[], texts: readonly string[], language = 'en'): number[] {
  const corrections = statements.map((statement, at) => ({
    statement,
    topics: [],
    createdAt: `2026-01-0${at + 1}`,
    boost: 1,
  }))
  const passages = texts.map((text) => ({ text, headings: [] }))
  return selectCorrections({ analyzer, query, languages: [language] }, corrections, passages)
}

test('a correction about a sibling is dropped, one about the thing is kept', () => {
  const cases: [query: string, correction: string, text: string, language: string, isKept: boolean][] = [
    [
      'When does the kiosk in Bray open?',
      'The kiosk in Howth opens at 9:00 now.',
      'The kiosk in Bray opens at 10:00.',
      'en',
      false,
    ],
    [
      'When does the kiosk in Howth open?',
      'The kiosk in Howth opens at 9:00 now.',
      'The kiosk in Bray opens at 10:00.',
      'en',
      true,
    ],
    [
      'How many pills do adults take?',
      'Toddlers take one pill.',
      'Toddlers take two pills. Adults take four pills.',
      'en',
      false,
    ],
    ['Combien coûte l’entrée du zoo ?', 'L’entrée du parc coûte 7 €.', 'L’entrée du zoo coûte 3 €.', 'fr', false],
    ['Когда открывается музей?', 'Бассейн открывается в 8 часов.', 'Музей открывается в 9 часов.', 'ru', false],
    [
      '日曜の営業時間は何時までですか。',
      '平日の営業時間は午後8時までです。',
      '日曜の営業時間は午後5時までです。',
      'ja',
      false,
    ],
    [
      '平日の営業時間は何時までですか。',
      '平日の営業時間は午後8時までです。',
      '日曜の営業時間は午後5時までです。',
      'ja',
      true,
    ],
  ]
  for (const [query, correction, text, language, isKept] of cases)
    assert.deepEqual(select(query, [correction], [text], language), isKept ? [0] : [], query)
})

test('a newer correction of the same thing supersedes the older one', () => {
  const rents = ['The rent of room K1 is GBP 430 a month.', 'The rent of room K1 is GBP 445 a month.']
  assert.deepEqual(select('What is the rent of room K1?', rents, []), [1])
  const rooms = ['Room 5 closes at 8:00.', 'Room 6 closes at 9:00.']
  assert.deepEqual(select('When do the rooms close?', rooms, []), [0, 1])
})
