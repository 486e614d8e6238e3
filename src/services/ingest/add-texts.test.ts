import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectLanguage } from '../../engine/analysis/detect-language.ts'
import { detectBatchLanguage } from './add-texts.ts'

const detect = async (text: string) => detectLanguage(text)

describe('detectBatchLanguage', () => {
  it('tells the language of turns that are too short alone', async () => {
    const turns = ['Guten Morgen!', 'Wann kommst du?', 'Ich bin um acht da.', 'Und die Kinder?', 'Sie sind schon weg.']
    assert.equal(await detectBatchLanguage(detect, turns), 'de')
  })

  it('looks at texts from the whole of many', async () => {
    const turns = Array.from({ length: 500 }, () => 'Wir sehen uns nach der Arbeit.')
    assert.equal(await detectBatchLanguage(detect, ['OK', ...turns]), 'de')
  })

  it('is not known of one text, nor of what is no language', async () => {
    assert.equal(await detectBatchLanguage(detect, ['Ich bin um acht da, und die Kinder sind schon weg.']), null)
    assert.equal(await detectBatchLanguage(detect, ['P1', '4711', 'KX-200']), null)
  })
})
