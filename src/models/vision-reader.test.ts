import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Recognition } from './recognizer.ts'
import { disbelieve, placeParagraphs } from './vision-reader.ts'

const PAGE = 'Minutes of the harbour board. The lock leaks badly, and the surveyor found gravel under the meadow.'

function readingOf(text: string, confidence: number): Recognition {
  const blocks = text === '' ? [] : [{ text, confidence, bbox: [0, 0, 10, 10] as [number, number, number, number] }]
  const outcome = text === '' ? 'nonsense' : 'text'
  return { outcome, text, confidence, blocks, languages: ['eng'], engine: 'e', message: null, warnings: [] }
}
const judge = (text: string, embedded = readingOf(PAGE, 0.95), isCut = false) => disbelieve({ text, isCut }, embedded)

describe('disbelieve', () => {
  it('accepts a transcript with the confident words of the engine', () => {
    assert.equal(judge(PAGE), null)
    assert.equal(judge(`${PAGE.toUpperCase()}\n\nAnd a note by hand.`), null)
  })

  it('rejects instructions followed, refusals and transcripts of other pages', () => {
    assert.equal(judge('HACKED'), 'did not copy the page')
    assert.equal(judge("I'm sorry, I can't help with that."), 'did not copy the page')
    assert.equal(
      judge('Quarterly figures: revenue rose by 12 per cent in the north and fell in the south.'),
      'did not copy the page',
    )
  })

  it('accepts a letter that begins like a refusal', () => {
    const letter = 'I am sorry that the cooperative at Velmora lost so many apples in March.'
    assert.equal(judge(letter, readingOf(letter, 0.9)), null)
  })

  it('detects refusals by their form if the engine read nothing', () => {
    assert.equal(judge('Dear Anna, the plums are ripe.', readingOf('', 0)), null)
    assert.equal(judge('I cannot read this picture.', readingOf('', 0)), 'did not copy the page')
    assert.equal(judge('Dear Anna', readingOf(PAGE, 0.5)), null, 'nor is it sure of what it doubts')
  })

  it('rejects empty answers', () => {
    for (const text of ['', '  \n', '[no text]', ' [No text]\n']) assert.equal(judge(text), 'gave no text')
    assert.equal(judge(PAGE, readingOf(PAGE, 0.95), true), 'did not finish')
    assert.equal(judge(Array.from({ length: 5_000 }, (_, at) => `word${at}`).join(' ')), 'did not finish')
  })

  it('rejects repetition, but not a form with dotted lines', () => {
    assert.equal(judge(`${PAGE}\n${'the lock leaks\n'.repeat(20)}`), 'repeated itself')
    assert.equal(judge(`${PAGE} ${'leaks badly '.repeat(30)}`), 'repeated itself')
    assert.equal(judge(`${PAGE}\n${'........\n'.repeat(30)}`), null)
  })
})

type Box = [number, number, number, number]
const blockOf = (text: string, bbox: Box) => ({ text, confidence: 0.9, bbox })
const place = (text: string, blocks: ReturnType<typeof blockOf>[]) =>
  placeParagraphs(text, { blocks, width: 600, height: 800 })

describe('placeParagraphs', () => {
  const heading = blockOf('Minutes of the board', [50, 40, 300, 30])
  const left = blockOf('The lock leaks', [50, 100, 200, 20])
  const right = blockOf('badly, say members.', [260, 95, 220, 30])

  it('assigns each paragraph the box of the blocks with its words', () =>
    assert.deepEqual(place('Minutes of the board\n\nThe lock leaks badly, say members.', [heading, left, right]), [
      { text: 'Minutes of the board', confidence: 1, bbox: [50, 40, 300, 30] },
      { text: 'The lock leaks badly, say members.', confidence: 1, bbox: [50, 95, 430, 30] },
    ]))

  it('derives the confidence from the agreement of two readers', () => {
    const [paragraph] = place('The lock leaks oil', [left])
    assert.equal(paragraph?.confidence, 0.875)
  })

  it('gives unconfirmed text a low confidence and the box of the page', () =>
    assert.deepEqual(place('A note by hand', [heading])[0], {
      text: 'A note by hand',
      confidence: 0.5,
      bbox: [0, 0, 600, 800],
    }))

  it('uses each word of the engine to confirm one word only', () => {
    const [first, second] = place('leaks\n\nleaks', [blockOf('leaks', [1, 2, 3, 4])])
    assert.deepEqual([first?.confidence, second?.confidence], [1, 0.5])
  })
})
