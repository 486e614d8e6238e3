import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Recognition } from '../../models/recognizer.ts'
import type { ImprovedPage, PageToImprove } from '../../models/vision-reader.ts'
import { createPageImprover } from './document-reader.ts'
import type { DrawnPage } from './recognition.ts'

const recognition: Recognition = {
  outcome: 'text',
  text: 'gravel',
  confidence: 0.9,
  blocks: [],
  languages: ['eng'],
  engine: 'embedded one',
  message: null,
  warnings: [],
}
const DRAWN: DrawnPage = {
  recognition,
  width: 1240,
  height: 1754,
  picture: { bytes: new Uint8Array([1]), mediaType: 'image/png' },
}
const { signal } = new AbortController()

type Script = 'reads' | 'fails' | 'invents'

/** A model that does what is scripted for each page, and what it was asked. */
function improverOf(...script: readonly Script[]) {
  const asked: PageToImprove[] = []
  const improve = async (page: PageToImprove): Promise<ImprovedPage> => {
    const what = script[asked.push(page) - 1]
    if (what === 'reads') return { recognition: { ...recognition, engine: 'the model' }, fallback: null }
    return { recognition: page.embedded, fallback: { isFailure: what === 'fails', message: `It ${what}.` } }
  }
  return { asked, read: createPageImprover({ engine: 'the model', improve }, ['de']) }
}

describe('a page read by a vision model', () => {
  it('has the text of the model and no picture', async () => {
    const { asked, read } = improverOf('reads')
    const page = await read(DRAWN, signal)
    assert.deepEqual(page, { recognition: { ...recognition, engine: 'the model' }, width: 1240, height: 1754 })
    assert.deepEqual(asked[0]?.languages, ['de'])
    assert.equal(asked[0]?.signal, signal)
  })

  it('keeps the text of the engine when the model fails, with the reason', async () => {
    const page = await improverOf('invents').read(DRAWN, signal)
    assert.deepEqual([page.recognition, page.fallback], [recognition, 'It invents.'])
  })

  it('is not sent without a picture', async () => {
    const { asked, read } = improverOf('reads')
    const { picture: _, ...blank } = DRAWN
    assert.deepEqual(await read(blank, signal), blank)
    assert.equal(asked.length, 0)
  })

  it('is not sent after two failures in a row', async () => {
    const { asked, read } = improverOf('fails', 'reads', 'fails', 'fails')
    for (let page = 0; page < 4; page++) await read(DRAWN, signal)
    const last = await read(DRAWN, signal)
    assert.equal(asked.length, 4)
    assert.match(last.fallback ?? '', /the model failed on other pages and was skipped/)
    assert.equal(last.recognition, recognition)
  })

  it('is sent after an implausible result, which is not a failure', async () => {
    const { asked, read } = improverOf('invents', 'invents', 'invents', 'reads')
    for (let page = 0; page < 4; page++) await read(DRAWN, signal)
    assert.equal(asked.length, 4)
  })
})
