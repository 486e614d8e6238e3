import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { LanguageData } from './choose-languages.ts'
import type { GrayPage } from './gray-page.ts'

/**
 * A worker thread that runs Tesseract, spoken to by the messages of tesseract.js's own worker script. Its `createWorker` is not
 * used: it hangs for ever when a language cannot be loaded, it dies with its worker, and it may download. Of the script's actions,
 * only `loadLanguage` knows the network, and it is never sent: language data is read here and put into the engine's file system.
 */
export type TesseractThread = {
  /** Pages read since the start. */
  readonly pages: number
  /** False once the engine broke or was ended. */
  readonly isAlive: boolean
  /** Reads one page. One call at a time. Rejects when the engine breaks or the thread is ended; the thread is of no use then. */
  read(page: GrayPage, options: ReadOptions): Promise<{ tsv: string }>
  /** Ends the thread at once, whatever it does. */
  end(): Promise<void>
}

/** How a page is read. */
export type ReadOptions = {
  languages: readonly LanguageData[]
} & ReadingWay

/** What the engine is told of a page. */
export type ReadingWay = {
  /** Look for columns, paragraphs and pictures; take the page for one column of text in several sizes; or for one block of it. */
  layout: 'auto' | 'column' | 'block'
  /** Ink is told from paper for the whole page at once, or place by place. */
  light: 'even' | 'uneven'
}

const WORKER_SCRIPT = createRequire(import.meta.url).resolve('tesseract.js/src/worker-script/node/index.js')
/** tesseract.js's OEM.LSTM_ONLY: the data folders we take have nothing else. */
const LSTM_ONLY = 1
/** tesseract.js's PSM: `AUTO` finds columns, and misses the odd word on its own; then `SINGLE_COLUMN` and `SINGLE_BLOCK`. */
const LAYOUTS = { auto: '3', column: '4', block: '6' } as const
/** `thresholding_method`: Otsu's threshold, or Sauvola's. */
const THRESHOLDS = { even: '0', uneven: '2' } as const

type Reply = { jobId: string; status: 'resolve' | 'reject' | 'progress'; data: unknown }
type Send = (action: string, payload: object, transfer?: ArrayBuffer[]) => Promise<unknown>

/** Starts the engine, about half a second. Rejects when it cannot start. */
export async function startTesseractThread(): Promise<TesseractThread> {
  const worker = new Worker(WORKER_SCRIPT, { stdout: true, stderr: true, env: {} })
  // What the engine prints names nothing a reader of the log could use, and a pipe nobody reads fills up.
  worker.stdout.resume()
  worker.stderr.resume()
  const { send, isAlive } = openConversation(worker)
  await send('load', { options: { lstmOnly: true, corePath: null, logging: false } })

  let pages = 0
  let loaded = ''
  const held = new Set<string>()
  return {
    get pages() {
      return pages
    },
    get isAlive() {
      return isAlive()
    },
    read: async (page, { languages, layout, light }) => {
      const wanted = languages.map(({ code }) => code).join('+')
      if (wanted !== loaded) await initialize(send, languages, held)
      loaded = wanted
      pages += 1
      const image = encodePgm(page)
      // No resolution is set: the engine's own guess from the text was as good or better on every picture tried.
      const options = { tessedit_pageseg_mode: LAYOUTS[layout], thresholding_method: THRESHOLDS[light] }
      const output = { text: false, tsv: true }
      const answer = await send('recognize', { image, options, output }, [image.buffer])
      return answer as { tsv: string }
    },
    end: async () => {
      await worker.terminate()
    },
  }
}

async function initialize(send: Send, languages: readonly LanguageData[], held: Set<string>): Promise<void> {
  for (const language of languages.filter(({ code }) => !held.has(code))) {
    await send('FS', { method: 'writeFile', args: [`./${language.code}.traineddata`, await language.read()] })
    held.add(language.code)
  }
  await send('initialize', { langs: languages.map(({ code }) => code).join('+'), oem: LSTM_ONLY, config: {} })
}

/** Asks and answers, in turn; the thread keeps the process alive only while an answer is awaited. */
function openConversation(worker: Worker): { send: Send; isAlive(): boolean } {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>()
  let asked = 0
  let death: Error | null = null
  const fail = (error: Error) => {
    death ??= error
    for (const question of waiting.values()) question.reject(death)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the recognition engine has ended')))
  worker.on('message', ({ jobId, status, data }: Reply) => {
    const question = waiting.get(jobId)
    if (question === undefined || status === 'progress') return
    waiting.delete(jobId)
    if (waiting.size === 0) worker.unref()
    if (status === 'resolve') question.resolve(data)
    else question.reject(new Error(`the recognition engine: ${String(data)}`))
  })
  const send: Send = (action, payload, transfer = []) => {
    if (death !== null) return Promise.reject(death)
    const question = Promise.withResolvers<unknown>()
    asked += 1
    waiting.set(String(asked), question)
    worker.ref()
    worker.postMessage({ workerId: 'ours', jobId: String(asked), action, payload }, transfer)
    return question.promise
  }
  return { send, isAlive: () => death === null }
}

/**
 * The engine takes a file; PGM costs nothing to write. The comment is longer than the 500 bytes in which the worker script looks
 * for an EXIF orientation, so that pixels are never taken for one.
 */
function encodePgm({ data, width, height }: GrayPage): Uint8Array<ArrayBuffer> {
  const header = Buffer.from(`P5\n#${' '.repeat(510)}\n${width} ${height}\n255\n`, 'latin1')
  const file = new Uint8Array(header.length + width * height)
  file.set(header)
  file.set(data.subarray(0, width * height), header.length)
  return file
}
