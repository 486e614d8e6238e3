import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'
import { PDFiumModule } from '@hyzyla/pdfium'

/**
 * PDFium, compiled to WebAssembly: the functions of its C interface that are used here, by their own names. Handles and pointers are numbers;
 * 0 is none. A pointer written to is an address in `memory()`.
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
  FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number
  FPDFFont_GetWeight(font: number): number
  FPDFDOC_InitFormFillEnvironment(document: number, info: number): number
  FPDFDOC_ExitFormFillEnvironment(form: number): void
  FPDFPage_GetAnnotCount(page: number): number
  FPDFPage_GetAnnot(page: number, index: number): number
  FPDFPage_CloseAnnot(annotation: number): void
  FPDFAnnot_GetSubtype(annotation: number): number
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
  /** The memory of this instance; taken anew after every call, because growing replaces it. */
  memory(): Memory
}

/** What is used of WebAssembly: its types come with those of browsers only. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<Program>
  Instance: new (program: Program, imports: object) => object
}
type Program = { readonly compiled: unique symbol }
type GrowingMemory = { readonly buffer: ArrayBuffer }

/** Views of one memory. */
type Memory = { bytes: Uint8Array; floats: Float32Array; doubles: Float64Array }

/**
 * A fresh PDFium: its memory never shrinks, so that each document has its own and gives it back whole; a document that breaks it breaks no
 * other. Some 10 ms; the program is compiled once a process.
 */
export async function loadPdfium(): Promise<Pdfium> {
  const program = await compileOnce()
  const loaded = await PDFiumModule({ locateFile: () => '', instantiateWasm: instantiate(program) })
  // The package declares what its own wrapper calls; the module has the whole C interface.
  const { wasmExports } = loaded as unknown as { wasmExports: Omit<Pdfium, 'memory'> & { memory: GrowingMemory } }
  const pdfium: Pdfium = { ...wasmExports, memory: createMemory(wasmExports.memory) }
  pdfium.FPDF_InitLibraryWithConfig(0)
  return pdfium
}

const compileOnce = lazily(async () => {
  return WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))))
})

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Memory of an instance, the file in it: with that of Node it stays under what a child may take. What asks for more is told that there is none, and PDFium ends
 * the instance over it.
 */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024

/** What the module calls to have its memory grow; answers with 0 where it does not. */
type Imports = { env: { emscripten_resize_heap: (bytes: number) => number } }

function instantiate(program: Program) {
  return (imports: object, use: (program: Program) => void): object => {
    const { env } = imports as Imports
    const grow = env.emscripten_resize_heap
    env.emscripten_resize_heap = (bytes) => (bytes > MAX_MEMORY_BYTES ? 0 : grow(bytes))
    // The package calls an instance a module.
    use(new WebAssembly.Instance(program, imports) as unknown as Program)
    return {}
  }
}

function createMemory(memory: GrowingMemory): () => Memory {
  let views = viewsOf(memory.buffer)
  return () => {
    if (views.bytes.buffer !== memory.buffer) views = viewsOf(memory.buffer)
    return views
  }
}

function viewsOf(buffer: ArrayBuffer): Memory {
  return { bytes: new Uint8Array(buffer), floats: new Float32Array(buffer), doubles: new Float64Array(buffer) }
}

/** How long each page of a PDF may take, which depends on those before it. */
type PageLimits = {
  limitMs(): number
  /** Why no further page is tried; `null` while any is. */
  refusal(): string | null
  succeeded(): void
  failed(): void
  tookTooLong(): void
}

/**
 * A page that takes too long leaves half of its time to each behind it, down to this: ten in a row take some 6 s. Each that is read doubles
 * it again, since one map among pages of text says nothing of them.
 */
const MIN_LIMIT_MS = 250
/** Pages that may break PDFium or take too long, or a part of all where that is more; those behind them are not read. */
const MIN_MAX_FAILURES = 10
const FAILING_PART = 0.1

/** Limits of a document of which no page was tried yet; `fullMs`: for a page that no other speaks against. */
export function createPageLimits({ fullMs, pageCount }: { fullMs: number; pageCount: number }): PageLimits {
  const maxFailures = Math.max(MIN_MAX_FAILURES, Math.floor(pageCount * FAILING_PART))
  let limitMs = fullMs
  let failures = 0
  return {
    limitMs: () => limitMs,
    refusal: () => (failures < maxFailures ? null : `It stands behind ${maxFailures} that could not be read.`),
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

/** Bounds work that has to be done in one go, as PDFium does it. */
type WorkLimit = {
  /**
   * What `work` returns; `null` where it took more than `limitMs` of this thread's processor time and was stopped. On a machine that is busy it is begun anew with more patience:
   * `renew` is called before, since what was stopped half-way is left in any state.
   */
  run<Value>(
    work: () => Value,
    limits: { limitMs: number; renew: () => Promise<void> },
  ): Promise<{ value: Value } | null>
}

/** Tries, and how much longer than its limit work may take by the clock in the longest. */
const MAX_TRIES = 3
const MAX_PATIENCE = 16
/** The clock's ticks and those of the processor differ. */
const USED_UP = 0.8
/** What is granted beyond what the last try's share of a processor would make necessary. */
const MARGIN = 1.25
const STOPPED = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/**
 * V8 stops a script that takes too long by the clock wherever it is, in the loops of WebAssembly as well. Nothing that this thread itself does could: it has no turn
 * before the work is done.
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
      if ((error as NodeJS.ErrnoException | null)?.code !== STOPPED) throw error
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
        if (outcome.usedMs >= limitMs * USED_UP || tries === MAX_TRIES) return null
        patience = Math.min(MAX_PATIENCE, (patience * limitMs * MARGIN) / Math.max(1, outcome.usedMs))
        await renew()
      }
    },
  }
}
