import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { anySignal } from '../../concurrency/wait.ts'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { Recognition, RecognitionRequest, Recognizer } from '../recognizer.ts'
import { chooseLanguages, findDataDirectory, listLanguageData } from './choose-languages.ts'
import { describeGivenUp, describeReading, type RecognitionOutcome } from './compose-reading.ts'
import { toGrayPage } from './gray-page.ts'
import { type PageToRecognize, type ReadOnce, recognizePage } from './recognize-page.ts'
import { type ReadOptions, startTesseractThread, type TesseractThread } from './tesseract-thread.ts'

/** Options of the recogniser. */
type TesseractOptions = {
  /** Default languages: `['eng']`. */
  languages: readonly string[]
  /**
   * Pages in parallel; more than processors would only slow each other down. An engine takes 150 to
   * 400 MB.
   */
  size: number
  log: Log
  /** Time limit of a page. Default: 60 s. */
  pageTimeoutMs?: number
  /** Folder of the language data packages. Default: our dependencies. */
  dataDirectory?: string
}

/** Our choice, as for parsing: no real page takes a quarter of it. */
const PAGE_TIMEOUT_MS = 60_000
/** The memory of an engine never shrinks. */
const RECYCLE_AFTER_PAGES = 50
const IDLE_MS = 60_000
/** The engine fails on images of a few pixels, and letters are larger. */
const MIN_SIDE = 8

/**
 * The built-in recogniser: Tesseract in worker threads of this process, without network access.
 * Starts no thread before the first page. Throws if a language of `languages` is not installed.
 */
export function createTesseractRecognizer(options: TesseractOptions): Recognizer {
  const { log, pageTimeoutMs: timeoutMs = PAGE_TIMEOUT_MS } = options
  const data = listLanguageData(options.dataDirectory ?? findDataDirectory())
  const installed = data.map(({ code }) => code)
  requireLanguages(options.languages, installed)
  const pool = createThreadPool({
    size: Math.max(1, Math.min(options.size, availableParallelism())),
    start: requireThread,
    recycleAfterPages: RECYCLE_AFTER_PAGES,
    idleMs: IDLE_MS,
  })
  const engine = `tesseract.js ${readEngineVersion()}`

  const recognize = async ({
    image,
    mode,
    languages: hints = [],
    signal,
  }: RecognitionRequest): Promise<Recognition> => {
    const { languages, warnings } = chooseLanguages(hints, { installed, fallback: options.languages })
    const page = await toGrayPage(image)
    const source = ('data' in image ? image.source : undefined) ?? page
    const facts = { languages, engine, warnings }
    if (Math.min(page.width, page.height) < MIN_SIDE) return { ...describeReading(null, { page, source }), ...facts }
    const given = { page, source, mode, dpi: 'data' in image ? image.dpi : null }
    const chosen = data.filter(({ code }) => languages.includes(code))
    const outcome = await pool.use(
      (thread) => readOn(thread, given, { languages: chosen, timeoutMs, signal, log }),
      signal,
    )
    signal?.throwIfAborted()
    return { ...outcome, ...facts }
  }
  return { engine, languages: installed, recognize, close: pool.close }
}

type PageReadOptions = Pick<ReadOptions, 'languages'> & { timeoutMs: number; signal: AbortSignal | undefined; log: Log }
type GivenPage = PageToRecognize & { source: { width: number; height: number } }

/** Reads a page on a thread, which is terminated at the time limit or when the caller aborts. */
async function readOn(
  thread: TesseractThread,
  given: GivenPage,
  conditions: PageReadOptions,
): Promise<RecognitionOutcome> {
  const { languages, timeoutMs, signal, log } = conditions
  const timeUp = AbortSignal.timeout(timeoutMs)
  const stop = anySignal(timeUp, signal)
  const end = () => void thread.end()
  stop.addEventListener('abort', end, { once: true })
  try {
    const readOnce: ReadOnce = async (page, way) => (await thread.read(page, { languages, ...way })).tsv
    const reading = await recognizePage(given, readOnce)
    return describeReading(reading, given)
  } catch (error) {
    const { width, height } = given.page
    if (signal?.aborted !== true) log.warn({ err: error, width, height }, 'a page was not recognised')
    return describeGivenUp(timeUp.aborted ? 'timeout' : 'failed', timeoutMs)
  } finally {
    stop.removeEventListener('abort', end)
  }
}

async function requireThread(): Promise<TesseractThread> {
  try {
    return await startTesseractThread()
  } catch (error) {
    throw new ApiError('service_unavailable', { message: 'The recognition engine does not start.', cause: error })
  }
}

function requireLanguages(languages: readonly string[], installed: readonly string[]): void {
  const missing = languages.filter((code) => !installed.includes(code))
  if (missing.length === 0 && languages.length > 0) return
  throw new Error(
    `there is no recognition data for ${missing.join(', ') || 'no language'}; installed are ${installed.join(', ')}`,
  )
}

function readEngineVersion(): string {
  const { version } = createRequire(import.meta.url)('tesseract.js/package.json') as { version: string }
  return version
}

/** A pool of engines, started on demand and kept for the next page. */
type ThreadPool = {
  /**
   * Lends an engine to `work`, or waits for a free one, first come first served. Rejects as `start`
   * or `work` does, and with the signal's reason if aborted while waiting.
   */
  use<Result>(work: (thread: TesseractThread) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Terminates every engine; running work fails. */
  close(): Promise<void>
}

/** Options of a pool. */
type ThreadPoolOptions = {
  size: number
  start(): Promise<TesseractThread>
  /**
   * The memory of an engine never shrinks, and grows with the largest page. After this many pages a
   * new engine replaces it.
   */
  recycleAfterPages: number
  /** Terminates an engine that was idle for this time, to free its memory. */
  idleMs: number
}

/** Creates an empty pool. */
export function createThreadPool({ size, start, recycleAfterPages, idleMs }: ThreadPoolOptions): ThreadPool {
  const idle: { thread: TesseractThread; timer: NodeJS.Timeout }[] = []
  const busy = new Set<TesseractThread>()
  const engines = createSemaphore(size)

  const take = async () => {
    const resting = idle.pop()
    if (resting === undefined) return await start()
    clearTimeout(resting.timer)
    return resting.thread
  }
  const giveBack = async (thread: TesseractThread) => {
    busy.delete(thread)
    if (!thread.isAlive || thread.pages >= recycleAfterPages) return await thread.end()
    const entry = { thread, timer: setTimeout(() => retire(entry), idleMs).unref() }
    idle.push(entry)
  }
  const retire = (entry: (typeof idle)[number]) => {
    idle.splice(idle.indexOf(entry), 1)
    void entry.thread.end()
  }
  return {
    use: (work, signal) =>
      engines.run(
        async () => {
          const thread = await take()
          busy.add(thread)
          try {
            return await work(thread)
          } finally {
            await giveBack(thread)
          }
        },
        { signal },
      ),
    close: async () => {
      const resting = idle.splice(0)
      for (const { timer } of resting) clearTimeout(timer)
      await Promise.all([...resting.map(({ thread }) => thread), ...busy].map((thread) => thread.end()))
    },
  }
}
