import { availableParallelism } from 'node:os'
import { type Config, ConfigError } from '../config.ts'
import type { Log } from '../log.ts'
import { meteredVisionReader } from '../metrics/metered-models.ts'
import { meteredPool, meteredReader } from '../metrics/metered-reading.ts'
import type { Meters } from '../metrics/meters.ts'
import { createParserPool } from '../parsers/child/parser-pool.ts'
import { createFenceWatch } from '../parsers/fence/fence-watch.ts'
import { findDataDirectory, listLanguageData } from '../providers/ocr/language-data.ts'
import { openVisionReader } from '../providers/open-models.ts'
import { createDocumentReader, type DocumentReader } from '../service/reading/document-reader.ts'

/** Children that parse: each of the worker's two jobs may hold one for long, and a request must still find one; more take too much memory. */
const PARSING_CHILDREN = { min: 3, max: 4 } as const
const MAX_RECOGNIZING_CHILDREN = 4
/** What the children do, in TypeScript as in `dist`. */
const TASKS_MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../child-tasks.ts' : '../child-tasks.js',
  import.meta.url,
)

/**
 * Parsing and recognition in processes that know nothing of this one's secrets: their environment is what stands here. Sends nothing
 * to the model that sees, where one is named.
 */
export async function openDocumentReader(
  { recognition: { engine, languages }, models: { access } }: Config,
  { temporaryDirectory, log, meters }: { temporaryDirectory: string; log: Log; meters: Meters },
): Promise<DocumentReader> {
  const seeing = engine === 'embedded' ? null : await openVisionReader(engine, { access, log })
  const vision = seeing === null ? null : meteredVisionReader(seeing, meters)
  const cores = availableParallelism()
  const pagesAtOnce = Math.min(cores, MAX_RECOGNIZING_CHILDREN)
  const fence = createFenceWatch(log)
  const pool = (size: number) =>
    meteredPool(
      createParserPool({
        size,
        tasksModule: TASKS_MODULE.href,
        temporaryDirectory,
        log,
        fence,
        // Each child works on one page; as many threads as there are processors in each would only be in each other's way.
        environment: { VIPS_CONCURRENCY: '1' },
      }),
      meters,
    )
  const { min, max } = PARSING_CHILDREN
  const parsing = pool(Math.min(Math.max(cores, min), max))
  const reader = createDocumentReader({ parsing, recognition: pool(pagesAtOnce), pagesAtOnce, languages, vision })
  return meteredReader(reader, meters)
}

/** Throws {@link ConfigError} for a language whose data is not installed. */
export function requireLanguageData(languages: readonly string[]): void {
  const installed = listLanguageData(findDataDirectory()).map(({ code }) => code)
  const missing = languages.filter((language) => !installed.includes(language))
  if (missing.length === 0) return
  const packages = missing.map((language) => `@tesseract.js-data/${language}`).join(' ')
  throw new ConfigError([
    `RECOLLECT_OCR_LANGUAGES names ${missing.join(', ')}, whose data is not installed (installed: ${installed.join(', ')}). In the service's folder, npm install ${packages} brings it.`,
  ])
}
