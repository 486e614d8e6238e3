import { ApiError } from '../../errors.ts'
import type { VisionReader } from '../../models/vision-reader.ts'
import { ChildStopped, exceededLimit } from '../../parsers/child/child.ts'
import type { TaskOwner } from '../../parsers/child/fair-queue.ts'
import type { ParserPool, TaskLimits } from '../../parsers/child/parser-pool.ts'
import { isReadInChild } from '../../parsers/formats.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../../parsers/parse-event.ts'
import { parsePlainText } from '../../parsers/plain-text.ts'
import { createGivenUpFiles, type GivenUpFiles } from './given-up-files.ts'
import type { DrawPageInput } from './page-picture.ts'
import type { ReadEvent } from './read-event.ts'
import type { DrawnPage, RecognitionPlan, RecognizedPage, RecognizedPages, RecognizePageInput } from './recognition.ts'
import { type RecognizePage, recognizeScans } from './recognize-scans.ts'

/** Owner of the work, and its cancellation. */
export type ReadOptions = Pick<TaskLimits, 'isBackground' | 'meter' | 'onRestart'> & {
  owner: TaskOwner
  signal: AbortSignal
}

/** Options for recognising scanned pages. */
export type RecognizeOptions = Omit<ReadOptions, 'onRestart'> & {
  recognition: RecognitionPlan
  /** Pages already recognised; none when absent. */
  recognized?: RecognizedPages
  /** Called for each recognised page, in page order. */
  onRecognized?: (page: number, recognized: RecognizedPage) => void
}

/** Reads files of all supported formats, including images with text. */
export type DocumentReader = {
  /** Events of the parser, with scanned pages not yet recognised. */
  parse(source: SourceFile, type: SniffedType, options: ReadOptions): AsyncIterable<ParseEvent>
  /**
   * Throws `unprocessable_document` for a file of the same organization that recently exceeded time
   * or memory.
   */
  requireReadable(source: SourceFile, owner: TaskOwner): Promise<void>
  /**
   * Replaces scanned pages by recognised blocks and reports, several pages concurrently, in page
   * order.
   */
  recognize(
    events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
    file: { source: SourceFile; type: SniffedType },
    options: RecognizeOptions,
  ): AsyncIterable<ReadEvent>
  /** Parses and recognises. */
  read(source: SourceFile, type: SniffedType, options: RecognizeOptions): AsyncIterable<ReadEvent>
  /**
   * Renders a page as PNG with a marked passage; `null` for a missing page. Throws as parsing does.
   */
  draw(page: Omit<DrawPageInput, 'languages'>, options: Omit<ReadOptions, 'onRestart'>): Promise<Buffer | null>
  /** Keeps an idle parser process ready from now on. */
  warm(): void
  /** Ends all child processes; work in progress rejects with `service_unavailable`. */
  close(): Promise<void>
}

type DocumentReaderDeps = {
  /** Processes for parsing. */
  parsing: ParserPool
  /**
   * OCR has its own pool; sharing the parse pool would deadlock on pages that a parse waits for.
   */
  recognition: ParserPool
  /**
   * Processes for rendering pages: interactive requests neither wait for uploads and jobs nor delay
   * them.
   */
  drawing: ParserPool
  /** Pages of one document recognised concurrently: the size of the `recognition` pool. */
  pagesAtOnce: number
  /** Default languages of recognition. */
  languages: readonly string[]
  /** Vision model; `null` when not configured. */
  vision: VisionReader | null
  /** Recently failed files; created when absent. */
  givenUp?: GivenUpFiles
}

/**
 * Timeout of rendering: an ordinary page takes a third of a second, a page with repeated
 * recognition some seconds.
 */
const DRAWING_TIMEOUT_MS = 15_000

/** Reads text formats in this process and all other formats in child processes. */
export function createDocumentReader(deps: DocumentReaderDeps): DocumentReader {
  const { parsing, recognition, drawing, pagesAtOnce, languages, vision, givenUp = createGivenUpFiles() } = deps
  const closing = new AbortController()
  const orClosed = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal])

  const reader: DocumentReader = {
    parse(source, type, options) {
      if (!isReadInChild(type.format)) return parsePlainText(source, type)
      return givenUp.watch(source, options.owner, (onLimitExceeded) =>
        parsing.parse(source, type, { ...options, signal: orClosed(options.signal), onLimitExceeded }),
      )
    },
    requireReadable: (source, owner) => givenUp.requireReadable(source, owner),
    recognize(events, { source, type }, { recognition: plan, signal, recognized, onRecognized, ...task }) {
      const file = { source, type, plan, languages, vision, task, givenUp }
      const recognize = recognizePageIn(recognition, file)
      const listeners = { ...(recognized && { recognized }), ...(onRecognized && { onRecognized }) }
      return recognizeScans(events, { plan, recognize, pagesAtOnce, signal: orClosed(signal), ...listeners })
    },
    read(source, type, options) {
      return reader.recognize(reader.parse(source, type, options), { source, type }, options)
    },
    async draw(page, options) {
      const input: DrawPageInput = { ...page, languages }
      const limits = { ...options, timeoutMs: DRAWING_TIMEOUT_MS, signal: orClosed(options.signal) }
      const png = await drawing.run('draw-marked-page', input, limits)
      return png === null ? null : Buffer.from(png as Uint8Array)
    },
    warm: () => parsing.warm(),
    async close() {
      closing.abort(new ApiError('service_unavailable', { message: 'The service is stopping.' }))
      await Promise.all([parsing, recognition, drawing].map((pool) => pool.close()))
    },
  }
  return reader
}

