import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'
import { PDFiumModule } from '@hyzyla/pdfium'

/**
 * PDFium compiled to WebAssembly: the functions of the C API used here, under their original names.
 * Handles and pointers are numbers; 0 is null. Output pointers are addresses in `memory()`.
 */
export type Pdfium = {
  FPDF_InitLibraryWithConfig(config: number): void
  FPDF_LoadMemDocument64(data: number, bytes: number, password: number): number
  FPDF_GetLastError(): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetPageCount(document: number): number
  FPDF_GetMetaText(document: number, tag: number, buffer: number, bytes: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDF_GetPageWidthF(page: number): number
  FPDF_GetPageHeightF(page: number): number
  FPDF_GetPageBoundingBox(page: number, rectangle: number): number
  FPDFPage_GetRotation(page: number): number
  FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ): number
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  FPDFPageObj_GetMatrix(object: number, matrix: number): number
  FPDFPageObj_Transform(object: number, a: number, b: number, c: number, d: number, e: number, f: number): void
  FPDFPath_CountSegments(path: number): number
  FPDFPath_GetPathSegment(path: number, index: number): number
  FPDFPath_GetDrawMode(path: number, fill: number, stroke: number): number
  FPDFPathSegment_GetType(segment: number): number
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  FPDFPathSegment_GetClose(segment: number): number
  FPDFPageObj_CountMarks(object: number): number
  FPDFPageObj_GetMark(object: number, index: number): number
  FPDFPageObjMark_GetParamValueType(mark: number, key: number): number
  FPDFFormObj_CountObjects(form: number): number
  FPDFFormObj_GetObject(form: number, index: number): number
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(text: number): void
  FPDFText_CountChars(text: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_IsGenerated(text: number, index: number): number
  FPDFText_HasUnicodeMapError(text: number, index: number): number
  FPDFText_GetFontSize(text: number, index: number): number
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number
  FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
  FPDFText_GetTextObject(text: number, index: number): number
  FPDFTextObj_GetFont(object: number): number
  FPDFTextObj_GetTextRenderMode(object: number): number
  FPDFTextObj_SetTextRenderMode(object: number, mode: number): number
  FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number
  FPDFFont_GetWeight(font: number): number
  FPDFFont_GetIsEmbedded(font: number): number
  FPDFDOC_InitFormFillEnvironment(document: number, info: number): number
  FPDFDOC_ExitFormFillEnvironment(form: number): void
  FORM_OnAfterLoadPage(page: number, form: number): void
  FORM_OnBeforeClosePage(page: number, form: number): void
  FPDFPage_Flatten(page: number, use: number): number
  FPDFPage_RemoveAnnot(page: number, index: number): number
  FPDFPage_GetAnnotCount(page: number): number
  FPDFPage_GetAnnot(page: number, index: number): number
  FPDFPage_CloseAnnot(annotation: number): void
  FPDFAnnot_GetSubtype(annotation: number): number
  FPDFAnnot_GetObjectCount(annotation: number): number
  FPDFAnnot_GetObject(annotation: number, index: number): number
  FPDFAnnot_GetOptionCount(form: number, annotation: number): number
  FPDFAnnot_IsOptionSelected(form: number, annotation: number, index: number): number
  FPDFAnnot_GetOptionLabel(form: number, annotation: number, index: number, buffer: number, bytes: number): number
  FPDFAnnot_GetRect(annotation: number, rectangle: number): number
  FPDFAnnot_GetFlags(annotation: number): number
  FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number
  FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number
  FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number
  FPDFAnnot_GetFormFieldName(form: number, annotation: number, buffer: number, bytes: number): number
  FPDFAnnot_GetFormFieldAlternateName(form: number, annotation: number, buffer: number, bytes: number): number
  FPDFDoc_GetAttachmentCount(document: number): number
  FPDFDoc_GetAttachment(document: number, index: number): number
  FPDFAttachment_GetName(attachment: number, buffer: number, bytes: number): number
  FPDFBookmark_GetFirstChild(document: number, bookmark: number): number
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number
  FPDFBookmark_GetDest(document: number, bookmark: number): number
  FPDFDest_GetDestPageIndex(document: number, destination: number): number
  FPDFBitmap_CreateEx(width: number, height: number, format: number, data: number, stride: number): number
  FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, colour: number): number
  FPDFBitmap_GetBuffer(bitmap: number): number
  FPDFBitmap_GetStride(bitmap: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  malloc(bytes: number): number
  free(pointer: number): void
  /**
   * Memory of the instance. Call again after every PDFium call, because growth replaces the buffer.
   */
  memory(): Memory
}

/** The part of WebAssembly used here. Its types ship only with the browser library. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<Program>
  Instance: new (program: Program, imports: object) => object
}
type Program = { readonly compiled: unique symbol }
type GrowingMemory = { readonly buffer: ArrayBuffer }

/** Typed views of the memory. */
type Memory = { bytes: Uint8Array; floats: Float32Array; doubles: Float64Array }

/**
 * Loads a new PDFium instance, in about 10 ms. PDFium's memory never shrinks, so each document has
 * an instance, released as a whole. A document that breaks its instance affects no other. The
 * program is compiled once per process.
 */
export async function loadPdfium(): Promise<Pdfium> {
  const program = await compileOnce()
  const loaded = await PDFiumModule({ locateFile: () => '', instantiateWasm: instantiate(program) })
  // The package declares only the functions of its wrapper; the module exports the whole C API.
  const { wasmExports } = loaded as unknown as { wasmExports: Omit<Pdfium, 'memory'> & { memory: GrowingMemory } }
  const pdfium: Pdfium = { ...wasmExports, memory: createMemory(wasmExports.memory) }
  pdfium.FPDF_InitLibraryWithConfig(0)
  return pdfium
}

const compileOnce = memoize(async () => {
  return WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))))
})

