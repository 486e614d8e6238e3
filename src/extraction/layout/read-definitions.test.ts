import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDefinitions } from './read-definitions.ts'

function read(text: string): [label: string, value: string][] {
  return readDefinitions(text).map(({ label, start, end }) => [label, text.slice(start, end)])
}

test('reads a party of several names as a whole', () => {
  const lease = 'between Margaret Doyle ("the Landlord") and Thomas Reed and Ana Souza ("the Tenants").'
  assert.deepEqual(read(lease), [
    ['the Landlord', 'Margaret Doyle'],
    ['the Tenants', 'Thomas Reed and Ana Souza'],
  ])
  const vertrag =
    'zwischen Frau Helga Brandt, Lindenallee 4 (nachstehend "Vermieterin")\nund Herrn Karim Haddad und Frau Lena Vogt (nachstehend "Mieter")'
  assert.deepEqual(read(vertrag), [
    ['Vermieterin', 'Frau Helga Brandt'],
    ['Mieter', 'Herrn Karim Haddad und Frau Lena Vogt'],
  ])
  const bail =
    'Entre les soussignés :\nMadame Claire Fontan, ci-après « le bailleur »,\net Monsieur Hugo Marchal et Madame Inès Roy, ci-après « les locataires ».'
  assert.deepEqual(read(bail), [
    ['bailleur', 'Madame Claire Fontan'],
    ['locataires', 'Monsieur Hugo Marchal et Madame Inès Roy'],
  ])
})

test('reads a second party without quotes', () => {
  const contrato =
    'entre Don Luis Ortega, en adelante el Arrendador, y Doña Marta Peña y Don Raúl Gil, en adelante los Arrendatarios.'
  assert.deepEqual(read(contrato).at(-1), ['Arrendatarios', 'Doña Marta Peña y Don Raúl Gil'])
})

test('reads only the defined one of two parties', () => {
  assert.deepEqual(read('This agreement is made between Acme Ltd and Bob Smith ("the Tenant").'), [
    ['the Tenant', 'Bob Smith'],
  ])
  assert.deepEqual(read('between Ann Lee and Bob Smith ("the Landlords") and Carl Voss ("the Tenant")'), [
    ['the Landlords', 'Ann Lee and Bob Smith'],
    ['the Tenant', 'Carl Voss'],
  ])
})

test('reads names that may be titles in linear time', () => {
  const clause = `of: ${`${'Don '.repeat(6).trim()}, `.repeat(12)}("the Tenant") `
  assert.ok(readDefinitions(clause.repeat(200)).length <= 200)
})

test('reads parties introduced by role or kind', () => {
  const bail = 'Entre : Monsieur Gérard Lemoine, demeurant à Nantes, ci-après dénommé « le Bailleur », et autres.'
  assert.deepEqual(read(bail), [['Bailleur', 'Monsieur Gérard Lemoine']])
  const contrato =
    'REUNIDOS\nDe una parte, la empresa Aceites Guadalmar, S.A., con CIF A-4, en adelante la Empresa.\nDe otra parte, don Pablo Ferrer, con DNI 28, en adelante el Trabajador.'
  assert.deepEqual(
    read(contrato).map(([label, name]) => [label, name.replace(/\.$/, '')]),
    [
      ['Empresa', 'Aceites Guadalmar, S.A'],
      ['Trabajador', 'Pablo Ferrer'],
    ],
  )
})

test('reads roles in brackets', () => {
  const lease = 'zwischen Herrn Otto Reindl, Bergstraße 9 (Vermieter)\nund Frau Nadine Kopp, Innstraße 31 (Mieterin)'
  assert.deepEqual(read(lease), [
    ['Vermieter', 'Herrn Otto Reindl'],
    ['Mieterin', 'Frau Nadine Kopp'],
  ])
})
