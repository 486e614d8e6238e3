import type { Glyph } from './glyph.ts'
import type { PlacedText } from './layout/lay-out-page.ts'
import { FORM_OBJECT, TEXT_OBJECT, visitObjects } from './page-objects.ts'
import type { PdfDocument } from './pdf-document.ts'

/** Annotations of a page: text placed on the page, and readers' comments. */
type Annotations = { placed: PlacedText[]; comments: string[]; drawn: DrawnAnnotation[] }

/**
 * An annotation whose appearance draws text. `text` is its raw value, which may differ: `NY` drawn
 * as `New York`; '' when absent. `label` is the field's name or the author.
 */
type DrawnAnnotation = PlacedText & { label: string; isField: boolean; isComment: boolean }

/** Limit on annotations per page. */
const MAX_ANNOTATIONS = 2_000
/** fpdf_annot.h: annotation subtypes. */
const TEXT_NOTE = 1
const LINK = 2
const FREE_TEXT = 3
const POPUP = 16
const FILE_ATTACHMENT = 17
const WIDGET = 20
/** fpdf_formfill.h: field types. */
const PUSH_BUTTON = 1
const CHECK_BOX = 2
const RADIO_BUTTON = 3
const COMBO_BOX = 4
const LIST_BOX = 5
const SIGNATURE = 7
/** fpdf_annot.h: flag of password fields; PDF 32000-1, table 165: flag of hidden annotations. */
const PASSWORD_FIELD = 1 << 13
const HIDDEN = 1 << 1
/** Limits on the objects inspected per appearance, and on options of a choice field. */
const MAX_OBJECTS = 200
const MAX_DEPTH = 4
const MAX_OPTIONS = 1_000

/**
 * Reads form values, text boxes and comments of a page. Updates outdated form fields. `values`:
 * reads no appearances.
 */
export function listAnnotations(
  document: PdfDocument,
  page: number,
  wanted: 'as-drawn' | 'values' = 'as-drawn',
): Annotations {
  const { pdfium } = document
  const found: Annotations = { placed: [], comments: [], drawn: [] }
  const total = pdfium.FPDFPage_GetAnnotCount(page)
  if (total <= 0) return found
  const keys = allocateKeys(document)
  const mayDraw = wanted === 'as-drawn' && total <= MAX_ANNOTATIONS
  const others: number[] = []
  let isUpdated = false
  for (let index = 0; index < Math.min(total, MAX_ANNOTATIONS); index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
    if (mayDraw && subtype === WIDGET && !isUpdated) updateAppearances(document, page)
    isUpdated ||= subtype === WIDGET
    const isDrawn = readAnnotation(document, { annotation, subtype, keys, found, mayDraw })
    if (!isDrawn) others.push(index)
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
  for (const key of Object.values(keys)) pdfium.free(key)
  // Only the annotations with text are merged into the page.
  if (found.drawn.length > 0) for (const index of others.reverse()) pdfium.FPDFPage_RemoveAnnot(page, index)
  return found
}

/** Creates missing appearances, and those that the form declares outdated (NeedAppearances). */
function updateAppearances({ pdfium, form }: PdfDocument, page: number): void {
  if (form === 0) return
  pdfium.FORM_OnAfterLoadPage(page, form)
  pdfium.FORM_OnBeforeClosePage(page, form)
}

type Keys = ReturnType<typeof allocateKeys>

function allocateKeys(document: PdfDocument) {
  return {
    contents: allocateString(document, 'Contents'),
    title: allocateString(document, 'T'),
    state: allocateString(document, 'AS'),
    fieldType: allocateString(document, 'FT'),
    value: allocateString(document, 'V'),
  }
}

type AnnotationContext = { annotation: number; subtype: number; keys: Keys; found: Annotations; mayDraw: boolean }

/** True for an annotation added to `found.drawn`. */
function readAnnotation(document: PdfDocument, context: AnnotationContext): boolean {
  const { annotation, subtype, keys, found, mayDraw } = context
  if (subtype === LINK || subtype === POPUP) return false
  if ((document.pdfium.FPDFAnnot_GetFlags(annotation) & HIDDEN) !== 0) return false
  if (subtype === WIDGET) return readField(document, context)
  const text = readValue(document, annotation, keys.contents)
  const isFreeText = subtype === FREE_TEXT
  const label = isFreeText ? '' : readValue(document, annotation, keys.title).trim()
  const isIcon = subtype === TEXT_NOTE || subtype === FILE_ATTACHMENT
  if (mayDraw && !isIcon && drawsText(document, annotation)) {
    found.drawn.push({ text, ...readRectangle(document, annotation), label, isField: false, isComment: !isFreeText })
    return true
  }
  if (text.trim() === '') return false
  if (isFreeText) found.placed.push({ text, ...readRectangle(document, annotation) })
  else found.comments.push(formatLabelled(label, text))
  return false
}

/** `Jane: Check the rent`; the bare text without a label. */
function formatLabelled(label: string, text: string): string {
  return label === '' ? text : `${label}: ${text}`
}

/** True when the appearance of an annotation has text. */
function drawsText({ pdfium }: PdfDocument, annotation: number): boolean {
  const left = { objects: MAX_OBJECTS }

  function isText(object: number, depth: number): boolean {
    if (object === 0 || left.objects-- <= 0) return false
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind !== FORM_OBJECT || depth >= MAX_DEPTH) return kind === TEXT_OBJECT
    const count = Math.min(pdfium.FPDFFormObj_CountObjects(object), MAX_OBJECTS)
    return range(count).some((index) => isText(pdfium.FPDFFormObj_GetObject(object, index), depth + 1))
  }

  const count = Math.min(pdfium.FPDFAnnot_GetObjectCount(annotation), MAX_OBJECTS)
  return range(count).some((index) => isText(pdfium.FPDFAnnot_GetObject(annotation, index), 0))
}

