import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeReading, describeReading } from './compose-reading.ts'
import { readWords } from './join-rows.ts'

/** Rows of the engine's TSV: paragraph, line, left, confidence, text. */
function words(...rows: readonly (readonly [number, number, number, number, string])[]) {
  const lines = rows.map(([paragraph, line, left, confidence, text]) =>
    [5, 1, 1, paragraph, line, 1, left, line * 20, 30, 10, confidence, text].join('\t'),
  )
  return readWords(['1\t1\t0\t0\t0\t0\t0\t0\t640\t480\t-1\t', ...lines, ''].join('\n'))
}

test('words become lines, lines paragraphs, each with its box', () => {
  const { blocks, hasNonsense } = composeReading(
    words([1, 1, 0, 90, 'The'], [1, 1, 40, 90, 'lock'], [1, 2, 0, 90, 'leaks.'], [2, 3, 0, 80, 'Signed']),
  )
  const rounded = blocks.map((block) => ({ ...block, confidence: Math.round(block.confidence * 100) / 100 }))
  assert.deepEqual(rounded, [
    { text: 'The lock\nleaks.', confidence: 0.9, bbox: [0, 20, 70, 30] },
    { text: 'Signed', confidence: 0.8, bbox: [0, 60, 30, 10] },
  ])
  assert.equal(hasNonsense, false)
})

test('a page with very low confidence is nonsense as a whole', () => {
  const { blocks, confidence, hasNonsense } = composeReading(
    words([1, 1, 0, 28, '%,'], [1, 1, 40, 20, 'SE'], [2, 2, 0, 35, 'A']),
  )
  assert.deepEqual(blocks, [])
  assert.equal(hasNonsense, true)
  assert.ok(confidence < 0.4)
})

test('a caption under an image is kept, text read into the image is not', () => {
  const noise = Array.from({ length: 30 }, (_, at) => [1, at, 0, 12, 'xq~z'] as const)
  const { blocks, hasNonsense } = composeReading(words(...noise, [2, 40, 0, 93, 'Lake'], [2, 40, 40, 91, 'Brummel']))
  assert.deepEqual(
    blocks.map(({ text }) => text),
    ['Lake Brummel'],
  )
  assert.equal(hasNonsense, false)
})

test('noise among words and paragraphs without letters are omitted', () => {
  const { blocks } = composeReading(
    words([1, 1, 0, 92, 'Invoice'], [1, 1, 40, 8, '~'], [1, 1, 80, 95, '4471'], [2, 2, 0, 70, '|—']),
  )
  assert.deepEqual(
    blocks.map(({ text }) => text),
    ['Invoice 4471'],
  )
})

test('an uncertain word of a certain line is kept, an uncertain line is not', () => {
  const { blocks } = composeReading(
    words(
      [1, 1, 0, 95, 'Write'],
      [1, 1, 40, 96, 'to'],
      [1, 1, 80, 16, 'desk@harbour.example'],
      [1, 1, 120, 90, 'today'],
      [1, 1, 160, 12, 'i'],
      [1, 2, 0, 22, 'wvx'],
      [1, 2, 40, 71, 'ly'],
      [1, 3, 0, 95, 'Thank'],
      [1, 3, 40, 95, 'you'],
    ),
  )
  assert.equal(blocks[0]?.text, 'Write to desk@harbour.example today\nly\nThank you')
})

test('scripts without spaces are joined without spaces', () => {
  const { blocks } = composeReading(
    words([1, 1, 0, 90, '港'], [1, 1, 9, 90, '湾'], [1, 1, 18, 90, 'Board'], [1, 1, 50, 90, '会']),
  )
  assert.equal(blocks[0]?.text, '港湾 Board 会')
})

test('an uncertain figure of a table is kept, a speck is not', () => {
  const cells = words([1, 1, 0, 75, 'Canvas'], [1, 1, 40, 12, '7'], [1, 1, 80, 60, '3.10'], [1, 1, 120, 9, '|'])
  const read = (isCell: boolean) => composeReading(cells.map((word) => ({ ...word, isCell }))).blocks[0]?.text
  assert.equal(read(true), 'Canvas 7 3.10')
  assert.equal(read(false), 'Canvas 3.10')
})

test('the message of a page says that its text is uncertain or incomplete', () => {
  const size = { width: 640, height: 480 }
  const describe = (confidence: number, unread: number, note: string | null = null) =>
    describeReading(
      { ...composeReading(words([1, 1, 0, confidence, 'Canvas'])), unread },
      { page: size, source: size, note },
    ).message
  assert.equal(describe(95, 0.05), null)
  assert.equal(describe(72, 0), 'The text is uncertain (confidence 72 %).')
  assert.equal(describe(95, 0.3), 'About 30 % of what looks like text was not read.')
  assert.equal(describe(72, 0, 'A note.'), 'The text is uncertain (confidence 72 %). A note.')
})
