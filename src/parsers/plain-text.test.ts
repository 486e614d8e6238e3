import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlainTextReader } from './plain-text.ts'
import { readText } from './text/read-text.ts'

function read(text: string) {
  return [...readText(createPlainTextReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

test('a text that is one table has rows and a header', () => {
  for (const delimiter of ['\t', '|', ';']) {
    const row = (...cells: string[]) => `${cells.join(delimiter)}\r\n`
    const text = row('Port', 'Ships', 'Note') + row('Quay', '11', 'open').repeat(4)
    assert.deepEqual(
      read(text).map(({ kind }) => kind),
      ['table-header', ...Array(4).fill('table-row')],
    )
  }
})

test('lines with tabs that name no columns, or have no figures below, are no table', () => {
  for (const text of [
    'Port\tShips\tNote\nQuay\topen\tlong\nMole\tclosed\tshort\nPier\topen\told\n',
    'quince\tQuitte\nmedlar\tMispel\nplum\tPflaume\npear\tBirne\n',
    '2026-01-02\t11\topen\n2026-01-03\t12\topen\n2026-01-04\t13\topen\n2026-01-05\t14\topen\n',
    'Port\tShips\tNote\nQuay\t11\topen\n\nThe quay was long.\nMole\t12\topen\nPier\t13\topen\n',
    'one; two; three\nfour; 5; six\nseven\n8; 9; 10\n',
  ])
    assert.ok(
      read(text).every(({ kind }) => !kind.startsWith('table')),
      text,
    )
})
