import { type AutoNumber, createAutoNumbers } from '../../list-numbers.ts'
import { type Cell, createTableBuilder, type TableBuilder } from '../docx/table-builder.ts'
import { createMathText } from '../math-text.ts'
import type { OfficeEvent, OfficeObject } from '../office-block.ts'
import { type Attributes, getAttribute, getNumber, getPrefixed, isOn, type XmlHandler } from '../package/read-xml.ts'
import type { Box } from './reading-order.ts'

/** A paragraph of a shape. */
type ShapeParagraph = { text: string; level: number; isNumbered: boolean }

/** A shape of a slide with its content. */
export type Shape = {
  /** ST_PlaceholderType of ECMA-376: `title`, `body`, `ftr`, …; `null` for other shapes. */
  placeholder: string | null
  /** Index of the placeholder in its layout. */
  index: string | null
  box: Box | null
  isHidden: boolean
  paragraphs: ShapeParagraph[]
  /** Table rows, charts, diagrams, embedded files. */
  events: OfficeEvent[]
  /** Shapes of a group. */
  children: Shape[]
}

/** Content of a slide, layout or notes page. */
export type Slide = { shapes: Shape[]; isHidden: boolean }

const SHAPES = new Set(['sp', 'grpSp', 'graphicFrame', 'pic', 'cxnSp', 'contentPart'])

type OpenTable = { builder: TableBuilder; cells: Cell[]; hasHeader: boolean; rows: number }

/** Parser state: the open shapes, outermost first, and the open table of the innermost shape. */
type Reading = { slide: Slide; shapes: Shape[]; text: XmlHandler | null; table: OpenTable | null; cell: Cell | null }

/**
 * Reads the shapes of a slide into `slide`, in file order. (ECMA-376 part 1, sections 19.3 and
 * 21.1.)
 */
export function createSlideHandler(slide: Slide): XmlHandler {
  const reading: Reading = { slide, shapes: [], text: null, table: null, cell: null }
  return {
    open(name, attributes) {
      if (reading.text !== null) return reading.text.open(name, attributes)
      if (SHAPES.has(name)) openShape(reading)
      else OPENERS[name]?.(reading, attributes)
      return name === 'timing' || name === 'extLst'
    },
    close(name) {
      if (reading.text !== null && name !== 'txBody') reading.text.close(name)
      else if (SHAPES.has(name)) reading.shapes.pop()
      else CLOSERS[name]?.(reading)
    },
    text: (text) => reading.text?.text(text),
  }
}

function openShape({ slide, shapes }: Reading): void {
  const shape = createShape()
  const parent = shapes.at(-1)
  ;(parent?.children ?? slide.shapes).push(shape)
  shapes.push(shape)
}

function createShape(): Shape {
  return {
    placeholder: null,
    index: null,
    box: null,
    isHidden: false,
    paragraphs: [],
    events: [],
    children: [],
  }
}

const OPENERS: Readonly<Record<string, (reading: Reading, attributes: Attributes) => void>> = {
  sld({ slide }, attributes) {
    slide.isHidden = getAttribute(attributes, 'show') !== null && !isOn(attributes, 'show')
  },
  cNvPr({ shapes }, attributes) {
    const shape = shapes.at(-1)
    if (shape !== undefined) shape.isHidden ||= ['1', 'true'].includes(getAttribute(attributes, 'hidden') ?? '')
  },
  ph({ shapes }, attributes) {
    const shape = shapes.at(-1)
    if (shape === undefined) return
    shape.placeholder = getAttribute(attributes, 'type') ?? 'obj'
    shape.index = getAttribute(attributes, 'idx')
  },
  off: (reading, attributes) =>
    setBox(reading, { x: getNumber(attributes, 'x') ?? 0, y: getNumber(attributes, 'y') ?? 0 }),
  ext(reading, attributes) {
    const width = getNumber(attributes, 'cx')
    if (width !== null) setBox(reading, { width, height: getNumber(attributes, 'cy') ?? 0 })
  },
  txBody(reading) {
    const { shapes, cell } = reading
    reading.text = createShapeText((paragraph) => {
      if (cell !== null) cell.events.push({ block: { text: paragraph.text, kind: 'paragraph' } })
      else shapes.at(-1)?.paragraphs.push(paragraph)
    })
  },
  tbl(reading) {
    reading.table = { builder: createTableBuilder(), cells: [], hasHeader: false, rows: 0 }
  },
  tblPr({ table }, attributes) {
    if (table !== null) table.hasHeader = ['1', 'true'].includes(getAttribute(attributes, 'firstRow') ?? '')
  },
  tc(reading, attributes) {
    const isMerged = (name: string) => ['1', 'true'].includes(getAttribute(attributes, name) ?? '')
    const begins = (getNumber(attributes, 'rowSpan') ?? 1) > 1
    reading.cell = { events: [], span: 1, merge: isMerged('vMerge') ? 'continue' : begins ? 'begin' : null }
  },
  chart: (reading, attributes) => putObject(reading, 'chart', getPrefixed(attributes, 'id')),
  relIds: (reading, attributes) => putObject(reading, 'diagram', getPrefixed(attributes, 'dm')),
  oleObj: (reading, attributes) => putObject(reading, 'embedded', getPrefixed(attributes, 'id')),
}

