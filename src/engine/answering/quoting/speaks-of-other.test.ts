import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpeaksOfOther } from './speaks-of-other.ts'

function speaksOfOther(text: string, words: string, sentence: string, around = sentence): boolean {
  const question = { text, kind: 'other', words: words.split(' '), hasCapitalNouns: false } as const
  return createSpeaksOfOther(question)(sentence, around)
}

test('another year is told behind the same word, or behind a month in both', () => {
  assert.equal(speaksOfOther('paid leave in 2023?', 'paid leave', 'In 2024 staff get 25 days.'), true)
  assert.equal(speaksOfOther('бюджет на 2022 год?', 'бюджет', 'Бюджет на 2025 год принят.'), true)
  assert.equal(speaksOfOther('minutes of 3 January 2022?', 'minutes', 'Minutes, 12 June 2024'), true)
  assert.equal(speaksOfOther('paid leave in 2024?', 'paid leave', 'In 2024 staff get 25 days.'), false)
})

test('a year is no other where the text has both, where it ends or begins something, or where a time is asked for', () => {
  assert.equal(
    speaksOfOther('leave in 2023?', 'leave', 'In 2024 it grew.', 'In 2023 it was 5. In 2024 it grew.'),
    false,
  )
  assert.equal(speaksOfOther('who maintains it in 2030?', 'maintains', 'Stanmore maintains it until 2035.'), false)
  const question = {
    text: 'When did the war of 1939 end?',
    kind: 'date',
    words: ['war', 'end'],
    hasCapitalNouns: false,
  }
  assert.equal(createSpeaksOfOther({ ...question, kind: 'date' })('It was the end of 1945.', ''), false)
})

test('another name is told behind the same word', () => {
  assert.equal(speaksOfOther('How deep is Lake Morven?', 'deep lake morven', 'Lake Ardal\nIt is 212 m deep.'), true)
  assert.equal(speaksOfOther('How deep is Lake Ardal?', 'deep lake ardal', 'Lake Ardal\nIt is 212 m deep.'), false)
  assert.equal(
    speaksOfOther('Who led Lake Morven Trust?', 'led lake morven trust', 'The Lake Trust was led by Ann.'),
    false,
  )
  const around = 'Lake Ardal and Lake Morven'
  assert.equal(speaksOfOther('How deep is Lake Morven?', 'deep lake morven', 'Lake Ardal is deep.', around), false)
})

test('a word that says nothing comes before any name', () => {
  assert.equal(
    speaksOfOther('Which fee has Contoso with Acme?', 'fee contoso acme', 'A contract with Brightwell.'),
    false,
  )
})

test('forms and misspellings of a name are no other name', () => {
  assert.equal(speaksOfOther('What gave John Sheeshanks?', 'gave john', 'John Sheepshanks gave 233 paintings.'), false)
  assert.equal(
    speaksOfOther('Where did Chinese Nationalists go?', 'chinese', 'Nationalist and Chinese Communist troops.'),
    false,
  )
})

test('where every noun has a capital, no capital tells a name', () => {
  const asked = { kind: 'other', hasCapitalNouns: true, words: ['warschauer'] } as const
  const isOther = createSpeaksOfOther({ ...asked, text: 'Wie groß war die Warschauer Bevölkerung?' })
  assert.equal(isOther('Warschauer Einwohner gab es viele.', ''), false)
})