function range(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}

/** True for a field added to `found.drawn`. */
function readField(document: PdfDocument, context: AnnotationContext): boolean {
  const { pdfium, form } = document
  const { annotation, found, keys, mayDraw } = context
  const kind = getFieldKind(document, context)
  if (kind === null || kind === PUSH_BUTTON) return false
  const isPassword = (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD_FIELD) !== 0
  if (isPassword && kind !== CHECK_BOX && kind !== RADIO_BUTTON) return false
  const rectangle = readRectangle(document, annotation)
  if (kind === CHECK_BOX || kind === RADIO_BUTTON) {
    const isOff = /^(?:Off)?$/.test(readValue(document, annotation, keys.state))
    const label = getCheckBoxLabel(document, annotation, kind === RADIO_BUTTON && !isOff)
    found.placed.push({ text: `${isOff ? '[ ]' : '[x]'} ${label}`.trim(), ...rectangle })
    return false
  }
  const text = readFieldValue(document, context, kind)
  const label = getFieldLabel(document, annotation)
  // A list box draws all of its options.
  if (mayDraw && kind !== LIST_BOX && drawsText(document, annotation)) {
    found.drawn.push({ text, ...rectangle, label, isField: true, isComment: false })
    return true
  }
  const shown = kind === COMBO_BOX || kind === LIST_BOX ? readSelectedLabels(document, annotation) : ''
  if (shown.trim() !== '' && shown !== text && text.trim() !== '') found.comments.push(formatLabelled(label, text))
  if (`${shown}${text}`.trim() !== '') found.placed.push({ text: shown.trim() === '' ? text : shown, ...rectangle })
  return false
}

/**
 * Type of a field (fpdf_formfill.h); `null` if unknown. A field that the form does not list has its
 * type in its own dictionary.
 */
function getFieldKind(document: PdfDocument, { annotation, keys }: AnnotationContext): number | null {
  const kind = document.pdfium.FPDFAnnot_GetFormFieldType(document.form, annotation)
  if (kind > 0) return kind
  const type = readValue(document, annotation, keys.fieldType)
  if (type === 'Btn') return readValue(document, annotation, keys.state) === '' ? PUSH_BUTTON : CHECK_BOX
  return type === 'Sig' ? SIGNATURE : 0
}

function readFieldValue(document: PdfDocument, { annotation, keys }: AnnotationContext, kind: number): string {
  if (kind === SIGNATURE) return ''
  return kind === 0 ? readValue(document, annotation, keys.value) : readFormValue(document, annotation)
}