const CLOSERS: Readonly<Record<string, (reading: Reading) => void>> = {
  txBody(reading) {
    reading.text = null
  },
  tc({ table, cell }) {
    if (cell !== null) table?.cells.push(cell)
  },
  tr: closeRow,
  tbl(reading) {
    reading.shapes.at(-1)?.events.push(...(reading.table?.builder.end() ?? []))
    reading.table = null
    reading.cell = null
  },
}

function closeRow({ shapes, table }: Reading): void {
  if (table === null) return
  table.rows += 1
  shapes.at(-1)?.events.push(...table.builder.addRow(table.cells, table.hasHeader && table.rows === 1))
  table.cells = []
}

function setBox({ shapes }: Reading, part: { x: number; y: number } | { width: number; height: number }): void {
  const shape = shapes.at(-1)
  if (shape !== undefined) shape.box = { ...(shape.box ?? { x: 0, y: 0, width: 0, height: 0 }), ...part }
}

function putObject({ shapes }: Reading, kind: OfficeObject['kind'], id: string | null): void {
  if (id !== null) shapes.at(-1)?.events.push({ object: { kind, id } })
}

/**
 * Reads the text of a shape or table cell: DrawingML paragraphs with list numbers, without the
 * slide number.
 */
function createShapeText(onParagraph: (paragraph: ShapeParagraph) => void): XmlHandler {
  const numbers = createAutoNumbers()
  const math = createMathText()
  let text = ''
  let level = 0
  let number: AutoNumber | null = null
  let isText = false

  function closeParagraph(): void {
    const content = text.trim()
    if (content === '') return
    const shown = numbers.next(number === null ? null : { ...number, level }, level)
    onParagraph({ text: shown === '' ? content : `${shown} ${content}`, level, isNumbered: shown !== '' })
  }

  function openParagraph(): void {
    text = ''
    level = 0
    number = null
  }

  function openElement(name: string, attributes: Attributes): boolean {
    if (name === 'fld') return (getAttribute(attributes, 'type') ?? '') === 'slidenum'
    if (name === 'p') openParagraph()
    else if (name === 'pPr') level = Math.min(Math.max(getNumber(attributes, 'lvl') ?? 0, 0), 8)
    else if (name === 'buAutoNum') number = readAutoNumber(attributes)
    else if (name === 'br') text += '\n'
    else if (name === 't') isText = true
    return false
  }

  return {
    open(name, attributes) {
      if (!math.isOpen() && name !== 'oMath') return openElement(name, attributes)
      math.open(name, attributes)
      return false
    },
    close(name) {
      if (math.isOpen()) text += math.close() ?? ''
      else if (name === 't') isText = false
      else if (name === 'p') closeParagraph()
    },
    text(piece) {
      if (math.isOpen()) math.text(piece)
      else if (isText) text += piece
    },
  }
}

function readAutoNumber(attributes: Attributes): AutoNumber {
  const scheme = getAttribute(attributes, 'type') ?? 'arabicPeriod'
  return { scheme, startAt: getNumber(attributes, 'startAt') ?? 1, level: 0 }
}
