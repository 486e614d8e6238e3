import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguages } from './choose-languages.ts'

const installed = ['chi_sim', 'chi_tra', 'deu', 'eng', 'fra', 'srp_latn']

test('a language is recognized by its codes, tag and English name', () => {
  const hints: readonly (readonly [string, string])[] = [
    ['deu', 'deu'],
    ['de', 'deu'],
    ['DE-at', 'deu'],
    ['ger', 'deu'],
    [' German ', 'deu'],
    ['fre', 'fra'],
    ['zh', 'chi_sim'],
    ['zh-Hant', 'chi_tra'],
    ['srp-latn', 'srp_latn'],
  ]
  for (const [hint, code] of hints)
    assert.deepEqual(
      chooseLanguages([hint], { installed, fallback: ['eng'] }),
      { languages: [code], warnings: [] },
      hint,
    )
})

test('an unknown or missing language falls back, with a warning', () => {
  for (const hint of ['sv', '../../etc', '', 'constructor', '__proto__', 'x'.repeat(10_000)]) {
    const { languages, warnings } = chooseLanguages([hint], { installed, fallback: ['eng'] })
    assert.deepEqual(languages, ['eng'])
    assert.equal(warnings.length, 1)
    assert.ok((warnings[0]?.length ?? 0) < 200)
  }
})

test('a known language without data is named by name, codes and package', () => {
  const { warnings } = chooseLanguages(['sv'], { installed, fallback: ['eng'] })
  assert.deepEqual(warnings, [
    'The language hint "sv" is ignored: the recognition data of Swedish (sv, swe) is not installed. ' +
      'Install the npm package @tesseract.js-data/swe.',
  ])
})

test('several hints are used together, three at most, each once', () => {
  const { languages, warnings } = chooseLanguages(['en', 'eng', 'de', 'sv', 'fr', 'zh'], {
    installed,
    fallback: ['eng'],
  })
  assert.deepEqual(languages, ['eng', 'deu', 'fra'])
  assert.equal(warnings.length, 2)
})