function readFormValue({ pdfium, form, readString }: PdfDocument, annotation: number): string {
  return readString((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes))
}

/** Displayed texts of the chosen options, one per line. */
function readSelectedLabels({ pdfium, form, readString }: PdfDocument, annotation: number): string {
  const count = Math.min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), MAX_OPTIONS)
  return range(count)
    .filter((index) => pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index) === 1)
    .map((index) =>
      readString((buffer, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, bytes)),
    )
    .join('\n')
}

/** A descriptive name, unlike `form1[0].c1_1[0]` or `Check Box12`. */
const DESCRIPTIVE_NAME = /^\p{L}[\p{L}\p{M} ,'’/()-]*$/u

/**
 * Label of a check box: its tooltip, else its chosen value, else a descriptive field name; '' when
 * absent.
 */
function getCheckBoxLabel(document: PdfDocument, annotation: number, isChosen: boolean): string {
  const tooltip = readTooltip(document, annotation)
  if (tooltip !== '') return tooltip
  // Radio buttons of a group share a name and a value.
  const value = isChosen ? readFormValue(document, annotation).trim() : ''
  return DESCRIPTIVE_NAME.test(value) ? value : readDescriptiveName(document, annotation)
}

/** Tooltip of a field, else its descriptive name; '' when absent. */
function getFieldLabel(document: PdfDocument, annotation: number): string {
  return readTooltip(document, annotation) || readDescriptiveName(document, annotation)
}

function readTooltip({ pdfium, form, readString }: PdfDocument, annotation: number): string {
  return readString((buffer, bytes) =>
    pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, bytes),
  ).trim()
}

function readDescriptiveName({ pdfium, form, readString }: PdfDocument, annotation: number): string {
  const name = readString((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, bytes)).trim()
  return DESCRIPTIVE_NAME.test(name) ? name : ''
}

function readValue({ pdfium, readString }: PdfDocument, annotation: number, key: number): string {
  return readString((buffer, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes))
}

function readRectangle({ pdfium, scratch }: PdfDocument, annotation: number): Omit<PlacedText, 'text'> {
  pdfium.FPDFAnnot_GetRect(annotation, scratch)
  const { floats } = pdfium.memory()
  const [left = 0, top = 0, right = 0, bottom = 0] = floats.subarray(scratch >> 2, (scratch >> 2) + 4)
  return {
    left: Math.min(left, right),
    right: Math.max(left, right),
    bottom: Math.min(bottom, top),
    top: Math.max(bottom, top),
  }
}

function allocateString({ pdfium }: PdfDocument, text: string): number {
  const pointer = pdfium.malloc(text.length + 1)
  pdfium.memory().bytes.set(Buffer.from(`${text}\0`, 'latin1'), pointer)
  return pointer
}

/** fpdf_flatten.h: the page as displayed; results of a merge. */
const NORMAL_DISPLAY = 0
const MERGED = 1
/** Limit on the objects inspected per page. */
const MAX_PAGE_OBJECTS = 50_000
/** Tolerance of an annotation's rectangle in points. */
const MARGIN_POINTS = 2

/**
 * Merges the annotations into the page and loads it again, so that their texts are among its
 * glyphs. Returns the new page, which the caller closes; 0 on failure.
 */
export function mergeAnnotations({ pdfium, handle }: PdfDocument, page: number, index: number): number {
  return pdfium.FPDFPage_Flatten(page, NORMAL_DISPLAY) === MERGED ? pdfium.FPDF_LoadPage(handle, index) : 0
}

/** The texts of a page with its annotations. */
type ShownTexts = {
  /** Glyphs of the page itself. */
  own: readonly Glyph[]
  /** Glyphs of annotations. */
  added: readonly Glyph[]
  /** The texts of annotations. */
  texts: readonly string[]
  placed: readonly PlacedText[]
  comments: string[]
}

/**
 * Separates the glyphs of annotations from those of the page. A field that shows its value is
 * placed as a whole; a raw value that is not shown becomes a comment. `page`: the page with merged
 * annotations; `null` without.
 */
