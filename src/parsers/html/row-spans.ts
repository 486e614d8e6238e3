/** Columns and rows of a cell. Infinite rows extend to the end of the table part. */
export type CellSpan = { columns: number; rows: number }

/** Attributes of HTML and JATS; `morerows` is CALS and counts additional rows. */
type SpanAttributes = Readonly<Partial<Record<'colspan' | 'rowspan' | 'morerows', string | undefined>>>

/** Returns the span of a cell; one column and one row for implausible values. */
export function readSpan({ colspan, rowspan, morerows }: SpanAttributes): CellSpan {
  const isToEnd = /^\s*0+\s*$/.test(rowspan ?? '')
  const rows = rowspan === undefined ? toCount(morerows, 0) + 1 : toCount(rowspan, 1)
  return { columns: toCount(colspan, 1), rows: isToEnd ? Number.POSITIVE_INFINITY : rows }
}

function toCount(value: string | undefined, least: number): number {
  const count = Number.parseInt(value ?? '', 10)
  return count >= least ? count : least
}

/** Content of a column in a row. */
export type PlacedCell = { text: string; isHeader: boolean }

/** A cell as written in its row. */
type WrittenCell = PlacedCell & { span: CellSpan }

/** Maps the cells of a table's rows to columns. */
export type RowSpans = {
  /**
   * Takes the written cells of the next row and returns the displayed cells, including spans from
   * above.
   */
  place(cells: readonly WrittenCell[]): PlacedCell[]
  /** Ends a table part and all spans. */
  end(): void
}

/** A larger column span is for layout only. */
const MAX_COLUMNS = 20
/**
 * Short cells that span rows are repeated in each row, so that every row is understandable alone.
 */
const MAX_REPEATED_CHARACTERS = 200
/** Limits of a row: a few bytes of input must not become a page of text. */
const MAX_ROW_CHARACTERS = 500
const MAX_FOLLOWED_COLUMNS = 50
/** Limits of a table: a fixed amount plus a multiple of the written text. */
const BASE_REPEATED_CHARACTERS = 100_000
const MAX_REPEAT_FACTOR = 4
/** ` | ` */
const SEPARATOR_CHARACTERS = 3

/**
 * Creates the span state of a table. Only cells that continue are kept in memory, for any claimed
 * number of rows.
 */
export function createRowSpans(): RowSpans {
  /** By column. */
  const held = new Map<number, PlacedCell & { rows: number }>()
  let left = BASE_REPEATED_CHARACTERS

  function takeFromAbove(): ReadonlyMap<number, PlacedCell> {
    const above = new Map(held)
    for (const [column, cell] of above) {
      cell.rows -= 1
      if (cell.rows === 0) held.delete(column)
    }
    return above
  }

  function hold(parts: readonly PlacedCell[], first: number, rows: number): void {
    for (const [index, { text, isHeader }] of parts.entries()) {
      const column = first + index
      const isLong = text.length > MAX_REPEATED_CHARACTERS
      if (column < MAX_FOLLOWED_COLUMNS) held.set(column, { text: isLong ? '' : text, isHeader, rows })
    }
  }

  return {
    place(cells) {
      const row = beginRow(takeFromAbove(), left)
      for (const cell of cells) {
        left += MAX_REPEAT_FACTOR * cell.text.length
        const parts = splitIntoColumns(cell)
        const first = row.add(parts)
        if (cell.span.rows > 1) hold(parts, first, cell.span.rows - 1)
      }
      const placed = row.end()
      left -= row.repeated()
      return placed
    },
    end: () => held.clear(),
  }
}

function splitIntoColumns({ text, isHeader, span }: WrittenCell): PlacedCell[] {
  return Array.from({ length: Math.min(span.columns, MAX_COLUMNS) }, (_, part) => {
    return { text: part === 0 ? text : '', isHeader }
  })
}

/**
 * Starts a row below spanning cells; its own cells fill the remaining columns. `most`: maximum
 * number of repeated characters.
 */
function beginRow(above: ReadonlyMap<number, PlacedCell>, most: number) {
  const placed: PlacedCell[] = []
  let repeated = 0

  function repeat({ text, isHeader }: PlacedCell): void {
    const isRoom = repeated + text.length <= Math.min(MAX_ROW_CHARACTERS, most)
    repeated += SEPARATOR_CHARACTERS + (isRoom ? text.length : 0)
    placed.push({ text: isRoom ? text : '', isHeader })
  }

  return {
    repeated: () => repeated,
    /** Returns the column of the first part. */
    add(parts: readonly PlacedCell[]): number {
      for (let cell = above.get(placed.length); cell !== undefined; cell = above.get(placed.length)) repeat(cell)
      placed.push(...parts)
      return placed.length - parts.length
    },
    end(): PlacedCell[] {
      const width = Math.max(0, ...Array.from(above.keys(), (column) => column + 1))
      while (placed.length < width) repeat(above.get(placed.length) ?? { text: '', isHeader: true })
      return placed
    },
  }
}
