import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillLine, made, place, placeLine, placeWord, readPage } from '../../../../test/support/place-glyphs.ts'
import { layOutPage } from './lay-out-page.ts'

describe('laying out a page', () => {
  it('reads justified lines with wide gaps as text', () => {
    const texts = [
      'the pump of the upper station is',
      'extraordinarily unreliable whenever',
      'temperatures fall considerably',
      'below what they said',
      'the manufacturer had foreseen',
    ]
    const lines = texts.map((text, index) => fillLine(text, 700 - 12 * index))
    assert.deepEqual(readPage(...lines), [texts.join(' ')])
  })

  it("continues a line after TeX's wider gap between sentences", () => {
    const words: (readonly [number, string])[] = [
      [50, 'Bring'],
      [80, 'a'],
      [90, 'good'],
      [115, 'coat.'],
      [151, 'It'],
      [166, 'is'],
      [181, 'cold'],
    ]
    assert.deepEqual(readPage(placeLine(words, 700)), ['Bring a good coat. It is cold'])
  })

  it('continues a line after a sentence that ends with a footnote number', () => {
    const words: (readonly [number, string])[] = [
      [50, 'Bring'],
      [80, 'a'],
      [90, 'good'],
      [115, 'coat.1'],
      [156, 'It'],
      [171, 'is'],
      [186, 'cold'],
    ]
    assert.deepEqual(readPage(placeLine(words, 700)), ['Bring a good coat.1 It is cold'])
  })

  it('reads a line with a blank to fill in as part of its paragraph', () => {
    const lines = [
      [
        [50, 'made'],
        [75, 'this'],
        [100, 'day'],
        [120, 'of'],
        [200, ','],
        [210, '20'],
        [225, 'by'],
        [240, 'the'],
      ],
      [
        [50, 'Northern'],
        [95, 'Seed'],
        [120, 'Company,'],
        [165, 'called'],
        [200, 'the'],
        [220, 'Seller,'],
      ],
      [
        [50, 'and'],
        [70, 'the'],
        [90, 'Buyer.'],
      ],
    ] as const
    const glyphs = lines.map((words, index) => placeLine(words, 700 - 12 * index))
    assert.deepEqual(readPage(...glyphs), [
      'made this day of , 20 by the Northern Seed Company, called the Seller, and the Buyer.',
    ])
  })

  it('emits the label of a check box once when the page displays it too', () => {
    const box = (text: string, y: number) => ({ text, left: 50, right: 60, bottom: y - 2, top: y + 8 })
    const lines = [placeLine([[65, 'Winter berth']], 700), placeLine([[65, 'Mooring']], 660)]
    const blocks = layOutPage({
      glyphs: lines.flat(),
      placed: [box('[x] Winter berth', 700), box('[ ] Summer berth', 660)],
      rules: [],
    })
    assert.deepEqual(
      blocks.map(({ text }) => text),
      ['[x]\tWinter berth', '[ ] Summer berth\tMooring'],
    )
  })

  it('takes time linear in the cells of a very long row', () => {
    const row = Array.from({ length: 40_000 }, (_, at) => place('a', { x: 30 * at, y: 700 }))
    assert.equal(
      layOutPage({ glyphs: row, placed: [], rules: [] })
        .map(({ text }) => text)
        .join('')
        .replaceAll(/\s/g, '').length,
      40_000,
    )
  })

  it('reads a line of letters only in linear time', () => {
    const started = performance.now()
    assert.equal(readPage(placeWord('文'.repeat(40_000), { x: 50, y: 700 }))[0]?.length, 40_000)
    assert.ok(performance.now() - started < 10_000, 'this one took a minute')
  })

  it('joins adjacent glyphs that PDFium separates, such as a letter and a ligature', () => {
    const end = made('\n', { x: 55, y: 700 })
    assert.deepEqual(readPage([place('O', { x: 50, y: 700 }), end, ...placeWord('ffer', { x: 55, y: 700 })]), ['Offer'])
    assert.deepEqual(readPage([place('O', { x: 50, y: 700 }), end, ...placeWord('ffer', { x: 57, y: 700 })]), [
      'O ffer',
    ])
  })

  it('decodes ligatures of bitmap fonts and joins accents with their letters', () => {
    const line = [...placeWord('o\u000ecially', { x: 50, y: 700 }), ...placeWord('\u00a8', { x: 65, y: 700 })]
    assert.deepEqual(readPage(line.map((glyph) => ({ ...glyph, isBitmapFont: true as const }))), ['offic\u00efally'])
  })

  it('reads lines top down when the file has them bottom up, as on a rotated page', () => {
    const texts = ['The pump of the upper station', 'is unreliable whenever', 'it is cold.']
    const lines = texts.map((text, index) => placeLine([[50, text]], 700 - 12 * index))
    assert.deepEqual(readPage(...lines.reverse()), [texts.join(' ')])
  })

  describe('two columns with a separate line in the middle of the page', () => {
    const column = (x: number, lines: readonly string[]) =>
      lines.map((line, index) => placeLine([[x, line]], 680 - 12 * index))
    const left = column(50, ['The pump of the', 'station stops', 'in winter, and', 'at times also', 'in summer.'])
    const right = column(150, ['Oil it when it', 'is cold.'])
    const texts = ['The pump of the station stops in winter, and at times also in summer.', 'Oil it when it is cold.']

    it('end before the page number, which is last in the file', () => {
      assert.deepEqual(readPage(...left, ...right, placeLine([[132, '7']], 600)), [...texts, '7'])
    })

    it('start after the title, which is first in the file', () => {
      assert.deepEqual(readPage(placeLine([[142, 'Pumps']], 705), ...left, ...right), ['Pumps', ...texts])
    })
  })
})
