import type { PlacedText } from './layout/add-placed.ts'
import type { PdfDocument } from './pdf-document.ts'

/** What was laid upon a page: texts that stand in it, and remarks of readers. */
export type Annotations = { placed: PlacedText[]; comments: string[] }

/** Annotations of a page that are read. */
const MAX_ANNOTATIONS = 2_000
/** fpdf_annot.h: subtypes. */
const FREE_TEXT = 3
const LINK = 2
const POPUP = 16
const WIDGET = 20
/** fpdf_formfill.h: kinds of fields. */
const CHECK_BOX = 2
const RADIO_BUTTON = 3
const PUSH_BUTTON = 1
const SIGNATURE = 7
/** fpdf_annot.h: a field whose value is a password; PDF 32000-1, table 165: an annotation that is not shown. */
const PASSWORD_FIELD = 1 << 13
const HIDDEN = 1 << 1

/** The values of form fields, text boxes and comments of a page. */
export function listAnnotations(document: PdfDocument, page: number): Annotations {
  const { pdfium } = document
  const found: Annotations = { placed: [], comments: [] }
  const keys = {
    contents: putString(document, 'Contents'),
    author: putString(document, 'T'),
    state: putString(document, 'AS'),
  }
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    readAnnotation(document, { annotation, keys, found })
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
  for (const key of Object.values(keys)) pdfium.free(key)
  return found
}

type Reading = { annotation: number; keys: { contents: number; author: number; state: number }; found: Annotations }

function readAnnotation(document: PdfDocument, { annotation, keys, found }: Reading): void {
  const { pdfium } = document
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
  if (subtype === LINK || subtype === POPUP || (pdfium.FPDFAnnot_GetFlags(annotation) & HIDDEN) !== 0) return
  if (subtype === WIDGET) {
    const text = fieldText(document, { annotation, keys, found })
    if (text.trim() !== '') found.placed.push({ text, ...rectangleOf(document, annotation) })
    return
  }
  const text = readValue(document, annotation, keys.contents)
  if (text.trim() === '') return
  if (subtype === FREE_TEXT) found.placed.push({ text, ...rectangleOf(document, annotation) })
  else {
    const author = readValue(document, annotation, keys.author).trim()
    found.comments.push(author === '' ? text : `${author}: ${text}`)
  }
}

function fieldText(document: PdfDocument, { annotation, keys }: Reading): string {
  const { pdfium, form } = document
  const kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
  if (kind <= 0 || kind === PUSH_BUTTON || kind === SIGNATURE) return ''
  if (kind === CHECK_BOX || kind === RADIO_BUTTON) {
    const isOff = /^(?:Off)?$/.test(readValue(document, annotation, keys.state))
    const label = labelOf(document, annotation, kind === RADIO_BUTTON && !isOff)
    return `${isOff ? '[ ]' : '[x]'} ${label}`.trim()
  }
  if ((pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD_FIELD) !== 0) return ''
  return readFormValue(document, annotation)
}

function readFormValue({ pdfium, form, readString }: PdfDocument, annotation: number): string {
  return readString((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, bytes))
}

/** Names that a person gave, not `form1[0].c1_1[0]` or `Check Box12`. */
const WORDS = /^\p{L}[\p{L}\p{M} ,'’/()-]*$/u

/** What a box says of itself to who points at it, else what was chosen with it, else its name where that is words; '' when none. */
function labelOf(document: PdfDocument, annotation: number, isChosen: boolean): string {
  const { pdfium, form, readString } = document
  const tooltip = readString((buffer, bytes) =>
    pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, bytes),
  ).trim()
  if (tooltip !== '') return tooltip
  // The buttons of one choice share their name and their value.
  const value = isChosen ? readFormValue(document, annotation).trim() : ''
  if (WORDS.test(value)) return value
  const name = readString((buffer, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, buffer, bytes)).trim()
  return WORDS.test(name) ? name : ''
}

function readValue({ pdfium, readString }: PdfDocument, annotation: number, key: number): string {
  return readString((buffer, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes))
}

function rectangleOf({ pdfium, scratch }: PdfDocument, annotation: number): Omit<PlacedText, 'text'> {
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

function putString({ pdfium }: PdfDocument, text: string): number {
  const pointer = pdfium.malloc(text.length + 1)
  pdfium.memory().bytes.set(Buffer.from(`${text}\0`, 'latin1'), pointer)
  return pointer
}
