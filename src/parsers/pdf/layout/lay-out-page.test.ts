import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Glyph } from '../page-glyphs.ts'
import { layOutPage } from './lay-out-page.ts'

const SIZE = 10
const LETTER = 5

/** A word as a file without spaces places it: every letter as wide as every other. */
function placeWord(text: string, { x, y, dx = LETTER }: { x: number; y: number; dx?: number }): Glyph[] {
  return [...text].map((letter, index) => place(letter, { x: x + dx * index, y }))
}

function place(text: string, { x, y }: { x: number; y: number }): Glyph {
  return { text, left: x, right: x + LETTER, baseline: y, size: SIZE, isBold: false, angle: 0, isGenerated: false }
}

function made(text: string, { x, y }: { x: number; y: number }): Glyph {
  return { ...place(text, { x, y }), right: x, isGenerated: true }
}

/** Words beside each other, from places on, with what PDFium puts between them. */
function placeLine(words: readonly (readonly [number, string])[], y: number): Glyph[] {
  const glyphs = words.flatMap(([x, word]) => [...placeWord(word, { x, y }), made(' ', { x, y })])
  return [...glyphs.slice(0, -1), made('\n', { x: 0, y })]
}

/** A line that is filled from 50 to `right`: all gaps are equally wide. */
function fillLine(text: string, y: number, right = 250): Glyph[] {
  const words = text.split(' ')
  const gap = (right - 50 - LETTER * words.join('').length) / (words.length - 1)
  let x = 50
  const placed = words.map((word) => {
    const at = [x, word] as const
    x += LETTER * word.length + gap
    return at
  })
  return placeLine(placed, y)
}

function read(...lines: readonly Glyph[][]): string[] {
  return layOutPage(lines.flat(), []).map((block) => block.text)
}

