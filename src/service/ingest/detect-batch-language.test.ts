import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectBatchLanguage } from './detect-batch-language.ts'

describe('detectBatchLanguage', () => {
  it('tells the language of turns that are too short alone', async () => {
    const turns = ['Guten Morgen!', 'Wann kommst du?', 'Ich bin um acht da.', 'Und die Kinder?', 'Sie sind schon weg.']
    assert.equal(await detectBatchLanguage(turns), 'de')
  })

  it('looks at texts from the whole of many', async () => {
    const turns = Array.from({ length: 500 }, () => 'Wir sehen uns nach der Arbeit.')
    assert.equal(await detectBatchLanguage(['OK', ...turns]), 'de')
  })

  it('is not known of one text, nor of what is no language', async () => {
    assert.equal(await detectBatchLanguage(['Ich bin um acht da, und die Kinder sind schon weg.']), null)
    assert.equal(await detectBatchLanguage(['P1', '4711', 'KX-200']), null)
  })
})
