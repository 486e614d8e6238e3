import { tooLargeUnpacked } from '../unreadable.ts'
import { FIELD_RECORDS, findRecord, listRecords, type PptRecord, RECORD } from './ppt-record.ts'
import { getText, type OutlineText } from './presentation.ts'

/** Something on a slide that has text: a text, a table, or an embedded object. */
export type SlideShape =
  | { kind: 'text'; textKind: number; placeholder: number; text: string }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'object'; id: number }

/** Groups in groups deeper than this are not drawn by hand. */
const MAX_DEPTH = 40
const OTHER_TEXT = 4

/** The shapes of a slide or of its notes, in the order they were drawn. `outline` are its texts that are kept apart. */
export function listShapes(slide: PptRecord, outline: readonly OutlineText[]): SlideShape[] {
  const shapes: SlideShape[] = []
  const drawing = findRecord(slide.body, RECORD.drawing)
  if (drawing !== null) visit(drawing, { shapes, outline }, 0)
  return shapes
}

type Found = { shapes: SlideShape[]; outline: readonly OutlineText[] }

/** Many shapes that refer to one and the same text are how a small file is blown up. */
const MAX_SHAPES = 20_000

function visit({ type, body, isContainer }: PptRecord, found: Found, depth: number): void {
  if (found.shapes.length > MAX_SHAPES) throw tooLargeUnpacked('a slide has more than 20,000 shapes')
  if (type === RECORD.shape) {
    addShape(body, found)
  } else if (type === RECORD.shapeGroup && isTable(body)) {
    addTable(body, found, depth)
  } else if (isContainer && depth < MAX_DEPTH) {
    for (const child of listRecords(body)) visit(child, found, depth + 1)
  }
}

function addShape(shape: Buffer, { shapes, outline }: Found): void {
  const data = findRecord(shape, RECORD.clientData)
  const reference = data === null ? null : findRecord(data.body, RECORD.objectReference)
  if (reference !== null && reference.body.length >= 4) {
    shapes.push({ kind: 'object', id: reference.body.readUInt32LE(0) })
  }
  const { text, kind } = readShapeText(shape, outline)
  const placeholder = data === null ? null : findRecord(data.body, RECORD.placeholder)
  if (text.trim() !== '') shapes.push({ kind: 'text', textKind: kind, placeholder: placeholder?.body[4] ?? 0, text })
}

function readShapeText(shape: Buffer, outline: readonly OutlineText[]): OutlineText {
  const container = findRecord(shape, RECORD.clientText)
  let kind = OTHER_TEXT
  let text = ''
  /** Places in the text where a star stands for a number or a date. */
  const fields: number[] = []
  for (const { type, body } of container === null ? [] : listRecords(container.body)) {
    if (type === RECORD.textHeader && body.length >= 4) kind = body.readUInt32LE(0)
    else if (FIELD_RECORDS.has(type) && body.length >= 4) fields.push(body.readUInt32LE(0))
    else if (type === RECORD.outlineReference && body.length >= 4) {
      const referred = outline[body.readUInt32LE(0)]
      kind = referred?.kind ?? kind
      text += referred?.text ?? ''
    } else text += getText(type, body) ?? ''
  }
  return { kind, text: withoutFields(text, fields) }
}

function withoutFields(text: string, fields: readonly number[]): string {
  if (fields.length === 0) return text
  const places = new Set(fields)
  return [...Array(text.length).keys()].map((at) => (places.has(at) && text[at] === '*' ? '' : text[at])).join('')
}

const TABLE_PROPERTY = 0x039f

/** The first shape of a group is the group itself; its properties say that it is a table. MS-ODRAW 2.3.21.1. */
function isTable(group: Buffer): boolean {
  const own = findRecord(group, RECORD.shape)
  const properties = own === null ? null : findRecord(own.body, RECORD.moreProperties)
  if (properties === null) return false
  for (let at = 0; at + 6 <= properties.instance * 6 && at + 6 <= properties.body.length; at += 6) {
    const number = properties.body.readUInt16LE(at) & 0x3fff
    if (number === TABLE_PROPERTY) return (properties.body.readUInt32LE(at + 2) & 1) !== 0
  }
  return false
}

type Cell = { left: number; top: number; text: string }

/** Cells are shapes with text; those of a row have their upper edge at one height. What else a table holds is read as everywhere. */
function addTable(group: Buffer, found: Found, depth: number): void {
  const cells: Cell[] = []
  for (const record of listRecords(group)) {
    const anchor = record.type === RECORD.shape ? findRecord(record.body, RECORD.childAnchor) : null
    if (anchor === null || anchor.body.length < 16) {
      if (depth < MAX_DEPTH) visit(record, found, depth + 1)
      continue
    }
    if (findRecord(record.body, RECORD.clientText) === null) continue
    const text = readShapeText(record.body, found.outline).text.replaceAll(/\s+/g, ' ').trim()
    cells.push({ left: anchor.body.readInt32LE(0), top: anchor.body.readInt32LE(4), text })
  }
  if (!cells.some(({ text }) => text !== '')) return
  const rows = [...Map.groupBy(cells, ({ top }) => top).entries()].sort(([a], [b]) => a - b)
  const texts = rows.map(([, row]) => row.sort((a, b) => a.left - b.left).map(({ text }) => text))
  found.shapes.push({ kind: 'table', rows: texts })
}
