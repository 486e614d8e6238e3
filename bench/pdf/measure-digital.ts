import { spawnSync } from 'node:child_process'
import { openAsBlob, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createParserPool, type ParserPool } from '../../src/parsers/child/parser-pool.ts'
import { makeMemory } from '../load.ts'
import { table } from '../report.ts'
import { startService } from '../service.ts'
import { percentile, timeEach } from '../timings.ts'
import { uploadFile } from '../upload.ts'

const PDF = { format: 'pdf', mimeType: 'application/pdf', encoding: null }
const TASKS = new URL('../../src/parsers/child/parse-tasks.ts', import.meta.url).href
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const ROUNDS = 5
const CLIENTS = [1, 4] as const

type PdfFile = { name: string; path: string; pages: number }
type Way = { name: string; run: () => unknown }

/**
 * Pages a second of the folder's PDFs with text on all pages. In turn, five times: read in one
 * child, uploaded to a service, and read by `pdftotext` where installed.
 */
export async function measureDigital(folder: string, dataDir: string): Promise<string> {
  const pool = createParserPool({ size: 1, tasksModule: TASKS, temporaryDirectory: tmpdir(), log: SILENT })
  const service = await startService(dataDir)
  try {
    const files = await listDigital(pool, folder)
    const upload = async (clients: number) => {
      const memoryId = await makeMemory(service, 'pdf')
      await timeEach(files, clients, async ({ name: filename, path }) => {
        const outcome = await uploadFile(service, memoryId, {
          filename,
          content: await openAsBlob(path),
          isImage: false,
        })
        if (outcome.end !== 'ready') throw new Error(`${filename} ended ${outcome.end}: ${outcome.message}`)
      })
    }
    const ways: Way[] = [
      { name: 'Recollect, parsed in one child', run: () => timeEach(files, 1, ({ path }) => countPages(pool, path)) },
      ...CLIENTS.map((n) => ({
        name: `Recollect, added over HTTP with embedding, clients: ${n}`,
        run: () => upload(n),
      })),
      ...(hasPdftotext() ? [{ name: 'pdftotext, a process a file', run: () => files.map(runPdftotext) }] : []),
    ]
    return report(files, await timeWays(ways))
  } finally {
    await Promise.all([pool.close(), service.stop()])
  }
}

/** Milliseconds of each round, by way; the first round of all warms up and is not counted. */
async function timeWays(ways: readonly Way[]): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(ways.map(({ name }) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, run } of ways) {
      const started = performance.now()
      await run()
      if (round > 0) times.get(name)?.push(performance.now() - started)
    }
  }
  return times
}

function report(files: readonly PdfFile[], times: ReadonlyMap<string, readonly number[]>): string {
  const pages = files.reduce((total, file) => total + file.pages, 0)
  const rows = [...times].map(([name, ms]) => {
    const [slowest, median, fastest] = [1, 0.5, 0].map((share) => (1000 * pages) / percentile(ms, share))
    return [name, median?.toFixed(0) ?? '', `${slowest?.toFixed(0)} to ${fastest?.toFixed(0)}`]
  })
  const missing = hasPdftotext() ? '' : '\n\n`pdftotext` is not on the PATH, so there is nothing beside it.'
  return table(`${files.length} PDFs with text, ${pages} pages (pages/s)`, ['', 'median', 'of five'], rows) + missing
}

/** The PDFs that are readable to the end and need no recognition. */
async function listDigital(pool: ParserPool, folder: string): Promise<PdfFile[]> {
  const files: PdfFile[] = []
  for (const name of readdirSync(folder).filter((name) => name.toLowerCase().endsWith('.pdf'))) {
    const path = join(folder, name)
    const pages = await countPages(pool, path).catch(() => 0)
    if (pages > 0) files.push({ name, path, pages })
  }
  return files
}

/** Pages with text; 0 where one is a picture, or reading was cut. Rejects as the reader does. */
async function countPages(pool: ParserPool, path: string): Promise<number> {
  const source = { path, bytes: statSync(path).size, filename: null, declaredType: null }
  let pages = 0
  let isDigital = true
  for await (const event of pool.parse(source, PDF)) {
    if ('page' in event) pages += 1
    if ('scan' in event || 'cut' in event) isDigital = false
  }
  return isDigital ? pages : 0
}

function hasPdftotext(): boolean {
  return spawnSync('pdftotext', ['-v'], { stdio: 'ignore' }).error === undefined
}

function runPdftotext({ path }: PdfFile): void {
  spawnSync('pdftotext', ['-layout', path, '-'], { stdio: 'ignore' })
}
