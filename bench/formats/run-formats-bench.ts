import { mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeMemory } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { list, megabytes, print, table } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { getText, type Outcome, uploadFile } from '../upload.ts'
import { type Seen, watchProcesses } from '../watch-processes.ts'
import { describe, type Judgement, judgeFile } from './judge-file.ts'
import { type ManifestRow, readManifest } from './manifest.ts'

const PICTURES = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'tif', 'tiff', 'bmp']
const MIN_RECALL = 0.97
const RULE = [
  'A phrase is found where it stands in `/text` with all white space, and `|`, as one space, and capitals as small letters.',
  'Of recognised, HTML and XML files two of three phrases are enough, and then count as all.',
].join(' ')

type FileResult = { row: ManifestRow; outcome: Outcome; judgement: Judgement; pages: number }
type FormatResult = { format: string; files: FileResult[]; seen: Seen }

/**
 * `<folder with MANIFEST.tsv> [--ocr-mode fast] [--formats pdf,docx]`: uploads every file to a new
 * service and compares with the manifest. False when the recall of a format is under 97 %, or a
 * file was not refused clearly as required.
 */
export async function runFormatsBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'ocr-mode': { type: 'string', default: 'fast' }, formats: { type: 'string' } },
  })
  const [folder] = positionals
  if (folder === undefined) throw new Error('npm run bench -- formats <folder with MANIFEST.tsv>')
  const chosen = values.formats?.split(',')
  const rows = readManifest(folder).filter(({ format }) => chosen?.includes(format) ?? true)
  print(`${rows.length} files, pictures in mode ${values['ocr-mode']}. ${describeMachine()}`)
  const data = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  const service = await startService(data)
  try {
    const results: FormatResult[] = []
    for (const format of new Set(rows.map((row) => row.format))) {
      const memoryId = await makeMemory(service, format)
      const watch = watchProcesses(service)
      const files: FileResult[] = []
      for (const row of rows.filter((row) => row.format === format)) {
        files.push(await tryFile(service, { folder, memoryId, row, mode: values['ocr-mode'] }))
      }
      results.push({ format, files, seen: watch.stop() })
    }
    printResults(results, service)
    return results.every(isGoodFormat) && service.isAlive()
  } finally {
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

type Trial = { folder: string; memoryId: string; row: ManifestRow; mode: string }

async function tryFile(service: Service, { folder, memoryId, row, mode }: Trial): Promise<FileResult> {
  const content = await openAsBlob(join(folder, row.file))
  const isImage = PICTURES.includes(row.format)
  const outcome = await uploadFile(service, memoryId, { filename: row.file, content, isImage }, mode)
  const { documentId, document } = outcome
  const text = documentId === null ? (outcome.text ?? '') : await getText(service, memoryId, documentId)
  const judgement = judgeFile(row.expect, outcome, text)
  return { row, outcome, judgement, pages: document === null ? 0 : (document.pageCount ?? 1) }
}

function isGoodFormat(result: FormatResult): boolean {
  const hasErrors = result.files.every(({ row, judgement }) => row.expect.kind !== 'error' || judgement.isGood)
  return hasErrors && recallOf(result.files) >= MIN_RECALL
}

function recallOf(files: readonly FileResult[]): number {
  const expected = sum(files, ({ judgement }) => judgement.expected)
  return expected === 0 ? 1 : sum(files, ({ judgement }) => judgement.counted) / expected
}

function printResults(results: readonly FormatResult[], service: Service): void {
  const head = [
    'format',
    'files',
    'as the manifest says',
    'phrases found',
    'recall',
    'pages/s',
    'service',
    'largest child',
  ]
  print(table('Formats', head, results.map(formatRow)))
  print(RULE)
  print(`The service's process had ${megabytes(service.peakRss())} at most.`)
  const files = results.flatMap((result) => result.files)
  const refused = files.filter(({ row }) => row.expect.kind === 'error')
  print(
    list(
      'Files that have to be refused',
      refused.map(({ row, outcome }) => `${row.file}: ${describe(outcome)}`),
    ),
  )
  print(
    list(
      'Not as the manifest says',
      files.flatMap(({ row, judgement }) => judgement.complaints.map((what) => `${row.file}: ${what}`)),
    ),
  )
  print(
    list(
      'Remarks',
      files.flatMap(({ row, judgement }) => judgement.remarks.map((what) => `${row.file}: ${what}`)),
    ),
  )
  print(
    list(
      'Read in part',
      files
        .filter(({ outcome }) => outcome.end === 'partial')
        .map(({ row, outcome }) => `${row.file}: ${outcome.message}`),
    ),
  )
  print(list('Errors in the log', service.faults()))
}

function formatRow({ format, files, seen }: FormatResult): string[] {
  const good = files.filter(({ judgement }) => judgement.isGood).length
  const expected = sum(files, ({ judgement }) => judgement.expected)
  const read = files.filter(({ pages }) => pages > 0)
  const perSecond = (1000 * sum(read, ({ pages }) => pages)) / sum(read, ({ outcome }) => outcome.elapsedMs)
  return [
    format,
    String(files.length),
    String(good),
    expected === 0 ? '' : `${sum(files, ({ judgement }) => judgement.found)} of ${expected}`,
    expected === 0 ? '' : `${(100 * recallOf(files)).toFixed(1)} %`,
    read.length === 0 ? '' : perSecond.toFixed(1),
    megabytes(seen.serviceMb),
    seen.childMb === null ? 'none' : megabytes(seen.childMb),
  ]
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0)
}
