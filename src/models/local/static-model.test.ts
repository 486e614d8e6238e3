import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStaticModel, EMBEDDING_THREADS } from './static-model.ts'
import { fillTable } from './static-table.ts'

const { eventLoop, indexing } = EMBEDDING_THREADS
const DIMENSIONS = 32

type TableOptions = {
  dimensions?: number
  /** How English each row is, with the last 32 dimensions for English alone. */
  englishness?: readonly number[]
  version?: number
  rows?: readonly (readonly number[])[]
  scales?: readonly number[]
}

/** The file of a table, with one scale per row. Codes of missing numbers are 8, which is zero. */
function makeTable(options: TableOptions = {}): Buffer {
  const { dimensions = DIMENSIONS, version = 3, rows = ROWS, scales = SCALES, englishness } = options
  const header = Buffer.alloc(20 + 4 * Math.ceil(rows.length / 4))
  header.write('SEMB', 'latin1')
  for (const [index, number] of [version, rows.length, dimensions, englishness === undefined ? 0 : 32].entries())
    header.writeUInt32LE(number, 4 + 4 * index)
  englishness?.forEach((number, row) => void header.writeInt8(number, 20 + row))
  const blocks = rows.flatMap((_, row) => Array<number>(Math.ceil(dimensions / 32)).fill(scales[row] ?? 1))
  const codes = rows.map((numbers) => {
    const bytes = Buffer.alloc(dimensions / 2)
    for (let at = 0; at < dimensions; at += 1)
      bytes[at >> 1] = (bytes[at >> 1] ?? 0) | (((numbers[at] ?? 0) + 8) << (4 * (at % 2)))
    return bytes
  })
  return Buffer.concat([header, Buffer.from(Float16Array.from(blocks).buffer), ...codes])
}

/** `cold` is (3, 0, …) × 0.5, `room` is (0, 4, …) × 0.25. */
const ROWS = [[3], [0, 4]]
const SCALES = [0.5, 0.25]
const VOCABULARY = 'cold\nroom\n'

function readTable(file: Buffer, vocabulary = VOCABULARY) {
  // Pieces that end within a number of the scales and of the codes.
  return fillTable(vocabulary, async (into, position) => {
    const piece = file.subarray(position, position + Math.min(7, into.length))
    into.set(piece)
    return piece.length
  })
}

test('a vector is the normalised sum of scaled rows, repeated pieces by the root of their count', async () => {
  const model = createStaticModel(await readTable(makeTable()), eventLoop)
  const length = Math.hypot(1.5 * 2, 1)
  const vector = model.embed('Cold cold COLD cold room', 'query')
  assert.ok(Math.abs((vector[0] ?? 0) - 3 / length) < 1e-6)
  assert.ok(Math.abs((vector[1] ?? 0) - 1 / length) < 1e-6)
})

test('the vector of unknown words is zero', async () => {
  const model = createStaticModel(await readTable(makeTable()), eventLoop)
  assert.deepEqual([...model.embed('warm', 'query')], Array(DIMENSIONS).fill(0))
  assert.deepEqual([...model.embed('', 'query')], Array(DIMENSIONS).fill(0))
})

test('damaged files are rejected', async () => {
  await assert.rejects(readTable(makeTable().subarray(0, -1)), /cut off/)
  await assert.rejects(readTable(Buffer.concat([makeTable(), Buffer.alloc(1)])), /too long/)
  await assert.rejects(readTable(Buffer.from('nothing of the kind at all')), /version 3/)
  await assert.rejects(readTable(makeTable({ version: 1 })), /version 3/)
  for (const vocabulary of ['cold\n', 'cold\nroom\nwarm\n'])
    await assert.rejects(readTable(makeTable(), vocabulary), /does not fit/)
  await assert.rejects(readTable(makeTable({ dimensions: 48 })), /multiple of 32/)
})

