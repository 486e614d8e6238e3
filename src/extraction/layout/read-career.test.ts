import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCareer } from './read-career.ts'
import { splitCells } from './split-cells.ts'

function read(text: string, section: string | null = null): string[] {
  return readCareer(text, splitCells(text), section).map(
    ({ label, start, end }) => `${label}: ${text.slice(start, end)}`,
  )
}

test('reads position and employer, or degree and university', () => {
  const text =
    'EXPERIENCE\n2019 – 2022  Engineer, Acme Ltd, Hull\n- **03/2014 – 05/2019:** Fitter at Orme\nBuilt pumps, and sold them.\n\n' +
    'EDUCATION\n2014: MEng Mechanics, University of Bath\n\nINTERESTS\n2012 – 2014  Chess, sailing'
  assert.deepEqual(read(text), [
    'position: Engineer',
    'employer: Acme Ltd',
    'position: Fitter',
    'employer: Orme',
    'degree: MEng Mechanics',
    'university: University of Bath',
  ])
})

test('reads entries below an earlier heading, in other languages, and with the employer first', () => {
  assert.deepEqual(read('seit 09/2019 Projektleiterin, Alpenbau GmbH', 'Lebenslauf > Berufserfahrung'), [
    'position: Projektleiterin',
    'employer: Alpenbau GmbH',
  ])
  assert.deepEqual(read('Expérience\n2018 – aujourd’hui : Durand SARL, comptable'), [
    'position: comptable',
    'employer: Durand SARL',
  ])
})

test('ignores other lines with years', () => {
  assert.deepEqual(read('2019 – 2022  Engineer, Acme Ltd'), [])
  assert.deepEqual(read('Experience\n2019  Award for design, Acme Ltd\nIn 2019 – 2022 we grew, as planned'), [])
})
