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

/** For whom a file is read, and when that ends. */
export type ReadOptions = Pick<TaskLimits, 'isBackground' | 'meter' | 'onRestart'> & {
  owner: TaskOwner
  signal: AbortSignal
}

/** How the scans of a file are treated, and who hears of it. */
export type RecognizeOptions = Omit<ReadOptions, 'onRestart'> & {
  recognition: RecognitionPlan
  /** What need not be recognised again; none where absent. */
  recognized?: RecognizedPages
  /** Hears of each page as it is recognised, in page order. */
  onRecognized?: (page: number, recognized: RecognizedPage) => void
}

/** Reads files of every supported format, pictures of text included. */
export type DocumentReader = {
  /** The file as its parser gives it, scans not yet recognised. */
  parse(source: SourceFile, type: SniffedType, options: ReadOptions): AsyncIterable<ParseEvent>
  /**
   * Throws `unprocessable_document` for a file that was given up lately for its time or memory, and
   * has the same owner's organization.
   */
  requireReadable(source: SourceFile, owner: TaskOwner): Promise<void>
  /**
   * Turns the scans among the events of that file into blocks and receipts, several pages at a
   * time, in page order.
   */
  recognize(
    events: AsyncIterable<ParseEvent> | Iterable<ParseEvent>,
    file: { source: SourceFile; type: SniffedType },
    options: RecognizeOptions,
  ): AsyncIterable<ReadEvent>
  /** Both. */
  read(source: SourceFile, type: SniffedType, options: RecognizeOptions): AsyncIterable<ReadEvent>
  /**
   * A page as PNG with a passage marked; `null` where there is no such page. Throws as reading the
   * file does.
   */
  draw(page: Omit<DrawPageInput, 'languages'>, options: Omit<ReadOptions, 'onRestart'>): Promise<Buffer | null>
  /** From now on keeps a child that parses ahead of need. */
  warm(): void
  /** Ends all children; whatever is being read then rejects with `service_unavailable`. */
  close(): Promise<void>
}

/** What a reader is made of. */
type DocumentReaderDeps = {
  /** Children that parse. */
  parsing: ParserPool
  /**
   * Children that recognise, others than those that parse: a parse that waits for its pages would
   * keep them from being recognised.
   */
  recognition: ParserPool
  /**
   * Children that draw pages for people who look at them: neither uploads nor jobs hold them up,
   * nor they those.
   */
  drawing: ParserPool
  /** Pages of one document that are recognised at a time: as many as `recognition` has children. */
  pagesAtOnce: number
  /** What is recognised where a plan names no languages. */
  languages: readonly string[]
  /** A model that sees; `null` where none is configured. */
  vision: VisionReader | null
  /** Files that were given up lately; its own where absent. */
  givenUp?: GivenUpFiles
}

/**
 * What a page may take to be drawn: an ordinary one takes a third of a second, one that has to be
 * recognised again some seconds.
 */
const DRAWING_TIMEOUT_MS = 15_000

/** Reads text formats in this process, everything else in children of the pools. */
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
 * The recogniser gives a page up after 60 s by itself; drawing the page and starting the child come
 * on top.
 */
const PAGE_TIMEOUT_MS = 75_000

/** What pages are recognised of, and how. */
type FileToRecognize = {
  source: SourceFile
  type: SniffedType
  plan: RecognitionPlan
  languages: readonly string[]
  /** A model that sees; `null` where none is configured. */
  vision: VisionReader | null
  /** For whom. */
  task: Pick<TaskLimits, 'isBackground' | 'meter'> & { owner: TaskOwner }
  /** Pages that took too long lately are not looked at again for a while. */
  givenUp: GivenUpFiles
}

/**
 * Recognises pages of a file in children of the pool, and has them read by the model where the plan
 * says so: it is asked by this process, since the children know no key. What goes wrong with a page
 * is its outcome; rejects when it was stopped or nothing can be recognised.
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

/** The page is damaged, or its child was stopped. */
function describe(error: ApiError): string {
  const stopped = error.facts.cause
  if (!(stopped instanceof ChildStopped)) return error.message
  const { reason } = stopped
  if (reason.kind === 'time') {
    return `Recognition took longer than ${Math.round(reason.limitMs / 1000)} s and was given up.`
  }
  if (reason.kind === 'memory') {
    return `Recognition took more than ${Math.round(reason.limitBytes / 1024 / 1024)} MB of memory and was stopped.`
  }
  return 'Recognition failed: the process that did it ended.'
}

function failedPage(message: string): DrawnPage {
  const nothing = { text: '', confidence: 0, blocks: [], languages: [], engine: '', warnings: [] }
  return { recognition: { outcome: 'failed', ...nothing, message }, width: 0, height: 0 }
}

/**
 * Has a page read by a model that sees, after the embedded engine. Rejects with the reason of an
 * aborted signal and for nothing else.
 */
type ImprovePage = (page: DrawnPage, signal: AbortSignal) => Promise<RecognizedPage>

/** Our choice: a model that hangs would take its whole time for each page of a book. */
const MAX_FAILURES_IN_A_ROW = 2

/**
 * For the pages of one document: a model that failed for two in a row is asked about no more of
 * them. `languages` are hints and may be none.
 */
export function createPageImprover(vision: VisionReader, languages: readonly string[]): ImprovePage {
  let failures = 0
  return async ({ picture, ...page }, signal) => {
    if (picture === undefined) return page
    if (failures >= MAX_FAILURES_IN_A_ROW) return { ...page, fallback: gaveUp(vision.engine) }
    const { width, height, recognition: embedded } = page
    const { recognition, fallback } = await vision.improve({ picture, width, height, embedded, languages, signal })
    failures = fallback?.isFailure === true ? failures + 1 : 0
    return fallback === null ? { ...page, recognition } : { ...page, recognition, fallback: fallback.message }
  }
}

function gaveUp(engine: string): string {
  return `The model ${engine} had failed on other pages and was not asked; the page was read by the embedded engine.`
}
