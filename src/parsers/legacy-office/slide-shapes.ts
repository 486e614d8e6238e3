import { sortByReadingOrder } from '../ooxml/pptx/reading-order.ts'
import type { Box } from '../ooxml/pptx/slide-handler.ts'
import { tooLargeUnpacked } from '../parse-event.ts'
import {
  decodeTextRecord,
  findRecord,
  listRecords,
  type OutlineText,
  type PptRecord,
  RECORD_TYPES,
} from './ppt-record.ts'

/** A shape with text: plain text, a table, or an embedded object. */
export type SlideShape =
  | { kind: 'text'; textKind: number; placeholder: number; text: string }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'object'; id: number }

/** Groups nested deeper are not drawn by hand. */
const MAX_DEPTH = 40
const OTHER_TEXT = 4

/**
 * Lists the shapes of a slide or notes page in reading order. `outline` holds the placeholder texts
 * stored apart from the slide.
 */
export function listShapes(slide: PptRecord, outline: readonly OutlineText[]): SlideShape[] {
  const drawing = findRecord(slide.body, RECORD_TYPES.drawing)
  return drawing === null ? [] : readShapes(drawing.body, { count: 0, outline }, 0)
}

type ShapeContext = { count: number; outline: readonly OutlineText[] }

/** Shapes that share a box: a single shape, or the shapes of a group. */
type PlacedShapes = { box: Box | null; shapes: SlideShape[] }

/** A small file can expand by many shapes that reference the same text. */
const MAX_SHAPES = 20_000

function readShapes(records: Buffer, found: ShapeContext, depth: number): SlideShape[] {
  const placed = [...listRecords(records)].map((record) => readPlacedShapes(record, found, depth))
  const filled = placed.filter(({ shapes }) => shapes.length > 0)
  const boxed = filled.flatMap(({ box, shapes }) => (box === null ? [] : [{ box, shapes }]))
  // With an unknown box or overlapping shapes, the drawing order is the best order known.
  const isLaidOut = boxed.length === filled.length && !hasOverlap(boxed.map(({ box }) => box))
  return (isLaidOut ? sortByReadingOrder(boxed) : filled).flatMap(({ shapes }) => shapes)
}

/** A slide with more shapes is a drawing; comparing each pair would take too long. */
const MAX_COMPARED_SHAPES = 300
/** Shapes that overlap by this share of the smaller shape are layers, not a layout. */
const MIN_OVERLAP_SHARE = 0.8

function hasOverlap(boxes: readonly Box[]): boolean {
  if (boxes.length > MAX_COMPARED_SHAPES) return false
  return boxes.some((one, index) => boxes.slice(index + 1).some((other) => overlapsMostly(one, other)))
}

function overlapsMostly(one: Box, other: Box): boolean {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  const smaller = Math.min(one.width * one.height, other.width * other.height)
  return width > 0 && height > 0 && width * height > MIN_OVERLAP_SHARE * smaller
}

function readPlacedShapes({ type, body, isContainer }: PptRecord, found: ShapeContext, depth: number): PlacedShapes {
  if (type === RECORD_TYPES.shape) return { box: readBox(body), shapes: readShape(body, found) }
  if (type === RECORD_TYPES.shapeGroup) {
    const own = findRecord(body, RECORD_TYPES.shape)
    const box = own === null ? null : readBox(own.body)
    if (isTableGroup(body)) return { box, shapes: readTableShapes(body, found, depth) }
    return { box, shapes: depth < MAX_DEPTH ? readShapes(body, found, depth + 1) : [] }
  }
  return { box: null, shapes: isContainer && depth < MAX_DEPTH ? readShapes(body, found, depth + 1) : [] }
}

/** Box of a shape within its group or slide. MS-ODRAW 2.2.39, MS-PPT 2.7.1. */
function readBox(shape: Buffer): Box | null {
  const child = findRecord(shape, RECORD_TYPES.childAnchor)?.body
  if (child !== undefined && child.length >= 16) {
    const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => child.readInt32LE(at)) as Edges
    return { x: left, y: top, width: right - left, height: bottom - top }
  }
  const client = findRecord(shape, RECORD_TYPES.clientAnchor)?.body
  if (client === undefined || client.length < 8) return null
  const isWide = client.length >= 16
  const [top, left, right, bottom] = [0, 1, 2, 3].map((index) =>
    isWide ? client.readInt32LE(4 * index) : client.readInt16LE(2 * index),
  ) as Edges
  return { x: left, y: top, width: right - left, height: bottom - top }
}

type Edges = [number, number, number, number]

function readShape(shape: Buffer, found: ShapeContext): SlideShape[] {
  const shapes: SlideShape[] = []
  const data = findRecord(shape, RECORD_TYPES.clientData)
  const reference = data === null ? null : findRecord(data.body, RECORD_TYPES.objectReference)
  if (reference !== null && reference.body.length >= 4) {
    shapes.push({ kind: 'object', id: reference.body.readUInt32LE(0) })
  }
  const { text, kind } = readShapeText(shape, found.outline)
  const placeholder = data === null ? null : findRecord(data.body, RECORD_TYPES.placeholder)
  if (text.trim() !== '') shapes.push({ kind: 'text', textKind: kind, placeholder: placeholder?.body[4] ?? 0, text })
  found.count += shapes.length
  if (found.count > MAX_SHAPES) throw tooLargeUnpacked('a slide has more than 20,000 shapes')
  return shapes
}

