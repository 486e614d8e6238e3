import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Recognition } from '../../models/recognizer.ts'
import type { ReadEvent } from './read-event.ts'
import { omittedPageEvents, recognizedPageEvents } from './scan-events.ts'

const PLAN = { enabled: true, maxPages: 50, mode: 'fast', vision: false, languages: [] } as const

function page(text: string) {
  return { page: 4, widthPoints: 595, heightPoints: 842, text }
}

function recognition(facts: Partial<Recognition>) {
  const nothing = {
    text: '',
    confidence: 0,
    blocks: [],
    languages: ['eng'],
    engine: 'fake',
    message: null,
    warnings: [],
  }
  return { recognition: { outcome: 'text' as const, ...nothing, ...facts }, width: 1, height: 1 }
}

function describeEvents(events: readonly ReadEvent[]) {
  const texts = events.flatMap((event) => ('block' in event ? [event.block.text] : [])).join('')
  const [receipt] = events.flatMap((event) => ('page' in event ? [event] : []))
  return { texts, receipt: receipt?.page, fate: receipt !== undefined && 'fate' in receipt ? receipt.fate : null }
}

describe('a page that is a picture', () => {
  it('becomes a paragraph for each block, each with the page, and a receipt with the confidence', () => {
    const blocks = ['One\ntwo.', 'Three.'].map((text) => ({ text, confidence: 0.9, bbox: [0, 0, 1, 1] as never }))
    const events = recognizedPageEvents(
      page(''),
      recognition({ text: 'One\ntwo.\n\nThree.', blocks, confidence: 0.87 }),
    )
    assert.deepEqual(describeEvents(events), {
      texts: 'One\ntwo.\n\nThree.\n\n',
      receipt: { page: 4, method: 'ocr', characters: 18, confidence: 0.87, message: null },
      fate: 'recognized',
    })
    assert.ok(events.every((event) => !('block' in event) || event.block.page === 4))
  })

  it('keeps what it has of its own where that was not recognised, and only there', () => {
    const blocks = [{ text: 'RECEIVED  3 May\nDear Sir', confidence: 0.9, bbox: [0, 0, 1, 1] as never }]
    const done = recognition({ text: 'RECEIVED  3 May\nDear Sir', blocks })
    const { texts } = describeEvents(recognizedPageEvents(page('Received 3 May\nA remark\n'), done))
    assert.equal(texts, 'RECEIVED  3 May\nDear Sir\n\nA remark\n\n')
    const failed = recognition({ outcome: 'nonsense', message: 'Not believable.' })
    assert.deepEqual(describeEvents(recognizedPageEvents(page('Stamp\n'), failed)), {
      texts: 'Stamp\n\n',
      receipt: { page: 4, method: 'failed', characters: 7, confidence: null, message: 'Not believable.' },
      fate: 'recognized',
    })
  })

  it('says why it has no text', () => {
    const outcomes = [
      recognizedPageEvents(page(''), recognition({ outcome: 'blank', message: 'The page is blank.' })),
      recognizedPageEvents(page(''), recognition({ outcome: 'timeout', message: 'It took too long.' })),
      omittedPageEvents(page(''), 'off', PLAN),
      omittedPageEvents(page(''), 'over-limit', PLAN),
    ].map(describeEvents)
    assert.deepEqual(
      outcomes.map(({ receipt, fate }) => [receipt?.method, receipt?.message, fate]),
      [
        ['empty', 'The page is blank.', 'recognized'],
        ['failed', 'It took too long.', 'failed'],
        ['empty', 'The page is a picture, and enableOcr is false.', 'off'],
        ['failed', 'Not recognised: ocrMaxPages is 50.', 'over-limit'],
      ],
    )
  })
})
