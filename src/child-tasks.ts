/** What the child processes of the service do: reading and drawing documents, and recognising their pages. */
import type { Log } from './log.ts'
import { tasks as parseTasks } from './parsers/child/parse-tasks.ts'
import type { Tasks } from './parsers/child/task.ts'
import { openImage } from './parsers/image/open-image.ts'
import { renderPage } from './parsers/pdf/render-page.ts'
import { createTesseractRecognizer } from './providers/ocr/tesseract-recognizer.ts'
import type { Raster, Recognizer } from './providers/recognizer.ts'
import { toPictureForModel } from './providers/vision/picture-for-model.ts'
import type { DrawnPage, RecognizePageInput } from './service/reading/recognition.ts'

/** `recognize-page` takes a {@link RecognizePageInput} and returns a {@link DrawnPage}; the others are of `parse-tasks.ts`. */
export const tasks: Tasks = { ...parseTasks, 'recognize-page': createRecognition() }

/** What a page is drawn at. docs/decisions, text in pictures: at 150 dpi reading is fast and nearly as good as at 300. */
const DRAWN_DPI = { fast: 150, accurate: 300 } as const

/** What the engine says of a page stands in the page's receipt. */
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** The task, with an engine that lives as long as the child. */
function createRecognition(): Tasks[string] {
  const engines = new Map<string, Recognizer>()

  function getEngine(languages: readonly string[]): Recognizer {
    const name = languages.join('+')
    const engine = engines.get(name) ?? createTesseractRecognizer({ size: 1, languages, log: SILENT })
    engines.set(name, engine)
    return engine
  }

  // biome-ignore lint/correctness/useYield: a page comes whole.
  return async function* recognizePage(given: unknown): AsyncGenerator<never, DrawnPage> {
    const input = given as RecognizePageInput
    const image = await openPage(input)
    const { width, height } = image.source ?? image
    const { mode, languages, draws } = input
    const recognition = await getEngine(input.configured).recognize({ image, mode, languages })
    if (!draws || recognition.outcome === 'blank') return { recognition, width, height }
    return { recognition, ...(await toPictureForModel(image)) }
  }
}

async function openPage({ source, type, page, mode }: RecognizePageInput): Promise<Raster> {
  if (type.format === 'pdf') return await renderPage(source, page, { dpi: DRAWN_DPI[mode], colours: 'gray' })
  return await (await openImage(source.path)).readPage(page)
}
