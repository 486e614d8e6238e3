import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../../test/support/find-value.ts'

test('how somebody is reached, and when he was born, is no part of his name', () => {
  const letter =
    'Ansprechpartner: Ralf Albrecht, Tel. 07361 889900\nPatient: Herr Bernd Schuster, geb. 30.06.1961, Ahornweg 3'
  assert.equal(value('Ansprechpartner', letter, { language: 'de' }), 'Ralf Albrecht')
  assert.equal(value('Name des Patienten', letter, { language: 'de' }), 'Herr Bernd Schuster')
  assert.equal(value('Contact details', 'Contact: Ann Lee, tel. 555 0101'), 'Ann Lee, tel. 555 0101')
})
