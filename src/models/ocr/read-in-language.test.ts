import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reading } from './compose-reading.ts'
import { type LanguageReadingDeps, readInLanguage } from './read-in-language.ts'

const TEXT = 'A text of more than twenty-four letters.'

function reading(confidence: number, text = TEXT): Reading {
  const blocks = text === '' ? [] : [{ text, confidence, bbox: [0, 0, 9, 9] as [number, number, number, number] }]
  const weight = Math.max(0, confidence - 0.4) * text.length
  return { blocks, confidence, weight, hasNonsense: text === '', characters: TEXT.length }
}

type Facts = {
  /** Readings by languages, joined by `+`. */
  readings: Record<string, Reading | null | Error>
  language?: string | null
  script?: string | null
  installed?: string[]
}

function setUp({ readings, language = null, script = null, installed = ['deu', 'eng', 'fra'] }: Facts) {
  const asked: string[] = []
  const deps: LanguageReadingDeps = {
    installed,
    read: async (languages) => {
      asked.push(languages.join('+'))
      const made = readings[languages.join('+')]
      if (made instanceof Error) throw made
      return made ?? null
    },
    detectLanguage: async () => language,
    detectScript: async () => {
      asked.push('script')
      return script
    },
  }
  return { asked, deps }
}

test('a page of another language is read again in it, and the better reading is kept', async () => {
  const { asked, deps } = setUp({ readings: { eng: reading(0.85), deu: reading(0.95) }, language: 'de' })
  const { languages, reading: best, note } = await readInLanguage(['eng'], deps)
  assert.deepEqual([asked, languages, best?.confidence, note], [['eng', 'deu'], ['deu'], 0.95, null])
})

test('a second reading that is no better is dropped', async () => {
  const { deps } = setUp({ readings: { eng: reading(0.85), fra: reading(0.8) }, language: 'fr' })
  assert.deepEqual((await readInLanguage(['eng'], deps)).languages, ['eng'])
})

test('a page in one of the languages it was read in, or of no certain language, is read once', async () => {
  for (const language of ['de', 'en', null]) {
    const { asked, deps } = setUp({ readings: { 'eng+deu': reading(0.9) }, language })
    await readInLanguage(['eng', 'deu'], deps)
    assert.deepEqual(asked, ['eng+deu'], String(language))
  }
})

test('a page with long paragraphs in two languages is read in both', async () => {
  const paragraphs = ['english', 'deutsch'].map((word) => `${word} `.repeat(20))
  const two = reading(0.9, paragraphs.join(''))
  const [block] = two.blocks
  const blocks = paragraphs.flatMap((text) => (block === undefined ? [] : [{ ...block, text }]))
  const { asked, deps } = setUp({
    readings: { eng: { ...two, blocks }, 'eng+deu': reading(0.95, 'better '.repeat(90)) },
  })
  const detectLanguage = async (text: string) => (text.startsWith('english') ? 'en' : 'de')
  const { languages } = await readInLanguage(['eng'], { ...deps, detectLanguage })
  assert.deepEqual(
    [asked, languages],
    [
      ['eng', 'eng+deu'],
      ['eng', 'deu'],
    ],
  )
})

test('a language without data is named where letters are doubtful', async () => {
  const doubtful = setUp({ readings: { eng: reading(0.85) }, language: 'pl' })
  assert.equal(
    (await readInLanguage(['eng'], doubtful.deps)).note,
    'Letters may be wrong: the recognition data of Polish (pl, pol) is not installed. ' +
      'Install the npm package @tesseract.js-data/pol.',
  )
  const sure = setUp({ readings: { eng: reading(0.96) }, language: 'pl' })
  assert.equal((await readInLanguage(['eng'], sure.deps)).note, null)
})

test('nonsense in another script is dropped, and the note names script, language and package', async () => {
  for (const text of ['', TEXT]) {
    const { deps } = setUp({ readings: { eng: reading(text === '' ? 0.3 : 0.56, text) }, script: 'Cyrl' })
    const { reading: rest, note } = await readInLanguage(['eng'], deps)
    assert.deepEqual([rest?.blocks, rest?.hasNonsense], [[], true])
    assert.match(note ?? '', /Cyrillic script, as Russian \(ru, rus\).*@tesseract\.js-data\/rus/)
  }
})

test('sure words among nonsense are kept', async () => {
  const { deps } = setUp({ readings: { eng: reading(0.9, 'HARBOUR') }, script: 'Hani' })
  const { reading: rest, note } = await readInLanguage(['eng'], deps)
  assert.equal(rest?.blocks[0]?.text, 'HARBOUR')
  assert.match(note ?? '', /Han script/)
})

test('nonsense in the script of an installed language is read again in it', async () => {
  const { asked, deps } = setUp({
    readings: { eng: reading(0.3, ''), 'bul+rus': reading(0.9) },
    script: 'Cyrl',
    installed: ['bul', 'eng', 'rus'],
  })
  assert.deepEqual((await readInLanguage(['eng'], deps)).languages, ['bul', 'rus'])
  assert.deepEqual(asked, ['eng', 'script', 'bul+rus'])
})

test('a poor page in the script of its languages stays as it is', async () => {
  for (const script of ['Latn', null]) {
    const { deps } = setUp({ readings: { eng: reading(0.6) }, script })
    const { reading: same, note } = await readInLanguage(['eng'], deps)
    assert.deepEqual([same?.blocks.length, note], [1, null])
  }
})

test('a failure of a later pass keeps the first, a blank page is not read again', async () => {
  const failing = setUp({ readings: { eng: reading(0.85), deu: new Error('ended') }, language: 'de' })
  assert.deepEqual((await readInLanguage(['eng'], failing.deps)).languages, ['eng'])
  const blank = setUp({ readings: { eng: null }, language: 'de' })
  assert.equal((await readInLanguage(['eng'], blank.deps)).reading, null)
  assert.deepEqual(blank.asked, ['eng'])
})
