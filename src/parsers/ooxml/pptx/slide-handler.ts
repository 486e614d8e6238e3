import { type AutoNumber, createAutoNumbers } from '../../list-numbers.ts'
import { type Cell, createTableBuilder, type TableBuilder } from '../docx/table-builder.ts'
import { createMathText } from '../math-text.ts'
import type { OfficeEvent, OfficeObject } from '../office-block.ts'
import {
  type Attributes,
  getAttribute,
  getIntAttribute,
  getPrefixedAttribute,
  isSwitchedOn,
  type XmlHandler,
} from '../package/read-xml.ts'
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

const SHAPE_ELEMENTS = new Set(['sp', 'grpSp', 'graphicFrame', 'pic', 'cxnSp', 'contentPart'])

type OpenTable = { builder: TableBuilder; cells: Cell[]; hasHeader: boolean; rows: number }

/** Parser state: the open shapes, outermost first, and the open table of the innermost shape. */
type SlideState = { slide: Slide; shapes: Shape[]; text: XmlHandler | null; table: OpenTable | null; cell: Cell | null }

/**
 * Reads the shapes of a slide into `slide`, in file order. (ECMA-376 part 1, sections 19.3 and
 * 21.1.)
 */
export function createSlideHandler(slide: Slide): XmlHandler {
  const reading: SlideState = { slide, shapes: [], text: null, table: null, cell: null }
  return {
    open(name, attributes) {
      if (reading.text !== null) return reading.text.open(name, attributes)
      if (SHAPE_ELEMENTS.has(name)) openShape(reading)
      else OPENERS[name]?.(reading, attributes)
      return name === 'timing' || name === 'extLst'
    },
    close(name) {
      if (reading.text !== null && name !== 'txBody') reading.text.close(name)
      else if (SHAPE_ELEMENTS.has(name)) reading.shapes.pop()
      else CLOSERS[name]?.(reading)
    },
    text: (text) => reading.text?.text(text),
  }
}

function openShape({ slide, shapes }: SlideState): void {
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

const OPENERS: Readonly<Record<string, (reading: SlideState, attributes: Attributes) => void>> = {
  sld({ slide }, attributes) {
    slide.isHidden = getAttribute(attributes, 'show') !== null && !isSwitchedOn(attributes, 'show')
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
    setBox(reading, { x: getIntAttribute(attributes, 'x') ?? 0, y: getIntAttribute(attributes, 'y') ?? 0 }),
  ext(reading, attributes) {
    const width = getIntAttribute(attributes, 'cx')
    if (width !== null) setBox(reading, { width, height: getIntAttribute(attributes, 'cy') ?? 0 })
  },
  txBody(reading) {
    const { shapes, cell } = reading
    reading.text = createShapeTextHandler((paragraph) => {
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
    const begins = (getIntAttribute(attributes, 'rowSpan') ?? 1) > 1
    reading.cell = { events: [], span: 1, merge: isMerged('vMerge') ? 'continue' : begins ? 'begin' : null }
  },
  chart: (reading, attributes) => addObject(reading, 'chart', getPrefixedAttribute(attributes, 'id')),
  relIds: (reading, attributes) => addObject(reading, 'diagram', getPrefixedAttribute(attributes, 'dm')),
  oleObj: (reading, attributes) => addObject(reading, 'embedded', getPrefixedAttribute(attributes, 'id')),
}

const CLOSERS: Readonly<Record<string, (reading: SlideState) => void>> = {
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

function closeRow({ shapes, table }: SlideState): void {
  if (table === null) return
  table.rows += 1
  shapes.at(-1)?.events.push(...table.builder.addRow(table.cells, table.hasHeader && table.rows === 1))
  table.cells = []
}

function setBox({ shapes }: SlideState, part: { x: number; y: number } | { width: number; height: number }): void {
  const shape = shapes.at(-1)
  if (shape !== undefined) shape.box = { ...(shape.box ?? { x: 0, y: 0, width: 0, height: 0 }), ...part }
}

function addObject({ shapes }: SlideState, kind: OfficeObject['kind'], id: string | null): void {
  if (id !== null) shapes.at(-1)?.events.push({ object: { kind, id } })
}

/**
 * Reads the text of a shape or table cell: DrawingML paragraphs with list numbers, without the
 * slide number.
 */
function createShapeTextHandler(onParagraph: (paragraph: ShapeParagraph) => void): XmlHandler {
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
    else if (name === 'pPr') level = Math.min(Math.max(getIntAttribute(attributes, 'lvl') ?? 0, 0), 8)
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
  return { scheme, startAt: getIntAttribute(attributes, 'startAt') ?? 1, level: 0 }
}
