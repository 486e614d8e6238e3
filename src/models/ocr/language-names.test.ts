import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLanguage, describeMissingScript, scriptOf, toScript } from './language-names.ts'

test('a language is described by its English name and both codes', () => {
  assert.equal(describeLanguage('rus'), 'Russian (ru, rus)')
  assert.equal(describeLanguage('chi_tra'), 'Chinese (zh, chi_tra)')
  assert.equal(describeLanguage('fil'), 'Filipino (fil)')
  assert.equal(describeLanguage('equ_1'), 'equ_1')
})

test('a language has the script it is mostly written in, unless its code names another', () => {
  const codes = ['eng', 'rus', 'srp', 'srp_latn', 'chi_sim', 'chi_tra', 'jpn', 'hin', 'unknown_code']
  assert.deepEqual(codes.map(scriptOf), ['Latn', 'Cyrl', 'Cyrl', 'Latn', 'Hani', 'Hani', 'Jpan', 'Deva', null])
})

test('a missing script names its most frequent language and the package', () => {
  assert.equal(
    describeMissingScript(toScript('Han') ?? ''),
    'The page seems to be in Han script, as Chinese (zh, chi_sim), whose recognition data is not installed. ' +
      'Install the npm package @tesseract.js-data/chi_sim.',
  )
  for (const name of ['Arabic', 'Bengali', 'Cyrillic', 'Devanagari', 'Greek', 'Hebrew', 'Japanese', 'Korean', 'Thai'])
    assert.match(describeMissingScript(toScript(name) ?? '') ?? '', /@tesseract\.js-data\/[a-z]{3}/, name)
  assert.equal(toScript('constructor'), null)
  assert.equal(toScript(null), null)
})