export function readDrawnAnnotations(
  document: PdfDocument,
  { page, glyphs, annotations }: { page: number | null; glyphs: readonly Glyph[]; annotations: Annotations },
): ShownTexts {
  const { placed, comments, drawn } = annotations
  const objects = page === null ? new Set<number>() : listMergedTexts(document, page)
  const isOwn = ({ object }: Glyph) => object === undefined || !objects.has(object)
  const own = objects.size === 0 ? glyphs : glyphs.filter(isOwn)
  const shown: ShownTexts & { added: Glyph[]; texts: string[]; placed: PlacedText[] } = {
    own,
    added: [],
    texts: [],
    placed: [...placed],
    comments: [...comments],
  }
  const groups = groupByAnnotation(objects.size === 0 ? [] : glyphs.filter((glyph) => !isOwn(glyph)), drawn)
  for (const [annotation, members] of groups) {
    const text = members.map((glyph) => glyph.text).join('')
    const isSame = annotation !== null && toComparable(text) === toComparable(annotation.text)
    if (annotation === null || !(annotation.isField && isSame)) shown.added.push(...members)
    if (annotation === null || !annotation.isField || !isSame) shown.texts.push(text)
    if (annotation !== null) addValue(annotation, text, shown)
  }
  return shown
}

/** Adds the value of an annotation that shows another text, or that is placed as a whole. */
function addValue(
  annotation: DrawnAnnotation,
  shownText: string,
  { placed, comments }: { placed: PlacedText[]; comments: string[] },
): void {
  const { text, label, isField, isComment } = annotation
  const [value, shown] = [toComparable(text), toComparable(shownText)]
  if (value === '') return
  if ((isField && shown === value) || (shown === '' && !isComment)) placed.push(annotation)
  else if (!shown.includes(value)) comments.push(formatLabelled(label, text))
}

function toComparable(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '')
}

/** PDFium adds one form with all annotations as the last object of the page. */
function listMergedTexts(document: PdfDocument, page: number): Set<number> {
  const { pdfium } = document
  const last = pdfium.FPDFPage_GetObject(page, pdfium.FPDFPage_CountObjects(page) - 1)
  const texts = new Set<number>()
  if (last === 0 || pdfium.FPDFPageObj_GetType(last) !== FORM_OBJECT) return texts
  visitObjects(document, page, {
    maxObjects: MAX_PAGE_OBJECTS,
    visit({ object, kind, outer }) {
      if (kind === TEXT_OBJECT && outer === last) texts.add(object)
    },
  })
  return texts
}

/**
 * Groups glyphs by the annotation whose rectangle contains them; `null` for none. An annotation
 * without glyphs has an empty group.
 */
function groupByAnnotation(
  glyphs: readonly Glyph[],
  drawn: readonly DrawnAnnotation[],
): Map<DrawnAnnotation | null, Glyph[]> {
  const groups = new Map<DrawnAnnotation | null, Glyph[]>([[null, []]])
  for (const one of drawn) groups.set(one, [])
  let object: number | undefined
  let annotation: DrawnAnnotation | null = null
  for (const glyph of glyphs) {
    // The characters of an object belong together, with the spaces that PDFium adds.
    if (!glyph.isGenerated && glyph.object !== object) {
      object = glyph.object
      annotation = drawn.find((other) => isWithin(glyph, other)) ?? null
    }
    groups.get(annotation)?.push(glyph)
  }
  return groups
}

/** Glyphs are measured along their line, in the page's unrotated coordinates. */
function isWithin({ left, right, baseline, size, angle }: Glyph, rectangle: PlacedText): boolean {
  const radians = (angle * Math.PI) / 180
  const [along, across] = [(left + right) / 2, baseline + 0.3 * size]
  const x = along * Math.cos(radians) - across * Math.sin(radians)
  const y = along * Math.sin(radians) + across * Math.cos(radians)
  return (
    x >= rectangle.left - MARGIN_POINTS &&
    x <= rectangle.right + MARGIN_POINTS &&
    y >= rectangle.bottom - MARGIN_POINTS &&
    y <= rectangle.top + MARGIN_POINTS
  )
}