function memoize<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Memory limit of an instance, including the file. Together with Node's memory, the total stays
 * below the limit of a child process. A larger allocation fails, and PDFium then aborts the
 * instance.
 */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024

/** Called by the module to grow its memory; returns 0 on refusal. */
type Imports = { env: { emscripten_resize_heap: (bytes: number) => number } }

function instantiate(program: Program) {
  return (imports: object, use: (program: Program) => void): object => {
    const { env } = imports as Imports
    const grow = env.emscripten_resize_heap
    env.emscripten_resize_heap = (bytes) => (bytes > MAX_MEMORY_BYTES ? 0 : grow(bytes))
    // The package's typings call an instance a module.
    use(new WebAssembly.Instance(program, imports) as unknown as Program)
    return {}
  }
}

function createMemory(memory: GrowingMemory): () => Memory {
  let views = createViews(memory.buffer)
  return () => {
    if (views.bytes.buffer !== memory.buffer) views = createViews(memory.buffer)
    return views
  }
}

function createViews(buffer: ArrayBuffer): Memory {
  return { bytes: new Uint8Array(buffer), floats: new Float32Array(buffer), doubles: new Float64Array(buffer) }
}

/** Time limit per page of a PDF, adjusted by the results of earlier pages. */
type PageLimits = {
  limitMs(): number
  /** Reason why no further page is read; `null` while pages are read. */
  refusal(): string | null
  succeeded(): void
  failed(): void
  tookTooLong(): void
}

/**
 * Minimum time limit. Each page over its limit halves the limit of later pages: ten in a row take
 * about 6 s. Each successful page doubles the limit again, since a single map says nothing about
 * the text pages around.
 */
const MIN_LIMIT_MS = 250
/** Failed pages before the rest is skipped: this number, or a share of all pages if larger. */
const MIN_FAILURE_LIMIT = 10
const MAX_FAILED_SHARE = 0.1

/** Creates the limits of a document. `fullMs`: the limit before any page failed. */
export function createPageLimits({ fullMs, pageCount }: { fullMs: number; pageCount: number }): PageLimits {
  const maxFailures = Math.max(MIN_FAILURE_LIMIT, Math.floor(pageCount * MAX_FAILED_SHARE))
  let limitMs = fullMs
  let failures = 0
  return {
    limitMs: () => limitMs,
    refusal: () => (failures < maxFailures ? null : `Skipped after ${maxFailures} pages that could not be read.`),
    succeeded() {
      limitMs = Math.min(fullMs, limitMs * 2)
    },
    failed() {
      failures++
    },
    tookTooLong() {
      limitMs = Math.max(MIN_LIMIT_MS, limitMs / 2)
    },
  }
}

/** Limits the time of synchronous work, such as PDFium calls. */
type WorkLimit = {
  /**
   * Returns the result of `work`, or `null` if stopped after `limitMs` of CPU time of this thread.
   * On a busy machine the work is retried with a longer timeout. `renew` runs before each retry,
   * because stopped work leaves an undefined state.
   */
  run<Value>(
    work: () => Value,
    limits: { limitMs: number; renew: () => Promise<void> },
  ): Promise<{ value: Value } | null>
}

/** Maximum attempts, and the maximum factor of the timeout over the CPU limit. */
const MAX_ATTEMPTS = 3
const MAX_TIMEOUT_FACTOR = 16
/** The resolutions of wall clock and CPU clock differ. */
const MIN_USED_SHARE = 0.8
/** Safety factor for the next timeout, over the CPU share measured in the last attempt. */
const TIMEOUT_MARGIN = 1.25
const TIMEOUT_CODE = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/**
 * Stops scripts by V8's timeout, which interrupts even WebAssembly loops. A timer in this thread
 * could not fire before the work ends.
 */
export function createWorkLimit(): WorkLimit {
  const held: { work: () => unknown } = { work: () => undefined }
  const context = createContext(held)
  const script = new Script('work()')

  function runFor(work: () => unknown, timeout: number): { value: unknown } | { usedMs: number } {
    const before = process.threadCpuUsage()
    held.work = work
    try {
      return { value: script.runInContext(context, { timeout }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code !== TIMEOUT_CODE) throw error
      const { user, system } = process.threadCpuUsage(before)
      return { usedMs: (user + system) / 1000 }
    }
  }

  return {
    async run<Value>(work: () => Value, { limitMs, renew }: { limitMs: number; renew: () => Promise<void> }) {
      let patience = 1
      for (let tries = 1; ; tries++) {
        const outcome = runFor(work, Math.ceil(limitMs * patience))
        if ('value' in outcome) return { value: outcome.value as Value }
        if (outcome.usedMs >= limitMs * MIN_USED_SHARE || tries === MAX_ATTEMPTS) return null
        patience = Math.min(MAX_TIMEOUT_FACTOR, (patience * limitMs * TIMEOUT_MARGIN) / Math.max(1, outcome.usedMs))
        await renew()
      }
    },
  }
}