/**
 * The recogniser itself stops after 60 s; rendering the page and starting the process take extra
 * time.
 */
const PAGE_TIMEOUT_MS = 75_000

type FileToRecognize = {
  source: SourceFile
  type: SniffedType
  plan: RecognitionPlan
  languages: readonly string[]
  /** Vision model; `null` when not configured. */
  vision: VisionReader | null
  task: Pick<TaskLimits, 'isBackground' | 'meter'> & { owner: TaskOwner }
  /** Pages that recently timed out are skipped for a while. */
  givenUp: GivenUpFiles
}

/**
 * Recognises pages in child processes, and lets the vision model read them if the plan says so.
 * This process calls the model, since child processes have no API keys. Failures of a page are part
 * of its result; rejects only when stopped or when recognition is unavailable.
 */
function recognizePageIn(
  pool: Pick<ParserPool, 'run'>,
  { source, type, plan, languages: configured, vision, task, givenUp }: FileToRecognize,
): RecognizePage {
  const { mode, languages } = plan
  const improve = vision !== null && plan.vision ? createPageImprover(vision, languages) : null

  async function read(page: number, signal: AbortSignal): Promise<DrawnPage> {
    const known = await givenUp.find(source, { ...task, page })
    if (known !== null) return failedPage(known)
    const input: RecognizePageInput = { source, type, page, mode, draws: improve !== null, languages, configured }
    try {
      return (await pool.run('recognize-page', input, { ...task, timeoutMs: PAGE_TIMEOUT_MS, signal })) as DrawnPage
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || error.status >= 500) throw error
      const { cause } = error.facts
      const message = describe(error)
      if (cause instanceof ChildStopped && exceededLimit(cause.reason)) {
        await givenUp.remember(source, { ...task, page, message })
      }
      return failedPage(message)
    }
  }

  return async (page, signal) => {
    const drawn = await read(page, signal)
    return improve === null ? drawn : await improve(drawn, signal)
  }
}

/** The page is damaged, or its process was stopped. */
function describe(error: ApiError): string {
  const stopped = error.facts.cause
  if (!(stopped instanceof ChildStopped)) return error.message
  const { reason } = stopped
  if (reason.kind === 'time') {
    return `Recognition timed out after ${Math.round(reason.limitMs / 1000)} s.`
  }
  if (reason.kind === 'memory') {
    return `Recognition exceeded ${Math.round(reason.limitBytes / 1024 / 1024)} MB of memory.`
  }
  return 'Recognition failed: its process ended.'
}

function failedPage(message: string): DrawnPage {
  const nothing = { text: '', confidence: 0, blocks: [], languages: [], engine: '', warnings: [] }
  return { recognition: { outcome: 'failed', ...nothing, message }, width: 0, height: 0 }
}

/**
 * Reads a page with the vision model, after the embedded engine. Rejects only with the reason of an
 * aborted signal.
 */
type ImprovePage = (page: DrawnPage, signal: AbortSignal) => Promise<RecognizedPage>

/** Our choice: a hanging model would take its full timeout for each page of a book. */
const MAX_FAILURES_IN_A_ROW = 2

/**
 * For one document: after two failures in a row, the model is not called for the remaining pages.
 * `languages` are hints and may be empty.
 */
export function createPageImprover(vision: VisionReader, languages: readonly string[]): ImprovePage {
  let failures = 0
  return async ({ picture, ...page }, signal) => {
    if (picture === undefined) return page
    if (failures >= MAX_FAILURES_IN_A_ROW) return { ...page, fallback: modelSkippedMessage(vision.engine) }
    const { width, height, recognition: embedded } = page
    const { recognition, fallback } = await vision.improve({ picture, width, height, embedded, languages, signal })
    failures = fallback?.isFailure === true ? failures + 1 : 0
    return fallback === null ? { ...page, recognition } : { ...page, recognition, fallback: fallback.message }
  }
}

function modelSkippedMessage(engine: string): string {
  return `The model ${engine} failed on other pages and was skipped; the embedded engine read the page.`
}
