import { type AutoNumber, createAutoNumbers } from '../../list-numbers.ts'
import { type Cell, createTableBuilder, type TableBuilder } from '../docx/table-builder.ts'
import { createMathText } from '../math-text.ts'
import type { OfficeEvent, OfficeObject } from '../office-block.ts'
import type { OfficePackage } from '../package/office-package.ts'
import {
  type Attributes,
  getAttribute,
  getIntAttribute,
  getPrefixedAttribute,
  isSwitchedOn,
  type XmlHandler,
} from '../package/read-xml.ts'

/** Position of a shape on its slide, in English Metric Units. */
export type Box = { x: number; y: number; width: number; height: number }

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
type Slide = { shapes: Shape[]; isHidden: boolean }

const SHAPE_ELEMENTS = new Set(['sp', 'grpSp', 'graphicFrame', 'pic', 'cxnSp', 'contentPart'])

type OpenTable = { builder: TableBuilder; cells: Cell[]; hasHeader: boolean; rows: number }

/** Parser state: the open shapes, outermost first, and the open table of the innermost shape. */
type SlideState = { slide: Slide; shapes: Shape[]; text: XmlHandler | null; table: OpenTable | null; cell: Cell | null }

/** Parses the shapes of a slide, layout or notes page with the given parser of a package. */
export async function readShapes(parse: OfficePackage['parse'], part: string): Promise<Slide> {
  const slide: Slide = { shapes: [], isHidden: false }
  await parse(part, createSlideHandler(slide))
  return slide
}

/**
 * Reads the shapes of a slide into `slide`, in file order. (ECMA-376 part 1, sections 19.3 and
 * 21.1.)
 */
function createSlideHandler(slide: Slide): XmlHandler {
  const state: SlideState = { slide, shapes: [], text: null, table: null, cell: null }
  return {
    open(name, attributes) {
      if (state.text !== null) return state.text.open(name, attributes)
      if (SHAPE_ELEMENTS.has(name)) openShape(state)
      else OPENERS[name]?.(state, attributes)
      return name === 'timing' || name === 'extLst'
    },
    close(name) {
      if (state.text !== null && name !== 'txBody') state.text.close(name)
      else if (SHAPE_ELEMENTS.has(name)) state.shapes.pop()
      else CLOSERS[name]?.(state)
    },
    text: (text) => state.text?.text(text),
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

const OPENERS: Readonly<Record<string, (state: SlideState, attributes: Attributes) => void>> = {
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
  off: (state, attributes) =>
    setBox(state, { x: getIntAttribute(attributes, 'x') ?? 0, y: getIntAttribute(attributes, 'y') ?? 0 }),
  ext(state, attributes) {
    const width = getIntAttribute(attributes, 'cx')
    if (width !== null) setBox(state, { width, height: getIntAttribute(attributes, 'cy') ?? 0 })
  },
  txBody(state) {
    const { shapes, cell } = state
    state.text = createShapeTextHandler((paragraph) => {
      if (cell !== null) cell.events.push({ block: { text: paragraph.text, kind: 'paragraph' } })
      else shapes.at(-1)?.paragraphs.push(paragraph)
    })
  },
  tbl(state) {
    state.table = { builder: createTableBuilder(), cells: [], hasHeader: false, rows: 0 }
  },
  tblPr({ table }, attributes) {
    if (table !== null) table.hasHeader = ['1', 'true'].includes(getAttribute(attributes, 'firstRow') ?? '')
  },
  tc(state, attributes) {
    const isMerged = (name: string) => ['1', 'true'].includes(getAttribute(attributes, name) ?? '')
    const begins = (getIntAttribute(attributes, 'rowSpan') ?? 1) > 1
    state.cell = { events: [], span: 1, merge: isMerged('vMerge') ? 'continue' : begins ? 'begin' : null }
  },
  chart: (state, attributes) => addObject(state, 'chart', getPrefixedAttribute(attributes, 'id')),
  relIds: (state, attributes) => addObject(state, 'diagram', getPrefixedAttribute(attributes, 'dm')),
  oleObj: (state, attributes) => addObject(state, 'embedded', getPrefixedAttribute(attributes, 'id')),
}

const CLOSERS: Readonly<Record<string, (state: SlideState) => void>> = {
  txBody(state) {
    state.text = null
  },
  tc({ table, cell }) {
    if (cell !== null) table?.cells.push(cell)
  },
  tr: closeRow,
  tbl(state) {
    state.shapes.at(-1)?.events.push(...(state.table?.builder.end() ?? []))
    state.table = null
    state.cell = null
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
