import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectLanguage } from '../../engine/analysis/detect-language.ts'
import { detectBatchLanguage } from './add-texts.ts'

const detect = async (text: string) => detectLanguage(text)

describe('detectBatchLanguage', () => {
  it('detects the language of short turns together', async () => {
    const turns = ['Guten Morgen!', 'Wann kommst du?', 'Ich bin um acht da.', 'Und die Kinder?', 'Sie sind schon weg.']
    assert.equal(await detectBatchLanguage(detect, turns), 'de')
  })

  it('samples texts across a large batch', async () => {
    const turns = Array.from({ length: 500 }, () => 'Wir sehen uns nach der Arbeit.')
    assert.equal(await detectBatchLanguage(detect, ['OK', ...turns]), 'de')
  })

  it('returns null for a single text and for text without language', async () => {
    assert.equal(await detectBatchLanguage(detect, ['Ich bin um acht da, und die Kinder sind schon weg.']), null)
    assert.equal(await detectBatchLanguage(detect, ['P1', '4711', 'KX-200']), null)
  })
})
