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

/** What the recogniser is made of. */
type TesseractOptions = {
  /** What is recognised when nobody asks for something else: `['eng']`. */
  languages: readonly string[]
  /** Pages at a time; more than there are processors would only slow each other down. An engine takes 150 to 400 MB. */
  size: number
  log: Log
  /** A page that takes longer is given up; 60 s when absent. */
  pageTimeoutMs?: number
  /** Where the packages of language data lie; beside our own dependencies when absent. */
  dataDirectory?: string
}

/** Our choice, as for parsing: no honest page takes a quarter of it. */
const PAGE_TIMEOUT_MS = 60_000
/** The memory of an engine never shrinks. */
const RECYCLE_AFTER_PAGES = 50
const IDLE_MS = 60_000
/** The engine breaks on pictures that have hardly a pixel, and letters have more. */
const MIN_SIDE = 8

/**
 * The recogniser that the service brings along: Tesseract in worker threads of this process, and nothing of the network. Starts
 * no thread before the first page. Throws when one of `languages` is not installed, naming it.
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

type Conditions = Pick<ReadOptions, 'languages'> & { timeoutMs: number; signal: AbortSignal | undefined; log: Log }
type GivenPage = PageToRecognize & { source: { width: number; height: number } }

/** Reads a page on a thread, which is ended when the time is up or the caller goes. */
async function readOn(thread: TesseractThread, given: GivenPage, conditions: Conditions): Promise<RecognitionOutcome> {
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

/** A few engines that are kept for the next page, started when there is need. */
type ThreadPool = {
  /**
   * Hands an engine to `work`, or waits until one is free, first come first served. Rejects with what `start` or `work` rejects with,
   * and with the signal's reason when it is aborted while waiting.
   */
  use<Result>(work: (thread: TesseractThread) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Ends every engine; those at work fail. */
  close(): Promise<void>
}

/** What a pool is made of. */
type ThreadPoolOptions = {
  size: number
  start(): Promise<TesseractThread>
  /** An engine's memory never shrinks and grows with the largest page: after so many pages it makes room for a new one. */
  recycleAfterPages: number
  /** An engine that had nothing to do for so long is ended, and its memory given back. */
  idleMs: number
}

/** A pool that is empty at first. */
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
      engines.run(async () => {
        const thread = await take()
        busy.add(thread)
        try {
          return await work(thread)
        } finally {
          await giveBack(thread)
        }
      }, signal),
    close: async () => {
      const resting = idle.splice(0)
      for (const { timer } of resting) clearTimeout(timer)
      await Promise.all([...resting.map(({ thread }) => thread), ...busy].map((thread) => thread.end()))
    },
  }
}
