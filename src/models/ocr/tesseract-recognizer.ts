import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { anySignal } from '../../concurrency/wait.ts'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { Recognition, RecognitionRequest, Recognizer } from '../recognizer.ts'
import { chooseLanguages } from './choose-languages.ts'
import { describeGivenUp, describeReading, type RecognitionOutcome } from './compose-reading.ts'
import { toGrayPage } from './gray-page.ts'
import { findRecognitionData, type RecognitionData } from './language-data.ts'
import { toScript } from './language-names.ts'
import { type LanguageReading, readInLanguage } from './read-in-language.ts'
import type { ReadOnce } from './read-layout.ts'
import { type PageToRecognize, recognizePage } from './recognize-page.ts'
import { detectScript, startTesseractThread, type TesseractThread } from './tesseract-thread.ts'

/** Options of the recogniser. */
type TesseractOptions = {
  /** Languages of the first pass over a page: `['eng']`. */
  languages: readonly string[]
  /** Language of a text (ISO 639-1), `null` when uncertain. Default: always uncertain. */
  detectLanguage?: (text: string) => Promise<string | null>
  /**
   * Pages in parallel; more than processors would only slow each other down. An engine takes 150 to
   * 400 MB.
   */
  size: number
  log: Log
  /** Time limit of a page. Default: 60 s. */
  pageTimeoutMs?: number
  /** Default: the installed data. */
  data?: RecognitionData
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
  const { log, pageTimeoutMs: timeoutMs = PAGE_TIMEOUT_MS, detectLanguage = async () => null } = options
  const data = options.data ?? findRecognitionData()
  const installed = data.languages.map(({ code }) => code)
  requireLanguages(options.languages, installed)
  const pool = createThreadPool({
    size: Math.max(1, Math.min(options.size, availableParallelism())),
    start: requireThread,
    recycleAfterPages: RECYCLE_AFTER_PAGES,
    idleMs: IDLE_MS,
  })
  const engine = `tesseract.js ${readEngineVersion()}`

  const recognize = async (request: RecognitionRequest): Promise<Recognition> => {
    const { image, mode, languages: hints = [], likely = [], signal } = request
    const { languages, warnings } = chooseLanguages(hints, { installed, fallback: options.languages })
    const page = await toGrayPage(image)
    const source = ('data' in image ? image.source : undefined) ?? page
    const facts = { languages, engine, warnings }
    if (Math.min(page.width, page.height) < MIN_SIDE) return { ...describeReading(null, { page, source }), ...facts }
    const given = { page, source, mode, dpi: 'data' in image ? image.dpi : null }
    const start = hints.length === 0 && likely.length > 0 ? likely : languages
    const conditions = { start, data, detectLanguage, timeoutMs, signal, log }
    const outcome = await pool.use((thread) => readOn(thread, given, conditions), signal)
    signal?.throwIfAborted()
    return { ...facts, ...outcome }
  }
  return { engine, languages: installed, recognize, close: pool.close }
}

type PageReadOptions = Required<Pick<TesseractOptions, 'data' | 'detectLanguage' | 'log'>> & {
  /** Languages of the first pass. */
  start: readonly string[]
  timeoutMs: number
  signal: AbortSignal | undefined
}
type GivenPage = PageToRecognize & { source: { width: number; height: number } }

/** Reads a page on a thread, which is terminated at the time limit or when the caller aborts. */
async function readOn(
  thread: TesseractThread,
  given: GivenPage,
  conditions: PageReadOptions,
): Promise<RecognitionOutcome & { languages: string[] }> {
  const { start, timeoutMs, signal, log } = conditions
  const timeUp = AbortSignal.timeout(timeoutMs)
  const stop = anySignal(timeUp, signal)
  const end = () => void thread.end()
  stop.addEventListener('abort', end, { once: true })
  try {
    const { languages, reading, note } = await readIn(thread, given, { ...conditions, stop })
    return { ...describeReading(reading, { ...given, note }), languages: [...languages] }
  } catch (error) {
    const { width, height } = given.page
    if (signal?.aborted !== true) log.warn({ err: error, width, height }, 'a page was not recognised')
    return { ...describeGivenUp(timeUp.aborted ? 'timeout' : 'failed', timeoutMs), languages: [...start] }
  } finally {
    stop.removeEventListener('abort', end)
  }
}

async function readIn(
  thread: TesseractThread,
  given: GivenPage,
  { start, data, detectLanguage, stop }: PageReadOptions & { stop: AbortSignal },
): Promise<LanguageReading> {
  const { languages: all, scripts } = data
  return await readInLanguage(start, {
    installed: all.map(({ code }) => code),
    read: (codes) => {
      const languages = codes.flatMap((code) => all.find((one) => one.code === code) ?? [])
      const readOnce: ReadOnce = async (page, way) => (await thread.read(page, { languages, ...way })).tsv
      return recognizePage(given, readOnce)
    },
    detectLanguage,
    detectScript: async () =>
      scripts === null ? null : toScript(await detectScript(given.page, { data: scripts, signal: stop })),
  })
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