/** Records of generated text: slide number, dates, header, footer, RTF date. */
const FIELD_RECORDS: ReadonlySet<number> = new Set([0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa, 0x1015])

function readShapeText(shape: Buffer, outline: readonly OutlineText[]): OutlineText {
  const container = findRecord(shape, RECORD_TYPES.clientText)
  let kind = OTHER_TEXT
  let text = ''
  /** Offsets of the asterisks that PowerPoint replaces by a number or a date. */
  const fields: number[] = []
  for (const { type, body } of container === null ? [] : listRecords(container.body)) {
    if (type === RECORD_TYPES.textHeader && body.length >= 4) kind = body.readUInt32LE(0)
    else if (FIELD_RECORDS.has(type) && body.length >= 4) fields.push(body.readUInt32LE(0))
    else if (type === RECORD_TYPES.outlineReference && body.length >= 4) {
      const referred = outline[body.readUInt32LE(0)]
      kind = referred?.kind ?? kind
      text += referred?.text ?? ''
    } else text += decodeTextRecord(type, body) ?? ''
  }
  return { kind, text: removeFieldMarks(text, fields) }
}

function removeFieldMarks(text: string, fields: readonly number[]): string {
  if (fields.length === 0) return text
  const places = new Set(fields)
  return [...Array(text.length).keys()].map((at) => (places.has(at) && text[at] === '*' ? '' : text[at])).join('')
}

const TABLE_PROPERTY = 0x039f

/**
 * The first shape of a group describes the group. A property there marks tables. MS-ODRAW 2.3.21.1.
 */
function isTableGroup(group: Buffer): boolean {
  const own = findRecord(group, RECORD_TYPES.shape)
  const properties = own === null ? null : findRecord(own.body, RECORD_TYPES.moreProperties)
  if (properties === null) return false
  for (let at = 0; at + 6 <= properties.instance * 6 && at + 6 <= properties.body.length; at += 6) {
    const number = properties.body.readUInt16LE(at) & 0x3fff
    if (number === TABLE_PROPERTY) return (properties.body.readUInt32LE(at + 2) & 1) !== 0
  }
  return false
}

/**
 * Cells are shapes with text. Nested groups and objects in the table are read like any other shape.
 */
function readTableShapes(group: Buffer, found: ShapeContext, depth: number): SlideShape[] {
  const others: SlideShape[] = []
  const cells: PlacedCell[] = []
  for (const record of listRecords(group)) {
    const anchor = record.type === RECORD_TYPES.shape ? findRecord(record.body, RECORD_TYPES.childAnchor) : null
    if (anchor === null || anchor.body.length < 16) {
      if (depth < MAX_DEPTH) others.push(...readPlacedShapes(record, found, depth + 1).shapes)
      continue
    }
    if (findRecord(record.body, RECORD_TYPES.clientText) === null) continue
    const text = readShapeText(record.body, found.outline).text.replaceAll(/\s+/g, ' ').trim()
    const [left, top, , bottom] = [0, 4, 8, 12].map((at) => anchor.body.readInt32LE(at)) as Edges
    cells.push({ left, top, bottom, text })
  }
  const rows = cells.some(({ text }) => text !== '') ? arrangeCells(cells) : []
  return rows.length === 0 ? others : [...others, { kind: 'table', rows }]
}

/** A table cell as drawn; y increases downwards. */
type PlacedCell = { left: number; top: number; bottom: number; text: string }

/** Larger grids occur only in crafted files. */
const MAX_TABLE_CELLS = 200_000
/** A longer text appears in its first row only. */
const MAX_REPEATED_CHARACTERS = 200

/**
 * Arranges cells into rows by their edges. A cell that spans columns goes into the first column; a
 * cell that spans rows is repeated in each row.
 */
export function arrangeCells(cells: readonly PlacedCell[]): string[][] {
  const columns = sortUnique(cells.map(({ left }) => left))
  const tops = sortUnique(cells.map(({ top }) => top))
  const column = new Map(columns.map((left, index) => [left, index]))
  const row = new Map(tops.map((top, index) => [top, index]))
  const rows: string[][] = tops.map(() => [])
  if (columns.length * tops.length > MAX_TABLE_CELLS) return [cells.map(({ text }) => text)]
  // Bottom up: a spanning cell ends where the next cell of its column begins, so no position is
  // filled twice.
  for (const { left, top, bottom, text } of cells.toSorted((a, b) => b.top - a.top)) {
    const at = column.get(left) ?? 0
    const first = row.get(top) ?? 0
    const end = text.length > MAX_REPEATED_CHARACTERS ? first + 1 : rows.length
    for (let index = first; index < end; index += 1) {
      const texts = rows[index] ?? []
      if (index > first && (bottom <= (tops[index] ?? 0) || texts[at] !== undefined)) break
      texts[at] = text
    }
  }
  return rows.map((texts) => Array.from(texts, (text) => text ?? ''))
}

function sortUnique(edges: readonly number[]): number[] {
  return [...new Set(edges)].sort((a, b) => a - b)
}
