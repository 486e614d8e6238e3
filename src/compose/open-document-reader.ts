import { availableParallelism } from 'node:os'
import { type Config, ConfigError } from '../config.ts'
import { findInstalled } from '../models/ocr/choose-languages.ts'
import { findRecognitionData } from '../models/ocr/language-data.ts'
import { dataPackageOf, describeMissingLanguage } from '../models/ocr/language-names.ts'
import { openVisionReader } from '../models/open-models.ts'
import type { Log } from '../observability/log.ts'
import { meteredPool, meteredReader, meteredVisionReader } from '../observability/metered.ts'
import type { Meters } from '../observability/meters.ts'
import { createParserPool } from '../parsers/child/parser-pool.ts'
import { createProcessorShares } from '../parsers/child/processor-shares.ts'
import { createSandboxMonitor } from '../parsers/sandbox/sandbox-monitor.ts'
import { createDocumentReader, type DocumentReader } from '../services/reading/document-reader.ts'

/** Pages of a document recognised in parallel: one per core. More take too much memory. */
const MAX_PAGES_AT_ONCE = 4
/**
 * Files parsed in parallel for jobs, or for one key: each of the worker's two jobs may occupy a
 * child for long.
 */
const FILES_AT_ONCE = { min: 2, max: 3 } as const
/**
 * Children in each pool reserved from jobs and from any single key, so that another caller's
 * request finds one free.
 */
const KEPT_CHILDREN = 1
/** Users look at one page after another. */
const DRAWING_CHILDREN = 2
/**
 * Recognising a page takes longer than parsing a file, and a new child loads its language first.
 */
const RECOGNITION_QUANTUM_MS = 1_500
/** Module of the children's tasks, in TypeScript or in `dist`. */
const TASKS_MODULE = new URL(import.meta.url.endsWith('.ts') ? './child-tasks.ts' : './child-tasks.js', import.meta.url)

/**
 * Parses and recognises in processes without this process's secrets: they get only the environment
 * listed here. Sends no request to a configured vision model.
 */
export async function openDocumentReader(
  { recognition: { engine, languages: configured }, models: { access } }: Config,
  { temporaryDirectory, log, meters }: { temporaryDirectory: string; log: Log; meters: Meters },
): Promise<DocumentReader> {
  const seeing = engine === 'embedded' ? null : await openVisionReader(engine, { access, log })
  const vision = seeing === null ? null : meteredVisionReader(seeing, meters)
  const pagesAtOnce = Math.min(availableParallelism(), MAX_PAGES_AT_ONCE)
  const shares = createProcessorShares()
  const sandbox = createSandboxMonitor(log)
  const pool = (size: number, quantumMs?: number) =>
    meteredPool(
      createParserPool({
        size,
        shares,
        ...(quantumMs && { quantumMs }),
        tasksModule: TASKS_MODULE.href,
        temporaryDirectory,
        log,
        sandbox,
        // Each child works on one page. As many threads as processors in each child would only
        // compete.
        environment: { VIPS_CONCURRENCY: '1' },
      }),
      meters,
    )
  const { min, max } = FILES_AT_ONCE
  const parsing = pool(Math.min(Math.max(pagesAtOnce, min), max) + KEPT_CHILDREN)
  const recognition = pool(pagesAtOnce + KEPT_CHILDREN, RECOGNITION_QUANTUM_MS)
  const drawing = pool(DRAWING_CHILDREN)
  const languages = requireLanguageData(configured)
  const reader = createDocumentReader({ parsing, recognition, drawing, pagesAtOnce, languages, vision })
  return meteredReader(reader, meters)
}

/**
 * The configured languages by the engine's names. Throws {@link ConfigError} for languages without
 * installed data.
 */
export function requireLanguageData(configured: readonly string[]): string[] {
  const installed = findRecognitionData().languages.map(({ code }) => code)
  const found = configured.map((language) => findInstalled(language, installed))
  const missing = configured.filter((_, at) => found[at] === null)
  if (missing.length === 0) return [...new Set(found.flatMap((code) => code ?? []))]
  const reasons = missing.map((language) => {
    const reason = describeMissingLanguage(language)
    return reason ?? `there is no recognition data of ${language}. Install the npm package ${dataPackageOf(language)}.`
  })
  throw new ConfigError([`RECOLLECT_OCR_LANGUAGES: ${reasons.join(' Also, ')} Installed are ${installed.join(', ')}.`])
}