const COLUMNS = 64
const COUNT = 300
/** Every number from -7 to 7, in a different order in each row. */
const MANY = Array.from({ length: COUNT }, (_, row) =>
  Array.from({ length: COLUMNS }, (_, at) => ((at * 7 + row * 11 + Math.floor(at / 5)) % 15) - 7),
)
const MANY_SCALES = MANY.map((_, row) => (1 + (row % 5)) / 128)

test('a vector is the sum of its rows over all blocks, of length 1', async () => {
  const vocabulary = MANY.map((_, row) => `w${row}`).join('\n')
  const file = makeTable({ dimensions: COLUMNS, rows: MANY, scales: MANY_SCALES })
  const model = createStaticModel(await readTable(file, vocabulary), eventLoop)
  for (const count of [1, 2, 17, COUNT]) {
    const chosen = Array.from({ length: count }, (_, place) => (place * 7) % COUNT)
    const sum = Array.from({ length: COLUMNS }, (_, at) =>
      chosen.reduce((total, row) => total + (MANY_SCALES[row] ?? 0) * (MANY[row]?.[at] ?? 0), 0),
    )
    const vector = model.embed(chosen.map((row) => `w${row}`).join(' '), 'query')
    assert.equal(vector.length, COLUMNS)
    for (const [at, component] of vector.entries())
      assert.ok(Math.abs(component - (sum[at] ?? 0) / Math.hypot(...sum)) < 1e-6, `${count}: ${at}`)
  }
})

test('rows that cancel give zeros, and a vector is not changed by the next one', async () => {
  const table = await readTable(makeTable({ rows: [[5], [-5]], scales: [1, 1] }), VOCABULARY)
  const model = createStaticModel(table, eventLoop)
  const first = model.embed('room', 'query')
  assert.deepEqual([...model.embed('cold room', 'query')], Array(DIMENSIONS).fill(0))
  assert.equal(first[0], -1)
})

test('a text of another language has zeros in the English dimensions', async () => {
  const rows = [
    [3, ...Array<number>(31).fill(0), 6],
    [0, 3, ...Array<number>(30).fill(0), 6],
  ]
  const file = makeTable({ dimensions: 64, rows, scales: [1, 1], englishness: [20, -40] })
  const model = createStaticModel(await readTable(file, 'the\nund\n'), eventLoop)
  const read = (text: string) => [0, 1, 32].map((at) => Number((model.embed(text, 'query')[at] ?? 0).toFixed(2)))
  // Both parts of an English text have the same length.
  assert.deepEqual(read('the'), [0.71, 0, 0.71])
  assert.deepEqual(read('und'), [0, 1, 0])
  assert.deepEqual(read('und the'), [0.71, 0.71, 0])
  assert.deepEqual(read('the'), [0.71, 0, 0.71])
})

test('an English word in a document of another language has zeros in the English dimensions', async () => {
  const file = makeTable({
    dimensions: 64,
    rows: [[3, ...Array<number>(31).fill(0), 6]],
    scales: [1],
    englishness: [20],
  })
  const model = createStaticModel(await readTable(file, 'the\n'), eventLoop)
  const read = (language: string | null) => Number(model.embed('the', 'passage', language)[32]?.toFixed(2))
  assert.deepEqual(['en', null, 'de'].map(read), [0.71, 0.71, 0])
})

test('two threads share the memory of a table, each with its own area for sums', async () => {
  const table = await readTable(makeTable())
  const [one, other] = [createStaticModel(table, eventLoop), createStaticModel(table, indexing)]
  assert.ok(table.memory.buffer instanceof SharedArrayBuffer)
  assert.equal(one.embed('cold', 'query')[0], 1)
  assert.equal(other.embed('room', 'query')[1], 1)
  const [areas] = [table.areas]
  assert.ok((areas[1] ?? 0) - (areas[0] ?? 0) >= 4 * DIMENSIONS + 8 * table.rows)
})
