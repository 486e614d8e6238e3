import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillLine, LETTER, made, placeLine, placeWord, readPage } from '../../../../test/support/place-glyphs.ts'
import type { Glyph } from '../glyph.ts'
import { layOutPage } from './lay-out-page.ts'

describe('blocks of a page', () => {
  it('keeps table rows with equal and aligned gaps', () => {
    const rows = [
      ['Mon', 'Tue', 'Wed', 'Thu'],
      ['one', 'two', 'six', 'ten'],
    ]
    const lines = rows.map((row, index) => fillLine(row.join(' '), 700 - 12 * index))
    assert.deepEqual(
      readPage(...lines),
      rows.map((row) => row.join('\t')),
    )
  })

  it('assigns right-aligned figures to left-aligned headers, even when no row is complete', () => {
    const rows: (readonly (readonly [number, string])[])[] = [
      [
        [50, 'Day'],
        [110, 'Debit'],
        [190, 'Credit'],
        [270, 'Balance'],
      ],
      [
        [50, '01.05.'],
        [150, '640'],
        [310, '564'],
      ],
      [
        [50, '05.05.'],
        [225, '2310'],
        [305, '2874'],
      ],
    ]
    assert.deepEqual(readPage(...rows.map((row, index) => placeLine(row, 700 - 14 * index))), [
      'Day\tDebit\tCredit\tBalance',
      '01.05.\t640\t\t564',
      '05.05.\t\t2310\t2874',
    ])
    const withoutDebits = [rows[0], rows[2], rows[2]].flatMap((row) => (row === undefined ? [] : [row]))
    assert.deepEqual(readPage(...withoutDebits.map((row, index) => placeLine(row, 700 - 14 * index))), [
      'Day\tDebit\tCredit\tBalance',
      '05.05.\t\t2310\t2874',
      '05.05.\t\t2310\t2874',
    ])
  })

  it('places a header over several columns in the first of them, and later cells in their own columns', () => {
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
    assert.deepEqual(readPage(...rows.map((row, index) => placeLine(row, 700 - 14 * index))), [
      '\t2023 all\t\t2024 all',
      'Port\tShips\tTons\tShips\tTons',
      'Quay\t11\t1100\t12\t1200',
      'Mole\tclosed all year\t\t7\t700',
    ])
  })

  it('places a centered group header in its first column, and uses both rows as the header', () => {
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
      layOutPage({ glyphs, placed: [], rules: [] }).map(({ kind, text }) => [kind, text]),
      [
        ['table-header', 'Port\t2025\t\t2026'],
        ['table-header', '\tPlan\tDone\tPlan\tDone'],
        ['table-row', 'Quay\t11\t12\t13\t14'],
        ['table-row', 'Mole\t21\t22\t23\t24'],
      ],
    )
  })

  describe('a section number before its heading', () => {
    const enlarge = (line: readonly Glyph[]) => line.map((glyph) => ({ ...glyph, size: 14, isBold: true }))
    const pair = (left: string, right: string, y: number) => [
      ...placeWord(left, { x: 50, y }),
      made(' ', { x: 50 + LETTER * left.length, y }),
      ...placeLine([[75 + LETTER * left.length, right]], y),
    ]

    it('is on the same line as the heading, whatever follows', () => {
      const lines = [
        enlarge(pair('1', 'Coats', 700)),
        pair('Waterproof', 'ones', 680),
        enlarge(pair('A.1', 'Boots', 655)),
        placeLine([[50, 'Of leather']], 635),
      ]
      assert.deepEqual(readPage(...lines), ['1 Coats', 'Waterproof\tones', 'A.1 Boots', 'Of leather'])
    })

    it('precedes all lines of the heading', () => {
      const lines = [
        enlarge(pair('2.1', 'Coats', 700)),
        enlarge(placeLine([[90, 'and hats']], 685)),
        placeLine([[50, 'Of wool, and warm']], 660),
        placeLine([[50, 'in the winter']], 648),
      ]
      assert.deepEqual(readPage(...lines), ['2.1 Coats and hats', 'Of wool, and warm in the winter'])
    })

    it('is a cell in the last row of a table, whatever its style', () => {
      const rows = [pair('Qty', 'Item', 700), pair('2  ', 'Coats', 685), pair('3  ', 'Boots', 670)]
      assert.deepEqual(readPage(...rows, enlarge(pair('5  ', 'Total', 655))), [
        'Qty\tItem',
        '2\tCoats',
        '3\tBoots',
        '5\tTotal',
      ])
    })

    it('is a cell in a table, and in a table of contents', () => {
      const rows = [enlarge(pair('1', 'Coats', 700)), enlarge(pair('2', 'Boots', 680))]
      assert.deepEqual(readPage(...rows), ['1\tCoats', '2\tBoots'])
      const contents = [enlarge(pair('1', 'Coats.....4', 700)), pair('1.1', 'Waterproof.....4', 680)]
      assert.deepEqual(readPage(...contents), ['1\tCoats.....4', '1.1\tWaterproof.....4'])
    })
  })

  describe('stacked rows', () => {
    const table = (rows: readonly (readonly string[])[], y: number, leading = 14) =>
      rows.map((cells, at) =>
        placeLine(
          cells.map((cell, column) => [50 + 120 * column, cell]),
          y - leading * at,
        ),
      )

    it('are two tables when a header follows a gap', () => {
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
      const kinds = layOutPage({ glyphs: [...facts, ...items].flat(), placed: [], rules: [] }).map(
        ({ kind, text }) => `${kind} ${text}`,
      )
      assert.deepEqual(kinds[2], 'table-header Item\tPieces\tPrice')
      assert.deepEqual(kinds.length, 5)
    })

    it('are one table when values, or as many names, follow a gap', () => {
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
        const blocks = layOutPage({ glyphs: [...above, ...table(below, 650)].flat(), placed: [], rules: [] })
        assert.equal(blocks.filter(({ kind }) => kind === 'table-header').length, 1)
        assert.equal(blocks.at(-1)?.kind, 'table-row')
      }
    })

    it('are one table together with group labels, below a header of years', () => {
      const rows = [
        ['EUR', 'Note', '2025', '2024'],
        ['Assets'],
        ['Boats', '4', '88', '94'],
        ['Loans', '5', '40', '42'],
        ['Debts'],
        ['Bonds', '6', '7', '8'],
        ['Sum', '', '1', '2'],
      ]
      const blocks = layOutPage({ glyphs: table(rows, 700, 18).flat(), placed: [], rules: [] })
      assert.deepEqual(
        blocks.map(({ kind, text }) => `${kind} ${text.split('\t')[0]}`),
        [
          'table-header EUR',
          ...['Assets', 'Boats', 'Loans', 'Debts', 'Bonds', 'Sum'].map((name) => `table-row ${name}`),
        ],
      )
    })

    it('end at a line that is set apart or as long as a sentence', () => {
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
        const blocks = layOutPage({
          glyphs: [...above, placeLine([[50, text]], y), ...below].flat(),
          placed: [],
          rules: [],
        })
        assert.equal(blocks[3]?.kind, 'paragraph', text)
      }
    })

    it('end with the last row of a page, also after a row of two lines', () => {
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
      const blocks = layOutPage({
        glyphs: [
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
        placed: [],
        rules: [],
      })
      assert.deepEqual(blocks.map(({ text }) => text).slice(-2), [
        'South\twet in winter and closed in May',
        'Mole\topen',
      ])
      assert.equal(blocks.at(-1)?.kind, 'table-row')
    })

    it('keep right-aligned lines in one cell beside a header of fewer lines', () => {
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
      assert.deepEqual(readPage(...date, placeLine([[50, 'Harbour Board of the town']], 640)), [
        'INVOICE\tNumber 4471 Due on 13 April 26',
        'Harbour Board of the town',
      ])
    })
  })
})