describe('laying out a page', () => {
  it('reads lines that were filled with wide gaps as the text they are', () => {
    const texts = [
      'the pump of the upper station is',
      'extraordinarily unreliable whenever',
      'temperatures fall considerably',
      'below what they said',
      'the manufacturer had foreseen',
    ]
    const lines = texts.map((text, index) => fillLine(text, 700 - 12 * index))
    assert.deepEqual(read(...lines), [texts.join(' ')])
  })

  it('keeps the rows of a table whose gaps are equally wide and stand under each other', () => {
    const rows = [
      ['Mon', 'Tue', 'Wed', 'Thu'],
      ['one', 'two', 'six', 'ten'],
    ]
    const lines = rows.map((row, index) => fillLine(row.join(' '), 700 - 12 * index))
    assert.deepEqual(
      read(...lines),
      rows.map((row) => row.join('\t')),
    )
  })

  it('reads on behind the wider gap that TeX leaves between sentences', () => {
    const words: (readonly [number, string])[] = [
      [50, 'Bring'],
      [80, 'a'],
      [90, 'good'],
      [115, 'coat.'],
      [151, 'It'],
      [166, 'is'],
      [181, 'cold'],
    ]
    assert.deepEqual(read(placeLine(words, 700)), ['Bring a good coat. It is cold'])
  })

  it('reads on behind a sentence that ends with the number of a note', () => {
    const words: (readonly [number, string])[] = [
      [50, 'Bring'],
      [80, 'a'],
      [90, 'good'],
      [115, 'coat.1'],
      [156, 'It'],
      [171, 'is'],
      [186, 'cold'],
    ]
    assert.deepEqual(read(placeLine(words, 700)), ['Bring a good coat.1 It is cold'])
  })

  describe('the number of a section before its heading', () => {
    const enlarge = (line: readonly Glyph[]) => line.map((glyph) => ({ ...glyph, size: 14, isBold: true }))
    const pair = (left: string, right: string, y: number) => [
      ...placeWord(left, { x: 50, y }),
      made(' ', { x: 50 + LETTER * left.length, y }),
      ...placeLine([[75 + LETTER * left.length, right]], y),
    ]

    it('is of one line with it, whatever stands below', () => {
      const lines = [
        enlarge(pair('1', 'Coats', 700)),
        pair('Waterproof', 'ones', 680),
        enlarge(pair('A.1', 'Boots', 655)),
        placeLine([[50, 'Of leather']], 635),
      ]
      assert.deepEqual(read(...lines), ['1 Coats', 'Waterproof\tones', 'A.1 Boots', 'Of leather'])
    })

    it('stands before all lines of the heading', () => {
      const lines = [
        enlarge(pair('2.1', 'Coats', 700)),
        enlarge(placeLine([[90, 'and hats']], 685)),
        placeLine([[50, 'Of wool, and warm']], 660),
        placeLine([[50, 'in the winter']], 648),
      ]
      assert.deepEqual(read(...lines), ['2.1 Coats and hats', 'Of wool, and warm in the winter'])
    })

    it('is a cell in the last row of a table, however that looks', () => {
      const rows = [pair('Qty', 'Item', 700), pair('2  ', 'Coats', 685), pair('3  ', 'Boots', 670)]
      assert.deepEqual(read(...rows, enlarge(pair('5  ', 'Total', 655))), [
        'Qty\tItem',
        '2\tCoats',
        '3\tBoots',
        '5\tTotal',
      ])
    })

    it('is a cell in a table, and in a table of contents', () => {
      const rows = [enlarge(pair('1', 'Coats', 700)), enlarge(pair('2', 'Boots', 680))]
      assert.deepEqual(read(...rows), ['1\tCoats', '2\tBoots'])
      const contents = [enlarge(pair('1', 'Coats.....4', 700)), pair('1.1', 'Waterproof.....4', 680)]
      assert.deepEqual(read(...contents), ['1\tCoats.....4', '1.1\tWaterproof.....4'])
    })
  })

  it('reads a line with a blank to be filled in as part of its paragraph', () => {
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
    assert.deepEqual(read(...glyphs), [
      'made this day of , 20 by the Northern Seed Company, called the Seller, and the Buyer.',
    ])
  })

  it('puts a head over several columns into the first of them, and what stands behind it into its own', () => {
    const rows: (readonly (readonly [number, string])[])[] = [
      [
        [148, '2023 all'],
        [278, '2024 all'],
      ],
      [
        [50, 'Port'],
        [130, 'Ships'],
        [170, 'Tons'],
        [260, 'Ships'],
        [300, 'Tons'],
      ],
      [
        [50, 'Quay'],
        [130, '11'],
        [170, '1100'],
        [260, '12'],
        [300, '1200'],
      ],
      [
        [50, 'Mole'],
        [130, 'closed all year'],
        [260, '7'],
        [300, '700'],
      ],
    ]
    assert.deepEqual(read(...rows.map((row, index) => placeLine(row, 700 - 14 * index))), [
      '\t2023 all\t\t2024 all',
      'Port\tShips\tTons\tShips\tTons',
      'Quay\t11\t1100\t12\t1200',
      'Mole\tclosed all year\t\t7\t700',
    ])
  })

  it('puts a head in the middle of several columns into the first of them, and heads the columns with both rows', () => {
    const rows: (readonly (readonly [number, string])[])[] = [
      [
        [50, 'Port'],
        [160, '2025'],
        [280, '2026'],
      ],
      [
        [130, 'Plan'],
        [190, 'Done'],
        [250, 'Plan'],
        [310, 'Done'],
      ],
      [
        [50, 'Quay'],
        [135, '11'],
        [195, '12'],
        [255, '13'],
        [315, '14'],
      ],
      [
        [50, 'Mole'],
        [135, '21'],
        [195, '22'],
        [255, '23'],
        [315, '24'],
      ],
    ]
    const glyphs = rows.flatMap((row, index) => placeLine(row, 700 - 14 * index))
    assert.deepEqual(
      layOutPage(glyphs, []).map(({ kind, text }) => [kind, text]),
      [
        ['table-header', 'Port\t2025\t\t2026'],
        ['table-header', '\tPlan\tDone\tPlan\tDone'],
        ['table-row', 'Quay\t11\t12\t13\t14'],
        ['table-row', 'Mole\t21\t22\t23\t24'],
      ],
    )
  })

  it('keeps the lines of a cell together whose neighbours stand in the middle beside them', () => {
    const glyphs = [
      placeLine(
        [
          [50, 'Pos'],
          [90, 'Text'],
          [300, 'Sum'],
        ],
        700,
      ),
      placeLine([[90, 'A hook and a rope with']], 680),
      placeLine(
        [
          [50, '1'],
          [90, 'all that belongs to it'],
          [300, '9'],
        ],
        668,
      ),
      placeLine([[90, 'Another hook that is very']], 648),
      placeLine([[50, '2']], 630),
      placeLine([[90, 'long and has a text which']], 636),
      placeLine([[90, 'goes on over four lines of']], 624),
      placeLine([[90, 'its cell']], 612),
      placeLine([[300, '8']], 630),
      placeLine(
        [
          [50, '3'],
          [90, 'Short'],
          [300, '7'],
        ],
        592,
      ),
    ]
    assert.deepEqual(read(...glyphs), [
      'Pos\tText\tSum',
      '1\tA hook and a rope with all that belongs to it\t9',
      '2\tAnother hook that is very long and has a text which goes on over four lines of its cell\t8',
      '3\tShort\t7',
    ])
  })

  it('says what a check box is for once, where the page says it beside the box', () => {
    const box = (text: string, y: number) => ({ text, left: 50, right: 60, bottom: y - 2, top: y + 8 })
    const lines = [placeLine([[65, 'Winter berth']], 700), placeLine([[65, 'Mooring']], 660)]
    const blocks = layOutPage(lines.flat(), [box('[x] Winter berth', 700), box('[ ] Summer berth', 660)])
    assert.deepEqual(
      blocks.map(({ text }) => text),
      ['[x]\tWinter berth', '[ ] Summer berth\tMooring'],
    )
  })

  it('takes time linear in the cells of a row that has no end', () => {
    const row = Array.from({ length: 40_000 }, (_, at) => place('a', { x: 30 * at, y: 700 }))
    assert.equal(
      layOutPage(row, [])
        .map(({ text }) => text)
        .join('')
        .replaceAll(/\s/g, '').length,
      40_000,
    )
  })

  it('joins what PDFium parts though it touches, as a letter and the ligature behind it', () => {
    const end = made('\n', { x: 55, y: 700 })
    assert.deepEqual(read([place('O', { x: 50, y: 700 }), end, ...placeWord('ffer', { x: 55, y: 700 })]), ['Offer'])
    assert.deepEqual(read([place('O', { x: 50, y: 700 }), end, ...placeWord('ffer', { x: 57, y: 700 })]), ['O ffer'])
  })

  it('reads the ligatures of fonts that are pictures, and accents with their letters', () => {
    const line = [...placeWord('o\u000ecially', { x: 50, y: 700 }), ...placeWord('\u00a8', { x: 65, y: 700 })]
    assert.deepEqual(read(line.map((glyph) => ({ ...glyph, isOfPictures: true as const }))), ['offic\u00efally'])
  })

  it('reads the lines of a paragraph downwards where the file has them upwards, as on a page that lies on its side', () => {
    const texts = ['The pump of the upper station', 'is unreliable whenever', 'it is cold.']
    const lines = texts.map((text, index) => placeLine([[50, text]], 700 - 12 * index))
    assert.deepEqual(read(...lines.reverse()), [texts.join(' ')])
  })

  describe('two columns with a line of its own in the middle of the page', () => {
    const column = (x: number, lines: readonly string[]) =>
      lines.map((line, index) => placeLine([[x, line]], 680 - 12 * index))
    const left = column(50, ['The pump of the', 'station stops', 'in winter, and', 'at times also', 'in summer.'])
    const right = column(150, ['Oil it when it', 'is cold.'])
    const texts = ['The pump of the station stops in winter, and at times also in summer.', 'Oil it when it is cold.']

    it('end with the number of the page, which the file writes last', () => {
      assert.deepEqual(read(...left, ...right, placeLine([[132, '7']], 600)), [...texts, '7'])
    })

    it('begin with the title, which the file writes first', () => {
      assert.deepEqual(read(placeLine([[142, 'Pumps']], 705), ...left, ...right), ['Pumps', ...texts])
    })
  })

  describe('rows that stand under each other', () => {
    const table = (rows: readonly (readonly string[])[], y: number, leading = 14) =>
      rows.map((cells, at) =>
        placeLine(
          cells.map((cell, column) => [50 + 120 * column, cell]),
          y - leading * at,
        ),
      )

    it('are two tables where another head stands below a gap', () => {
      const facts = table(
        [
          ['Number', 'NL-4'],
          ['Date', '14 March'],
        ],
        700,
      )
      const items = table(
        [
          ['Item', 'Pieces', 'Price'],
          ['Rope', '2', '35'],
          ['Lamp', '1', '88'],
        ],
        650,
      )
      const kinds = layOutPage([...facts, ...items].flat(), []).map(({ kind, text }) => `${kind} ${text}`)
      assert.deepEqual(kinds[2], 'table-header Item\tPieces\tPrice')
      assert.deepEqual(kinds.length, 5)
    })

    it('are one where the rows below a gap are values, or as many names', () => {
      const above = table(
        [
          ['Item', 'Price'],
          ['Rope', '35'],
        ],
        700,
      )
      for (const below of [
        [['Sum', 'of', '35']],
        [
          ['Fee', 'VAT'],
          ['7', '8'],
        ],
      ]) {
        const blocks = layOutPage([...above, ...table(below, 650)].flat(), [])
        assert.equal(blocks.filter(({ kind }) => kind === 'table-header').length, 1)
        assert.equal(blocks.at(-1)?.kind, 'table-row')
      }
    })

    it('are one table with the lines that name groups of them, below a head of years', () => {
      const rows = [
        ['EUR', 'Note', '2025', '2024'],
        ['Assets'],
        ['Boats', '4', '88', '94'],
        ['Loans', '5', '40', '42'],
        ['Debts'],
        ['Bonds', '6', '7', '8'],
        ['Sum', '', '1', '2'],
      ]
      const blocks = layOutPage(table(rows, 700, 18).flat(), [])
      assert.deepEqual(
        blocks.map(({ kind, text }) => `${kind} ${text.split('\t')[0]}`),
        [
          'table-header EUR',
          ...['Assets', 'Boats', 'Loans', 'Debts', 'Bonds', 'Sum'].map((name) => `table-row ${name}`),
        ],
      )
    })

    it('end where a line stands apart from them, or is as long as a sentence', () => {
      const above = table(
        [
          ['Item', 'Pieces', 'Price'],
          ['Rope', '2', '35'],
          ['Lamp', '1', '88'],
        ],
        700,
      )
      const below = table(
        [
          ['Coal', '2', '35'],
          ['Salt', '1', '88'],
        ],
        630,
      )
      for (const [text, y] of [
        ['Others', 651],
        ['Others that we sell as well', 644],
      ] as const) {
        const blocks = layOutPage([...above, placeLine([[50, text]], y), ...below].flat(), [])
        assert.equal(blocks[3]?.kind, 'paragraph', text)
      }
    })

    it('end with the last one of a page, also below a row of two lines', () => {
      const rows = table(
        [
          ['Berth', 'Remark'],
          ['North', 'dry'],
        ],
        700,
      )
      const remark = [
        ...placeLine([[50, 'South']], 672),
        ...placeLine([[170, 'wet in winter and']], 672),
        ...placeLine([[170, 'closed in May']], 661),
      ]
      const blocks = layOutPage(
        [
          ...rows.flat(),
          ...remark,
          ...placeLine(
            [
              [50, 'Mole'],
              [170, 'open'],
            ],
            636,
          ),
        ],
        [],
      )
      assert.deepEqual(blocks.map(({ text }) => text).slice(-2), [
        'South\twet in winter and closed in May',
        'Mole\topen',
      ])
      assert.equal(blocks.at(-1)?.kind, 'table-row')
    })

    it('keep lines that end at one place in one cell, beside a head of fewer lines', () => {
      const date = [
        placeLine(
          [
            [50, 'INVOICE'],
            [200, 'Number 4471'],
          ],
          700,
        ),
        placeLine([[225, 'Due on']], 687),
        placeLine([[205, '13 April 26']], 674),
      ]
      assert.deepEqual(read(...date, placeLine([[50, 'Harbour Board of the town']], 640)), [
        'INVOICE\tNumber 4471 Due on 13 April 26',
        'Harbour Board of the town',
      ])
    })
  })

  describe('a label in the middle of several rows', () => {
    const row = (cells: readonly (readonly [number, string])[], y: number) => placeLine(cells, y)
    const head = row(
      [
        [50, 'Berth'],
        [150, 'Season'],
        [250, 'Fee'],
      ],
      700,
    )
    const fee = (season: string, y: number) =>
      row(
        [
          [150, season],
          [250, '12'],
        ],
        y,
      )
    const label = (text: string, y: number) => row([[50, text]], y)

    it('is in both of two rows, whose lines it stands between', () => {
      const north = [label('North', 679), fee('Summer', 686), fee('Winter', 672)]
      const south = [label('South', 651), fee('Summer', 658), fee('Winter', 644)]
      assert.deepEqual(read(head, ...north, ...south), [
        'Berth\tSeason\tFee',
        'North\tSummer\t12',
        'North\tWinter\t12',
        'South\tSummer\t12',
        'South\tWinter\t12',
      ])
    })

    it('is in each of three or four, where the file has it before the first', () => {
      const east = [
        label('East', 672),
        ...['Spring', 'Summer', 'Autumn'].map((season, at) => fee(season, 686 - 14 * at)),
      ]
      const west = [
        label('West', 623),
        ...['Spring', 'Summer', 'Autumn', 'Winter'].map((season, at) => fee(season, 644 - 14 * at)),
      ]
      assert.deepEqual(read(head, ...east, ...west).slice(1), [
        'East\tSpring\t12',
        'East\tSummer\t12',
        'East\tAutumn\t12',
        'West\tSpring\t12',
        'West\tSummer\t12',
        'West\tAutumn\t12',
        'West\tWinter\t12',
      ])
    })

    it('is in its own row alone where the file has it there, as a remark in a column that is mostly empty', () => {
      const rows = [fee('Spring', 686), [...label('East', 672), ...fee('Summer', 672)], fee('Autumn', 658)]
      assert.deepEqual(read(head, ...rows).slice(1), ['\tSpring\t12', 'East\tSummer\t12', '\tAutumn\t12'])
    })

    it('is in both rows though these are far apart, where the file has it in the upper one', () => {
      const rows = [placeLine([[50, 'Mole']], 660), fee('Summer', 672), fee('Winter', 648)]
      assert.deepEqual(read(head, ...rows).slice(1), ['Mole\tSummer\t12', 'Mole\tWinter\t12'])
    })

    it('is in its own row where there is room for one', () => {
      const rows = [fee('Spring', 686), label('East', 672), fee('Autumn', 658)]
      assert.deepEqual(
        read(head, ...rows).slice(1),
        ['Spring\t12', 'East', 'Autumn\t12'].map((text) => text.replace('Spring', '\tSpring')),
      )
    })
  })
})
