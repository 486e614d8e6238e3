import { unreadable } from '../unreadable.ts'
import { chooseCodePage } from './code-page.ts'
import { type FormattedRun, listFormattedRuns, type PageLayout } from './formatted-pages.ts'
import { type Piece, readPieceTable } from './piece-table.ts'
import { CHANGES, readChanges } from './property-changes.ts'
import { readStyleSheet, type Style } from './style-sheet.ts'
import { REGIONS, type WordHeader } from './word-header.ts'

/** A Word file with its tables read. */
export type WordFile = {
  header: WordHeader
  /** The stream that holds the text. */
  text: Buffer
  tables: Buffer
  pieces: readonly Piece[]
  codePage: string
  styles: readonly (Style | null)[]
  paragraphs: readonly FormattedRun[]
  /** Runs that were deleted while changes were tracked. */
  deleted: readonly FormattedRun[]
}

const PARAGRAPH_PAGES: Record<97 | 6, PageLayout> = {
  97: { numberBytes: 4, entryBytes: 13, length: 'words-97' },
  6: { numberBytes: 2, entryBytes: 7, length: 'words' },
}
const CHARACTER_PAGES: PageLayout = { numberBytes: 4, entryBytes: 1, length: 'bytes' }

/** Reads the tables. Throws `unprocessable_document` when the text cannot be found; damage elsewhere costs structure only. */
export function readWordFile(header: WordHeader, text: Buffer, tables: Buffer): WordFile {
  const { version } = header
  const pieces = readPieceTable(header, text, tables)
  if (pieces.length === 0) throw unreadable('The Word file has no text, or is damaged.')
  const first = pieces.find((piece) => piece.characterBytes === 1)
  const sample = text.subarray(first?.at ?? 0, (first?.at ?? 0) + (first?.characters ?? 0))
  return {
    header,
    text,
    tables,
    pieces,
    // Since Word 97 what is not in the Western code page is in Unicode.
    codePage: version === 97 ? 'windows-1252' : chooseCodePage(header.language, sample),
    styles: readStyleSheet(header, tables),
    paragraphs:
      version === 2 ? [] : listFormattedRuns(text, tables, header.region(REGIONS.paragraphs), PARAGRAPH_PAGES[version]),
    deleted: version === 97 ? listDeleted(header, text, tables) : [],
  }
}

function listDeleted(header: WordHeader, text: Buffer, tables: Buffer): FormattedRun[] {
  return listFormattedRuns(text, tables, header.region(REGIONS.characters), CHARACTER_PAGES).filter(
    ({ properties }) => {
      let isDeleted = false
      readChanges(properties, (code, operand) => {
        if (code === CHANGES.deleted) isDeleted = operand === 1
      })
      return isDeleted
    },
  )
}
