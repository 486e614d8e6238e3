/** Tasks of the child processes: parsing and rendering documents, and recognising their pages. */
import sharp from 'sharp'
import { createTesseractRecognizer } from '../models/ocr/tesseract-recognizer.ts'
import { toPictureForModel } from '../models/picture-for-model.ts'
import type { Raster, Recognizer } from '../models/recognizer.ts'
import type { Log } from '../observability/log.ts'
import { tasks as parseTasks } from '../parsers/child/parse-tasks.ts'
import type { Tasks } from '../parsers/child/protocol.ts'
import { drawImagePage, highlightBoxes } from '../parsers/images/draw-image-page.ts'
import { drawPdfPage } from '../parsers/images/draw-pdf-page.ts'
import { openImage } from '../parsers/images/open-image.ts'
import { renderPage } from '../parsers/pdf/render-page.ts'
import { detectHere } from '../services/ingest/indexing/language-detector.ts'
import type { DrawPageInput } from '../services/reading/page-picture.ts'
import { findBlocks } from '../services/reading/page-picture.ts'
import type { DrawnPage, RecognizePageInput } from '../services/reading/recognition.ts'

/**
 * `recognize-page` takes a {@link RecognizePageInput} and returns a {@link DrawnPage}.
 * `draw-marked-page` takes a {@link DrawPageInput} and returns a PNG or `null`. All other tasks are
 * in `parse-tasks.ts`.
 */
export const tasks: Tasks = createTasks()

function createTasks(): Tasks {
  const recognizePage = createRecognition()
  return { ...parseTasks, 'recognize-page': recognizePage, 'draw-marked-page': createDrawing(recognizePage) }
}

/** Resolution of displayed pages: about 1,200 pixels for the width of US letter. */
const SHOWN_DPI = 144

/** The rendering task, with recognition for the boxes of text that is not in the file. */
function createDrawing(recognizePage: Tasks[string]): Tasks[string] {
  // biome-ignore lint/correctness/useYield: a picture comes whole.
  return async function* drawMarkedPage(given: unknown): AsyncGenerator<never, Uint8Array | null> {
    const input = given as DrawPageInput
    const { source, type, page, passage, isRecognized } = input
    try {
      const recognized = passage !== null && isRecognized ? await recognizeAgain(recognizePage, input) : null
      if (type.format !== 'pdf') {
        const { picture, width, height } = await drawImagePage(source.path, page)
        return await highlightBoxes(picture, {
          width,
          height,
          boxes: findBlocks(recognized, { passage, width, height }),
        })
      }
      const inText = recognized === null ? passage : null
      const { picture, boxes } = await drawPdfPage(source, page, { dpi: SHOWN_DPI, passage: inText })
      const { data, width, height, channels } = picture
      const found = recognized === null ? boxes : findBlocks(recognized, { passage, width, height })
      return await highlightBoxes(sharp(data, { raw: { width, height, channels } }), { width, height, boxes: found })
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }
}

async function recognizeAgain(recognizePage: Tasks[string], given: DrawPageInput): Promise<DrawnPage> {
  const { source, type, page, languages } = given
  const input: RecognizePageInput = {
    source,
    type,
    page,
    mode: 'fast',
    draws: false,
    languages: [],
    configured: languages,
  }
  const { value } = await recognizePage(input).next()
  return value as DrawnPage
}

/**
 * Resolution of pages to recognise. At 150 dpi recognition is fast, and nearly as good as at 300
 * (docs/decisions, text in pictures).
 */
const DRAWN_DPI = { fast: 150, accurate: 300 } as const

/** Messages of the engine about a page are in the page's report. */
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** The recognition task, with an engine that lives as long as the child. */
function createRecognition(): Tasks[string] {
  const engines = new Map<string, Recognizer>()
  let before: { path: string; languages: readonly string[] } | null = null

  function getEngine(languages: readonly string[]): Recognizer {
    const name = languages.join('+')
    const options = { size: 1, languages, detectLanguage: detectHere, log: SILENT }
    const engine = engines.get(name) ?? createTesseractRecognizer(options)
    engines.set(name, engine)
    return engine
  }

  // biome-ignore lint/correctness/useYield: a page comes whole.
  return async function* recognizePage(given: unknown): AsyncGenerator<never, DrawnPage> {
    const input = given as RecognizePageInput
    const image = await openPage(input)
    const { width, height } = image.source ?? image
    const { mode, languages, draws } = input
    const { path } = input.source
    const likely = before?.path === path ? before.languages : []
    const recognition = await getEngine(input.configured).recognize({ image, mode, languages, likely })
    if (recognition.outcome === 'text') before = { path, languages: recognition.languages }
    if (!draws || recognition.outcome === 'blank') return { recognition, width, height }
    return { recognition, ...(await toPictureForModel(image)) }
  }
}

async function openPage({ source, type, page, mode }: RecognizePageInput): Promise<Raster> {
  if (type.format === 'pdf') return await renderPage(source, page, { dpi: DRAWN_DPI[mode], colours: 'gray' })
  return await (await openImage(source.path)).readPage(page)
}
