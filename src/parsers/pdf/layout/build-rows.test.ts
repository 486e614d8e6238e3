import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeLine, readPage } from '../../../../test/support/place-glyphs.ts'

describe('rows of cells', () => {
  it('keeps the lines of a cell together when its neighbors are vertically centered', () => {
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
    assert.deepEqual(readPage(...glyphs), [
      'Pos\tText\tSum',
      '1\tA hook and a rope with all that belongs to it\t9',
      '2\tAnother hook that is very long and has a text which goes on over four lines of its cell\t8',
      '3\tShort\t7',
    ])
  })

  describe('a label centered on several rows', () => {
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

    it('is in both rows when placed between their lines', () => {
      const north = [label('North', 679), fee('Summer', 686), fee('Winter', 672)]
      const south = [label('South', 651), fee('Summer', 658), fee('Winter', 644)]
      assert.deepEqual(readPage(head, ...north, ...south), [
        'Berth\tSeason\tFee',
        'North\tSummer\t12',
        'North\tWinter\t12',
        'South\tSummer\t12',
        'South\tWinter\t12',
      ])
    })

    it('is in each of three or four rows when the file has the label before the first row', () => {
      const east = [
        label('East', 672),
        ...['Spring', 'Summer', 'Autumn'].map((season, at) => fee(season, 686 - 14 * at)),
      ]
      const west = [
        label('West', 623),
        ...['Spring', 'Summer', 'Autumn', 'Winter'].map((season, at) => fee(season, 644 - 14 * at)),
      ]
      assert.deepEqual(readPage(head, ...east, ...west).slice(1), [
        'East\tSpring\t12',
        'East\tSummer\t12',
        'East\tAutumn\t12',
        'West\tSpring\t12',
        'West\tSummer\t12',
        'West\tAutumn\t12',
        'West\tWinter\t12',
      ])
    })

    it('is in its own row only when the file has it there, as a remark in a mostly empty column', () => {
      const rows = [fee('Spring', 686), [...label('East', 672), ...fee('Summer', 672)], fee('Autumn', 658)]
      assert.deepEqual(readPage(head, ...rows).slice(1), ['\tSpring\t12', 'East\tSummer\t12', '\tAutumn\t12'])
    })

    it('is in both of two distant rows when the file has it in the upper row', () => {
      const rows = [placeLine([[50, 'Mole']], 660), fee('Summer', 672), fee('Winter', 648)]
      assert.deepEqual(readPage(head, ...rows).slice(1), ['Mole\tSummer\t12', 'Mole\tWinter\t12'])
    })

    it('is in its own row when the rows leave space for it', () => {
      const rows = [fee('Spring', 686), label('East', 672), fee('Autumn', 658)]
      assert.deepEqual(
        readPage(head, ...rows).slice(1),
        ['Spring\t12', 'East', 'Autumn\t12'].map((text) => text.replace('Spring', '\tSpring')),
      )
    })
  })
})
