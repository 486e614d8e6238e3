import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, value } from '../../../test/support/find-value.ts'

type Case = [label: string, text: string, expected: boolean | null, language?: string]

function judge(cases: readonly Case[]): void {
  for (const [label, text, expected, language] of cases)
    assert.equal(
      value(label, text, { type: 'boolean', ...(language === undefined ? {} : { language }) }),
      expected,
      text,
    )
}

test('reads included, required, provided and allowed, and their negations', () => {
  judge([
    ['Breakfast included', 'Breakfast is included.', true],
    ['Breakfast included', 'Breakfast included.', true],
    ['Breakfast included', "The price doesn't include breakfast or dinner.", false],
    ['Breakfast included', 'No breakfast is included.', false],
    ['Lunch provided', 'A vegetarian lunch is provided on both days.', true],
    ['Company car', 'A company car is not provided.', false],
    ['Experience required', 'Previous experience is not required.', false],
    ['Accidental damage covered', 'It does not cover accidental damage.', false],
    ['Subletting allowed', 'The tenants may not sublet the flat.', false],
    ['Frühstück enthalten', 'Im Preis enthalten ist das Frühstück.', true, 'de'],
    ['Frühstück enthalten', 'Der Preis enthält kein Frühstück.', false, 'de'],
    ['Fotografieren gestattet', 'Fotografieren ist während des Konzerts nicht gestattet.', false, 'de'],
    ['Petit déjeuner inclus', "Le petit déjeuner n'est pas inclus.", false, 'fr'],
    ['Petit déjeuner inclus', 'Petit déjeuner non inclus.', false, 'fr'],
    ['Trípode incluido', 'El precio no incluye el trípode.', false, 'es'],
    ['Animais permitidos', 'Os animais não são permitidos.', false, 'pt'],
    ['Estacionamento incluído', 'Nenhum estacionamento está incluído.', false, 'pt'],
  ])
})

test('reads complements after a copula', () => {
  judge([
    ['Wheelchair accessible', 'The barn is not wheelchair accessible.', false],
    ['Dogs welcome', 'Dogs are welcome.', true],
    ['Free parking', 'Parking is free.', true],
    ['Barrierefrei', 'Der Saal ist barrierefrei.', true, 'de'],
    ['Parking', 'The only problem is the parking.', null],
  ])
})

test('ignores questions, doubts, conditions and other subjects', () => {
  judge([
    ['Lunch included', 'The price includes lunch but not breakfast.', true],
    ['Breakfast included', 'The price includes lunch but not breakfast.', null],
    ['Breakfast included', 'Breakfast costs extra, but tea is included.', null],
    ['Breakfast included', 'Is breakfast included?', null],
    ['Breakfast included', 'Breakfast is included only on Sundays.', null],
    ['Refundable', 'The deposit is refundable if the flat is clean.', null],
    ['Survey required', 'The insurer may require a survey.', null],
    ['Insurance required', 'Guests who want insurance need to ask.', null],
    ['Automatic renewal', 'Notice is required before automatic renewal.', null],
    ['Work permit required', 'Working from home is allowed.', null],
    ['Smoking allowed', 'Smoking is allowed in the garden and not allowed inside.', null],
  ])
})

test('returns the range of the statement', () => {
  const finding = find('Breakfast included', 'The rate does not include breakfast, which is EUR 14.', {
    type: 'boolean',
  })
  assert.equal(finding?.rawValue, 'not include breakfast')
})

test('reads only contrasts and statements in linear time', () => {
  for (const part of ['lunch but ', 'lunch is included, ', 'but '])
    assert.notEqual(value('Lunch included', part.repeat(10_000), { type: 'boolean' }), false)
})

test('treats forbidden as the opposite of allowed', () => {
  judge([
    ['Subletting allowed', 'Subletting is prohibited.', false],
    ['Smoking prohibited', 'Smoking is prohibited.', true],
    ['Smoking prohibited', 'Smoking is allowed.', false],
    ['Smoking', 'Smoking is forbidden.', false],
    ['Sous-location autorisée', 'Les animaux sont autorisés. La sous-location est interdite.', false, 'fr'],
    ['Animaux autorisés', 'Les animaux sont autorisés. La sous-location est interdite.', true, 'fr'],
  ])
})
