import { type Cell, createTableBuilder, type TableBuilder } from '../ooxml/docx/table-builder.ts'
import { splitBlock, toHeading, toListItem, toParagraph } from '../ooxml/office-block.ts'
import type { Block } from '../parse-event.ts'

/** Properties of a paragraph. */
export type ParagraphFormat = { isInTable: boolean; outlineLevel: number | null; style: number | null }

/** Limits the cells of a row. */
const MAX_CELLS = 500

type Row = { cells: Cell[]; merges: Cell['merge'][]; isHeader: boolean }

/** Takes the text of a story: the body, a note, a header. Blocks go to `emit`. */
export class RtfStory {
  readonly #emit: (block: Block) => void
  readonly #getStyleLevel: (style: number | null) => number | null
  #text = ''
  #marker = ''
  #notes: Block[] = []
  /** Paragraphs of the open cell. */
  #cell: Block[] = []
  #row: Row = { cells: [], merges: [], isHeader: false }
  #table: TableBuilder | null = null

  /** `getStyleLevel` returns the heading level of a style; `null` for other styles. */
  constructor(getStyleLevel: (style: number | null) => number | null, emit: (block: Block) => void) {
    this.#getStyleLevel = getStyleLevel
    this.#emit = emit
  }

  write(text: string): void {
    this.#text += text
  }

  /** Adds text before a list item, as the writer shows it. */
  writeMarker(text: string): void {
    this.#marker += text
  }

  /** Adds blocks after the open paragraph. */
  addNote(blocks: readonly Block[]): void {
    for (const block of blocks) this.#notes.push(block)
  }

  endParagraph(format: ParagraphFormat): void {
    const blocks = this.#takeParagraph(format)
    if (format.isInTable) {
      this.#cell.push(...blocks)
      return
    }
    this.#endLooseCells()
    this.#emitText(blocks)
  }

  /** Begins the definition of a row; further calls define its cells. */
  defineRow(): void {
    this.#row = { cells: this.#row.cells, merges: [], isHeader: false }
  }

  markHeaderRow(): void {
    this.#row.isHeader = true
  }

  defineCell(merge: Cell['merge']): void {
    if (this.#row.merges.length < MAX_CELLS) this.#row.merges.push(merge)
  }

  endCell(): void {
    const { cells, merges } = this.#row
    const blocks = [...this.#cell, ...this.#takeParagraph({ isInTable: true, outlineLevel: null, style: null })]
    this.#cell = []
    const last = cells.at(-1)
    const events = blocks.map((block) => ({ block }))
    // Text of cells over the limit stays in the last cell.
    if (cells.length >= MAX_CELLS) last?.events.push(...events)
    else cells.push({ events, span: 1, merge: merges[cells.length] ?? null })
  }

  endRow(): void {
    if (this.#text.trim() !== '' || this.#cell.length > 0) this.endCell()
    this.#table ??= createTableBuilder()
    this.#emitRows(this.#table.addRow(this.#row.cells, this.#row.isHeader))
    this.#row = { ...this.#row, cells: [] }
  }

  /** Ends the open paragraph and table. */
  end(format: ParagraphFormat): void {
    this.endParagraph(format)
    this.#endLooseCells()
    this.#closeTable()
  }

  #takeParagraph({ outlineLevel, style }: ParagraphFormat): Block[] {
    const level = outlineLevel ?? this.#getStyleLevel(style)
    const number = /[\p{L}\p{N}]/u.test(this.#marker) ? `${this.#marker.trim()} ` : ''
    const own = this.#text.toWellFormed().trim()
    const text = own === '' ? '' : `${number}${own}`
    const toListed = this.#marker === '' ? toParagraph : toListItem
    const block = level === null ? toListed(text) : toHeading(text, level)
    const blocks = [...(block === null ? [] : [block]), ...this.#notes]
    this.#text = ''
    this.#marker = ''
    this.#notes = []
    return blocks
  }

  /** Emits a row or a cell that text outside of tables cuts off. */
  #endLooseCells(): void {
    if (this.#row.cells.length > 0) this.endRow()
    const blocks = this.#cell
    this.#cell = []
    this.#emitText(blocks)
  }

  #emitText(blocks: readonly Block[]): void {
    if (blocks.length === 0) return
    this.#closeTable()
    this.#emitBlocks(blocks)
  }

  #closeTable(): void {
    if (this.#table === null) return
    this.#emitRows(this.#table.end())
    this.#emit({ text: '\n', kind: 'blank' })
    this.#table = null
  }

  #emitRows(events: ReturnType<TableBuilder['end']>): void {
    this.#emitBlocks(events.flatMap((event) => ('block' in event ? [event.block] : [])))
  }

  #emitBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) for (const piece of splitBlock(block)) this.#emit(piece)
  }
}
