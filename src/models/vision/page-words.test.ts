import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeParagraphs } from './page-words.ts'

type Box = [number, number, number, number]
const blockOf = (text: string, bbox: Box) => ({ text, confidence: 0.9, bbox })
const place = (text: string, blocks: ReturnType<typeof blockOf>[]) =>
  placeParagraphs(text, { blocks, width: 600, height: 800 })

describe('placeParagraphs', () => {
  const heading = blockOf('Minutes of the board', [50, 40, 300, 30])
  const left = blockOf('The lock leaks', [50, 100, 200, 20])
  const right = blockOf('badly, say members.', [260, 95, 220, 30])

  it('gives each paragraph the box of the blocks with its words', () =>
    assert.deepEqual(place('Minutes of the board\n\nThe lock leaks badly, say members.', [heading, left, right]), [
      { text: 'Minutes of the board', confidence: 1, bbox: [50, 40, 300, 30] },
      { text: 'The lock leaks badly, say members.', confidence: 1, bbox: [50, 95, 430, 30] },
    ]))

  it('is as sure as two readers agree', () => {
    const [paragraph] = place('The lock leaks oil', [left])
    assert.equal(paragraph?.confidence, 0.875)
  })

  it('is in doubt of what nobody else read, and places it on the whole page', () =>
    assert.deepEqual(place('A note by hand', [heading])[0], {
      text: 'A note by hand',
      confidence: 0.5,
      bbox: [0, 0, 600, 800],
    }))

  it('lets a word that was read once confirm one word', () => {
    const [first, second] = place('leaks\n\nleaks', [blockOf('leaks', [1, 2, 3, 4])])
    assert.deepEqual([first?.confidence, second?.confidence], [1, 0.5])
  })
})
