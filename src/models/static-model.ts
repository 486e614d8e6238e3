import { createPieceReader } from './piece-reader.ts'
import { createRowSums } from './row-sums.ts'
import { createWordPieces } from './word-pieces.ts'

/** A table of word vectors, and the arithmetic that makes one vector of a text. Pure. */
export type StaticModel = {
  readonly dimensions: number
  /** The rows of the text's word pieces, in order, repeated as they are; pieces that are not in the vocabulary are left out. */
  tokenize(text: string): number[]
  /** The L2-normalised vector of a text: sum over its distinct pieces of sqrt(count) × row. All zeros when no piece is known. */
  embed(text: string): Float32Array
}

const HEADER_BYTES = 16

/**
 * Reads a model from the bytes of its two files (embedder/README.md, "byte by byte"). Throws when they are damaged or do
 * not fit each other.
 */
export function readStaticModel(table: Buffer, vocabularyText: string): StaticModel {
  const { rows, dimensions } = requireHeader(table)
  const vocabulary = vocabularyText.replace(/\n$/, '').split('\n')
  if (vocabulary.length !== rows) throw new Error('the vocabulary does not fit the table of the embedder')
  const scales = readScales(table, rows)
  const values = new Int8Array(table.buffer, table.byteOffset + HEADER_BYTES + 4 * rows, rows * dimensions)
  const readPieces = createPieceReader(createWordPieces(vocabulary))
  const sums = createRowSums(values, dimensions)
  // Kept from text to text, all zeros in between: making it anew took a third of the time.
  const counts = new Uint32Array(rows)

  function tokenize(text: string): number[] {
    const found: number[] = []
    readPieces(text, (row) => void found.push(row))
    return found
  }

  return {
    dimensions,
    tokenize,
    embed(text) {
      const distinct: number[] = []
      readPieces(text, (row) => {
        if (counts[row] === 0) distinct.push(row)
        counts[row] = (counts[row] ?? 0) + 1
      })
      for (const row of distinct) {
        sums.add(row, (scales[row] ?? 0) * Math.sqrt(counts[row] ?? 0))
        counts[row] = 0
      }
      return sums.take()
    },
  }
}

/** In a function of its own: from that of the model the table would be held as long as the model, beside the copy that sums are made of. */
function readScales(table: Buffer, rows: number): Float32Array {
  return Float32Array.from({ length: rows }, (_, row) => table.readFloatLE(HEADER_BYTES + 4 * row))
}

function requireHeader(table: Buffer): { rows: number; dimensions: number } {
  if (table.length < HEADER_BYTES || table.toString('latin1', 0, 4) !== 'SEMB' || table.readUInt32LE(4) !== 1) {
    throw new Error('the table of the embedder is not one of version 1')
  }
  const rows = table.readUInt32LE(8)
  const dimensions = table.readUInt32LE(12)
  if (table.length !== HEADER_BYTES + 4 * rows + rows * dimensions)
    throw new Error('the table of the embedder is cut off')
  if (dimensions % 16 !== 0) throw new Error('the rows of the embedder are no multiple of 16 numbers')
  return { rows, dimensions }
}
