/** How many columns and rows a cell takes; rows without end are all up to the end of its part of the table. */
export type CellSpan = { columns: number; rows: number }

/** Attributes of HTML and JATS, and of CALS, which says how many rows more. */
type SpanAttributes = Readonly<Partial<Record<'colspan' | 'rowspan' | 'morerows', string | undefined>>>

/** How far a cell reaches by its attributes: one column and one row where they say nothing that can be true. */
export function readSpan({ colspan, rowspan, morerows }: SpanAttributes): CellSpan {
  const isToEnd = /^\s*0+\s*$/.test(rowspan ?? '')
  const rows = rowspan === undefined ? toCount(morerows, 0) + 1 : toCount(rowspan, 1)
  return { columns: toCount(colspan, 1), rows: isToEnd ? Number.POSITIVE_INFINITY : rows }
}

function toCount(value: string | undefined, least: number): number {
  const count = Number.parseInt(value ?? '', 10)
  return count >= least ? count : least
}

/** What stands in one column of a row. */
export type PlacedCell = { text: string; isHeader: boolean }

/** A cell as its row writes it. */
type WrittenCell = PlacedCell & { span: CellSpan }

/** Puts the cells of a table's rows into columns. */
export type RowSpans = {
  /** Takes the cells that the next row writes, and gives those that it shows: with what reaches into it from above. */
  place(cells: readonly WrittenCell[]): PlacedCell[]
  /** Where a part of a table ends, no cell goes on. */
  end(): void
}

/** A cell that claims more columns does it for the looks. */
const MAX_COLUMNS = 20
/** A cell over several rows is repeated in each, so that a row can be understood alone, unless it is long. */
const MAX_REPEATED_CHARACTERS = 200
/** In one row, and the columns that are followed: a row is a few bytes of a file, and must not become a page. */
const MAX_ROW_CHARACTERS = 500
const MAX_FOLLOWED_COLUMNS = 50
/** In a table: so many, and so many times what its rows write. */
const FREE_CHARACTERS = 100_000
const MAX_TIMES_WRITTEN = 4
/** ` | ` */
const SEPARATOR_CHARACTERS = 3

/** Makes that of one table. Nothing is held but the cells that go on, whatever number of rows they claim. */
export function createRowSpans(): RowSpans {
  /** By column. */
  const held = new Map<number, PlacedCell & { rows: number }>()
  let left = FREE_CHARACTERS

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
        left += MAX_TIMES_WRITTEN * cell.text.length
        const parts = partsOf(cell)
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

function partsOf({ text, isHeader, span }: WrittenCell): PlacedCell[] {
  return Array.from({ length: Math.min(span.columns, MAX_COLUMNS) }, (_, part) => {
    return { text: part === 0 ? text : '', isHeader }
  })
}

/** A row over cells from above; its own go into the columns that these leave. `most`: characters that it may repeat, unless a row may repeat fewer. */
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
    /** Gives the column of the first. */
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
