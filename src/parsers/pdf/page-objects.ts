import type { Rule } from './layout/rule.ts'
import type { PdfDocument } from './pdf-document.ts'

/** fpdfview.h: page object types. */
export const TEXT_OBJECT = 1
export const PATH_OBJECT = 2
export const IMAGE_OBJECT = 3
export const FORM_OBJECT = 5
/** Maximum nesting of form objects. */
const MAX_DEPTH = 8

/** Affine transformation `[a b c d e f]` of PDF 32000-1, 8.3.3. */
type Matrix = readonly [number, number, number, number, number, number]

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/**
 * A drawn object. `outer`: the form of the page that contains the object, or the object itself;
 * `matrix` leads from the object's coordinates to those of the page.
 */
type PageObject = { object: number; kind: number; outer: number; matrix: Matrix }

/** Visits the objects of a page, including those in forms, up to a limit. */
export function visitObjects(
  document: PdfDocument,
  page: number,
  { maxObjects, visit }: { maxObjects: number; visit: (found: PageObject) => void },
): void {
  const { pdfium } = document
  let left = maxObjects

  function visitObject(object: number, form: { depth: number; outer: number; matrix: Matrix }): void {
    if (left-- <= 0) return
    const kind = pdfium.FPDFPageObj_GetType(object)
    const outer = form.outer === 0 ? object : form.outer
    visit({ object, kind, outer, matrix: form.matrix })
    if (kind !== FORM_OBJECT || form.depth >= MAX_DEPTH) return
    const matrix = multiply(readMatrix(document, object), form.matrix)
    const count = pdfium.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count && left > 0; index++)
      visitObject(pdfium.FPDFFormObj_GetObject(object, index), { depth: form.depth + 1, outer, matrix })
  }

  const count = pdfium.FPDFPage_CountObjects(page)
  const top = { depth: 0, outer: 0, matrix: IDENTITY }
  for (let index = 0; index < count && left > 0; index++) visitObject(pdfium.FPDFPage_GetObject(page, index), top)
}

/** The matrix of an object; the identity if unreadable. */
function readMatrix({ pdfium, scratch }: PdfDocument, object: number): Matrix {
  if (pdfium.FPDFPageObj_GetMatrix(object, scratch) === 0) return IDENTITY
  const { floats } = pdfium.memory()
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = floats.subarray(scratch >> 2, (scratch >> 2) + 6)
  return [a, b, c, d, e, f]
}

/** Applies `first`, then `second`. */
function multiply([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

type Bounds = { left: number; bottom: number; right: number; top: number }

/** Bounds of an object in the coordinates of its form; `null` if unreadable. */
export function readBounds({ pdfium, scratch }: PdfDocument, object: number): Bounds | null {
  if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return null
  const { floats } = pdfium.memory()
  const at = scratch >> 2
  return { left: floats[at] ?? 0, bottom: floats[at + 1] ?? 0, right: floats[at + 2] ?? 0, top: floats[at + 3] ?? 0 }
}

/** Maximum thickness, and minimum length, of a rule in points. */
const MAX_THICKNESS_POINTS = 4
const MIN_LENGTH_POINTS = 6
const MIN_LENGTH_RATIO = 3
/** Maximum slope of a rule in points over its length. */
const MAX_SLOPE_POINTS = 1
/** A path with more segments is a drawing. */
const MAX_SEGMENTS = 2_000
/** fpdf_edit.h: types of path segments. */
const BEZIER = 1
const MOVE = 2

type Point = { x: number; y: number }

/** Lists the level and upright lines of a path: strokes, thin rectangles and the sides of boxes. */
export function listPathRules(document: PdfDocument, { object, matrix }: { object: number; matrix: Matrix }): Rule[] {
  const bounds = readBounds(document, object)
  if (bounds === null) return []
  const thin = toThinRule(transformBounds(bounds, matrix))
  if (thin !== null) return [thin]
  const segments = document.pdfium.FPDFPath_CountSegments(object)
  if (segments < 4 || segments > MAX_SEGMENTS) return []
  const isStroked = readIsStroked(document, object)
  if (isStroked === null) return []
  const lines = listSubpaths(document, { object, segments, matrix: multiply(readMatrix(document, object), matrix) })
  return lines.flatMap((points) => (isStroked ? listSides(points) : (toThinRule(boundsOf(points)) ?? [])))
}

/** `null` for a path that is neither stroked nor filled. */
function readIsStroked({ pdfium, scratch }: PdfDocument, object: number): boolean | null {
  if (pdfium.FPDFPath_GetDrawMode(object, scratch, scratch + 4) === 0) return null
  const { bytes } = pdfium.memory()
  const isStroked = bytes[scratch + 4] !== 0
  return isStroked || bytes[scratch] !== 0 ? isStroked : null
}

function transformBounds({ left, bottom, right, top }: Bounds, matrix: Matrix): Bounds {
  const corners = [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ]
  return boundsOf(corners.map(([x = 0, y = 0]) => transform({ x, y }, matrix)))
}

function transform({ x, y }: Point, [a, b, c, d, e, f]: Matrix): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

function boundsOf(points: readonly Point[]): Bounds {
  const bounds = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const { x, y } of points) {
    bounds.left = Math.min(bounds.left, x)
    bounds.right = Math.max(bounds.right, x)
    bounds.bottom = Math.min(bounds.bottom, y)
    bounds.top = Math.max(bounds.top, y)
  }
  return bounds
}

/** The rule that a thin area forms; `null` for other areas. */
function toThinRule({ left, bottom, right, top }: Bounds): Rule | null {
  const [width, height] = [right - left, top - bottom]
  const [thickness, length] = [Math.min(width, height), Math.max(width, height)]
  if (!(thickness <= MAX_THICKNESS_POINTS) || length < MIN_LENGTH_POINTS || length < MIN_LENGTH_RATIO * thickness)
    return null
  return width > height
    ? { isLevel: true, at: (top + bottom) / 2, from: left, to: right }
    : { isLevel: false, at: (left + right) / 2, from: bottom, to: top }
}

/** Sides of a stroked outline that are level or upright. */
function listSides(points: readonly Point[]): Rule[] {
  return points.slice(1).flatMap((point, index) => {
    const bounds = boundsOf([points[index] ?? point, point])
    const isStraight = Math.min(bounds.right - bounds.left, bounds.top - bounds.bottom) <= MAX_SLOPE_POINTS
    return isStraight ? (toThinRule(bounds) ?? []) : []
  })
}

/** Corners of each part of a path. A curve interrupts the part. */
function listSubpaths(
  { pdfium, scratch }: PdfDocument,
  { object, segments, matrix }: { object: number; segments: number; matrix: Matrix },
): Point[][] {
  const parts: Point[][] = []
  for (let index = 0; index < segments; index++) {
    const segment = pdfium.FPDFPath_GetPathSegment(object, index)
    const type = pdfium.FPDFPathSegment_GetType(segment)
    pdfium.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
    const { floats } = pdfium.memory()
    const point = transform({ x: floats[scratch >> 2] ?? 0, y: floats[(scratch >> 2) + 1] ?? 0 }, matrix)
    const last = parts.at(-1)
    if (type === MOVE || type === BEZIER || last === undefined) parts.push([point])
    else last.push(point)
    const part = parts.at(-1)
    const [first] = part ?? []
    if (first !== undefined && pdfium.FPDFPathSegment_GetClose(segment) === 1) part?.push(first)
  }
  return parts
}
