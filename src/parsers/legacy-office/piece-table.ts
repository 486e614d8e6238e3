import { unreadable } from '../parse-event.ts'
import { REGIONS, type WordHeader } from './word-header.ts'

/** A run of characters that lie next to each other in the file. */
export type Piece = {
  /** Where it lies in the text. */
  start: number
  characters: number
  /** Where it lies in the file. */
  at: number
  characterBytes: 1 | 2
}

const PIECE_BYTES = 8

/**
 * The pieces of the text in their order: MS-DOC 2.4.1 and 2.8.35; one piece where an old file was saved whole. Throws
 * `unprocessable_document` when the table makes no sense.
 */
export function readPieceTable(header: WordHeader, text: Buffer, tables: Buffer): Piece[] {
  const total = Object.values(header.stories).reduce((sum, characters) => sum + characters, 0)
  const region = header.region(REGIONS.pieces)
  const table = header.version === 97 || header.isComplex ? findTable(tables, region.at, region.bytes) : null
  if (table === null && header.version === 97 && region.bytes > 0)
    throw unreadable('The Word file is damaged: its table of text cannot be read.')
  const pieces = table === null ? [wholePiece(header, text, total)] : listPieces(table, header)
  return clip(pieces, text.length)
}

/** The table stands behind changes of properties, each with its length. */
function findTable(tables: Buffer, start: number, bytes: number): Buffer | null {
  const end = Math.min(start + bytes, tables.length)
  let at = start
  while (at + 5 <= end) {
    const kind = tables[at]
    if (kind === 2) return tables.subarray(at + 5, Math.min(at + 5 + tables.readUInt32LE(at + 1), end))
    if (kind !== 1) return null
    at += 3 + tables.readUInt16LE(at + 1)
  }
  return null
}

function listPieces(table: Buffer, header: WordHeader): Piece[] {
  const count = Math.floor((table.length - 4) / (4 + PIECE_BYTES))
  const pieces: Piece[] = []
  for (let index = 0; index < count; index += 1) {
    const start = table.readUInt32LE(index * 4)
    const place = table.readUInt32LE((count + 1) * 4 + index * PIECE_BYTES + 2)
    const characters = table.readUInt32LE((index + 1) * 4) - start
    if (characters <= 0) continue
    pieces.push({ start, characters, ...placeOf(place, header) })
  }
  return pieces
}

/** Since Word 97 a bit says that a piece has one byte a character. */
function placeOf(place: number, header: WordHeader): Pick<Piece, 'at' | 'characterBytes'> {
  if (header.version !== 97) return { at: place, characterBytes: header.isWide ? 2 : 1 }
  const isNarrow = (place & 0x40000000) !== 0
  const at = place & 0x3fffffff
  return isNarrow ? { at: at >> 1, characterBytes: 1 } : { at, characterBytes: 2 }
}

function wholePiece({ textAt, textEnd, version, isWide }: WordHeader, text: Buffer, total: number): Piece {
  const bytes = Math.min(Math.max(textEnd, textAt), text.length) - textAt
  // Without a table Word 97 has wide text when it fills the room for it.
  const characterBytes = (version === 97 || isWide) && bytes >= total * 2 && total > 0 ? 2 : 1
  return { start: 0, characters: Math.max(0, Math.floor(bytes / characterBytes)), at: textAt, characterBytes }
}

/** Cuts what lies outside of the file. Pieces that share their bytes many times over are how a small file is blown up. */
function clip(pieces: readonly Piece[], bytes: number): Piece[] {
  let total = 0
  const clipped = pieces.map((piece) => {
    const room = Math.max(0, Math.floor((bytes - piece.at) / piece.characterBytes))
    const characters = Math.min(piece.characters, room)
    total += characters
    return { ...piece, characters }
  })
  if (total > bytes) throw unreadable('The Word file is damaged: its table of text repeats itself.')
  return clipped.filter(({ characters }) => characters > 0)
}
