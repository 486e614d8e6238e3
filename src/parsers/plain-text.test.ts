import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { READ_DOCUMENT } from './child/parse-tasks.ts'
import { FORMATS } from './formats.ts'
import type { ParseEvent } from './parse-event.ts'
import { createPlainTextReader, PLAIN_TEXT_READERS, textDocumentBlocks } from './plain-text.ts'
import { type CreateReader, MAX_BLOCK_CHARACTERS } from './text/block-reader.ts'
import { readText } from './text/read-text.ts'
import { createTextReader } from './text/text-reader.ts'

function read(text: string) {
  return [...readText(createPlainTextReader, text)].flatMap((event) => ('block' in event ? [event.block] : []))
}

test('reads a text that is a table as rows with a header', () => {
  for (const delimiter of ['\t', '|', ';']) {
    const row = (...cells: string[]) => `${cells.join(delimiter)}\r\n`
    const text = row('Port', 'Ships', 'Note') + row('Quay', '11', 'open').repeat(4)
    assert.deepEqual(
      read(text).map(({ kind }) => kind),
      ['table-header', ...Array(4).fill('table-row')],
    )
  }
})

test('rejects tab-separated lines without column names or numbers', () => {
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

/** Random text of characters that readers react to. */
const tricky = fc
  .array(
    fc.constantFrom(
      ...[
        '\n',
        '\r\n',
        '\r',
        '\n\n',
        ' ',
        '  ',
        '\t',
        '    ',
        'word',
        'Ünï',
        '😀',
        '.',
        ',',
        ';',
        '"',
        '""',
        '|',
        '# ',
        '## H',
        '---',
      ],
      ...[
        '===',
        '```',
        '~~~',
        '- ',
        '1. ',
        '> ',
        '|---|',
        'a|b',
        '{',
        '}',
        '[',
        ']',
        ':',
        '{"a":1}',
        'true',
        '12',
        '\\',
        'at x',
      ],
      ...['2026-01-01 10:00:00 ', 'Caused by: ', 'CHAPTER', 'x'.repeat(300), 'long '.repeat(400), '日本'.repeat(4100)],
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

function readInPieces(createReader: CreateReader, text: string, cuts: readonly number[]): ParseEvent[] {
  const events: ParseEvent[] = []
  const reader = createReader((event) => events.push(event), text.slice(0, 65536))
  let at = 0
  for (const cut of [...cuts.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b), text.length]) {
    reader.write(text.slice(at, cut))
    at = cut
  }
  reader.end()
  return events
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 })

function assertWhole(events: readonly ParseEvent[], text: string): void {
  const blocks = events.flatMap((event) => ('block' in event ? [event.block] : []))
  assert.equal(blocks.map((block) => block.text).join(''), text)
  for (const block of blocks) {
    assert.ok(block.text.length > 0 && block.text.length <= MAX_BLOCK_CHARACTERS)
    assert.ok(block.text.isWellFormed())
  }
}

for (const [readIn, readers] of [
  ['service', PLAIN_TEXT_READERS],
  ['child', READ_DOCUMENT],
] as const)
  test(`every format that is read in a ${readIn} has a reader there`, () => {
    const formats = FORMATS.filter((entry) => entry.readIn === readIn).map(({ format }) => format)
    assert.deepEqual(Object.keys(readers).sort(), formats.sort())
  })

for (const format of ['txt', 'log', 'markdown', 'csv', 'tsv']) {
  test(`the blocks of a ${format} file are the file, wherever its pieces end`, () => {
    const createReader = PLAIN_TEXT_READERS[format] ?? createTextReader
    fc.assert(
      fc.property(tricky, cuts, (text, places) => {
        // A table without text is refused.
        fc.pre(!['csv', 'tsv'].includes(format) || /[\p{L}\p{N}]/u.test(text))
        assertWhole(readInPieces(createReader, text, places), text)
      }),
      { numRuns: 300 },
    )
  })
}

test('returns the JSON file for any chunk borders', () => {
  const spaces = fc.constantFrom(undefined, 2, '\t')
  const createReader = PLAIN_TEXT_READERS['json'] ?? createTextReader
  fc.assert(
    fc.property(fc.jsonValue(), spaces, cuts, (value, indent, places) => {
      const text = JSON.stringify(value, null, indent).toWellFormed()
      assertWhole(readInPieces(createReader, text, places), text)
    }),
  )
})

test('returns the JSONL file, including blank and invalid lines', () => {
  const line = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.constantFrom('', 'not json', '{"cut":'),
  )
  const createReader = PLAIN_TEXT_READERS['jsonl'] ?? createTextReader
  fc.assert(
    fc.property(fc.array(line), cuts, (lines, places) => {
      const text = ['{"first":1}', ...lines].join('\n').toWellFormed()
      assertWhole(readInPieces(createReader, text, places), text)
    }),
  )
})

test('reads clear Markdown with its headings', () => {
  const blocks = [...textDocumentBlocks('# Storage\n\nKeep **cold**.\n\n## Limits\n\n- 4 °C\n')]
  assert.deepEqual(
    blocks.flatMap((block) => (block.heading === undefined ? [] : [block.heading])),
    ['Storage', 'Limits'],
  )
})

test('reads a text with a stray hash as plain text', () => {
  const blocks = [...textDocumentBlocks('# a comment of a script\nexport A=1\n')]
  assert.deepEqual(
    blocks.map((block) => block.kind),
    ['paragraph'],
  )
})

test('returns the text as blocks', () => {
  const text = 'A line.\r\n\r\nAnother 😀 one.\n'.repeat(9000)
  assert.equal([...textDocumentBlocks(text)].map((block) => block.text).join(''), text)
})
