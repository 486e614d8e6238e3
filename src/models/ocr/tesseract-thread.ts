import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { GrayPage } from './gray-page.ts'
import type { LanguageData } from './language-data.ts'

/**
 * A worker thread that runs Tesseract, called by the messages of tesseract.js's worker script. Its
 * `createWorker` is not used: it hangs if a language cannot be loaded, dies with its worker, and
 * may download data. Only the action `loadLanguage` accesses the network, and is never sent.
 * Language data is read here and written to the engine's file system.
 */
export type TesseractThread = {
  /** Pages read since the start. */
  readonly pages: number
  /** False after the engine failed or was terminated. */
  readonly isAlive: boolean
  /**
   * Reads one page; one call at a time. Rejects if the engine fails or the thread is terminated.
   * The thread is unusable afterwards.
   */
  read(page: GrayPage, options: ReadOptions): Promise<{ tsv: string }>
  /** Terminates the thread immediately. */
  end(): Promise<void>
}

/** Options for reading a page. */
export type ReadOptions = {
  languages: readonly LanguageData[]
} & ReadingWay

/** The engine's options for a page. */
export type ReadingWay = {
  /**
   * `auto` detects columns, paragraphs and pictures. `column` assumes one column of text in several
   * sizes, `block` one block.
   */
  layout: 'auto' | 'column' | 'block'
  /** Threshold between ink and paper: for the whole page, or adaptive. */
  light: 'even' | 'uneven'
  /** Resolution that the size of the letters suggests; `null` if unknown. */
  dpi: number | null
}

const WORKER_SCRIPT = createRequire(import.meta.url).resolve('tesseract.js/src/worker-script/node/index.js')
/** tesseract.js's OEM.LSTM_ONLY: our data folders contain nothing else. */
const LSTM_ONLY = 1
/**
 * tesseract.js's PSM: `AUTO` finds columns but misses some isolated words; then `SINGLE_COLUMN` and
 * `SINGLE_BLOCK`.
 */
const LAYOUTS = { auto: '3', column: '4', block: '6' } as const
/** `thresholding_method`: Otsu's threshold, or Sauvola's. */
const THRESHOLDS = { even: '0', uneven: '2' } as const

type Reply = { jobId: string; status: 'resolve' | 'reject' | 'progress'; data: unknown }
type Send = (action: string, payload: object, transfer?: ArrayBuffer[]) => Promise<unknown>

/** Starts the engine in about half a second. Rejects if it cannot start. */
export async function startTesseractThread(): Promise<TesseractThread> {
  const { worker, send, isAlive } = await startEngine({ lstmOnly: true })
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
    read: async (page, { languages, layout, light, dpi }) => {
      const wanted = languages.map(({ code }) => code).join('+')
      if (wanted !== loaded) await initialize(send, languages, held)
      loaded = wanted
      pages += 1
      const image = encodePgm(page)
      const options = {
        tessedit_pageseg_mode: LAYOUTS[layout],
        thresholding_method: THRESHOLDS[light],
        ...(dpi === null ? {} : { user_defined_dpi: String(dpi) }),
      }
      const output = { text: false, tsv: true }
      const answer = await send('recognize', { image, options, output }, [image.buffer])
      return answer as { tsv: string }
    },
    end: async () => {
      await worker.terminate()
    },
  }
}

/** Loads the engine; `lstmOnly` is smaller, and cannot detect scripts. */
async function startEngine({ lstmOnly }: { lstmOnly: boolean }) {
  const worker = new Worker(WORKER_SCRIPT, { stdout: true, stderr: true, env: {} })
  // The engine's output means nothing to a reader of the log, and an unread pipe fills up.
  worker.stdout.resume()
  worker.stderr.resume()
  const { send, isAlive } = openConversation(worker)
  await send('load', { options: { lstmOnly, corePath: null, logging: false } })
  return { worker, send, isAlive }
}

/** tesseract.js's OEM.TESSERACT_ONLY: the older engine detects scripts. */
const LEGACY_ONLY = 0

/**
 * The engine's name of the script of a page, such as `Cyrillic`; `null` for too little text. Takes
 * half a second, and as long again for a large page, in a thread that ends with the call. Rejects
 * if the engine fails.
 */
export async function detectScript(
  page: GrayPage,
  { data, signal }: { data: LanguageData; signal: AbortSignal },
): Promise<string | null> {
  const { worker, send } = await startEngine({ lstmOnly: false })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  try {
    await writeData(send, data)
    await send('initialize', { langs: data.code, oem: LEGACY_ONLY, config: {} })
    const image = encodePgm(page)
    const { script } = (await send('detect', { image }, [image.buffer])) as { script: string | null }
    return script
  } finally {
    signal.removeEventListener('abort', end)
    await worker.terminate()
  }
}

async function writeData(send: Send, data: LanguageData): Promise<void> {
  await send('FS', { method: 'writeFile', args: [`./${data.code}.traineddata`, await data.read()] })
}

async function initialize(send: Send, languages: readonly LanguageData[], held: Set<string>): Promise<void> {
  for (const language of languages.filter(({ code }) => !held.has(code))) {
    await writeData(send, language)
    held.add(language.code)
  }
  await send('initialize', { langs: languages.map(({ code }) => code).join('+'), oem: LSTM_ONLY, config: {} })
}

/** Sends requests in order. The thread keeps the process alive only while a response is pending. */
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
 * The engine takes a file, and PGM is cheap to write. The comment exceeds the 500 bytes in which
 * the worker script searches for an EXIF orientation, so that pixels are never mistaken for one.
 */
function encodePgm({ data, width, height }: GrayPage): Uint8Array<ArrayBuffer> {
  const header = Buffer.from(`P5\n#${' '.repeat(510)}\n${width} ${height}\n255\n`, 'latin1')
  const file = new Uint8Array(header.length + width * height)
  file.set(header)
  file.set(data.subarray(0, width * height), header.length)
  return file
}
