import { ApiError } from '../../errors.ts'
import type { Block } from '../parse-event.ts'
import { type BlockReader, cutText, type Emit, MAX_BLOCK_CHARACTERS } from './block-reader.ts'
import { beginsTable, createRowAssembler, detectCsvDialect, splitCells } from './csv-dialect.ts'
import { createLineSplitter } from './line-splitter.ts'

/**
 * Reads comma, semicolon, tab and bar separated values: the header row and each row as a block of its own raw text, with
 * the line ends inside quoted fields. What stands above the table is a paragraph. Below an empty row another table may begin, with its own header. Throws `unprocessable_document` at the end of a
 * table without a letter or digit: nothing of it could be found.
 */
export function createCsvReader(emit: Emit, head: string): BlockReader {
  const { delimiter, rowsBefore, headerRows } = detectCsvDialect(head)
  let row = 0
  let brokenRow: number | null = null
  let hasText = false
  let hasRows = false
  let isParted = false
  /** A row below an empty one, until the next tells what it is. */
  let held: string | null = null

  function emitRow(text: string, kind: Block['kind'], isNew = false): void {
    let isFirst = isNew
    for (const piece of cutText(text, MAX_BLOCK_CHARACTERS)) {
      emit({ block: { text: piece, kind, ...(isFirst && { beginsTable: true }) } })
      isFirst = false
    }
  }

  function release(next: string | null): void {
    if (held === null) return
    const isHeader = next !== null && beginsTable(splitCells(held, delimiter), splitCells(next, delimiter))
    emitRow(held, isHeader ? 'table-header' : 'table-row', isHeader)
    held = null
  }

  const rows = createRowAssembler(delimiter, ({ text, isBroken }) => {
    row += 1
    if (isBroken) brokenRow ??= row
    const kind = getKind(text, row - rowsBefore, headerRows)
    if (kind !== 'blank') hasText = true
    release(text)
    if (kind === 'table-row' && isParted) held = text
    else emitRow(text, kind)
    hasRows ||= /^table/.test(kind)
    isParted = hasRows && kind === 'blank'
  })
  const lines = createLineSplitter(rows.add)
  return {
    write: lines.write,
    end() {
      lines.end()
      rows.end()
      release(null)
      if (!hasText) throw new ApiError('unprocessable_document', { message: 'The table has no text in its cells.' })
      if (brokenRow === null) return
      emit({
        warning: `A quote in row ${brokenRow} is never closed, or far below; from there each line is read as a row.`,
      })
    },
  }
}

/** What a row is; `place` is 1 for the first row of the table, 0 and less for what stands above it. */
function getKind(text: string, place: number, headerRows: number): Block['kind'] {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'blank'
  if (place < 1) return 'paragraph'
  return place <= headerRows ? 'table-header' : 'table-row'
}
