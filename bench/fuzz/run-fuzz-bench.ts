import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeMemory } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { createRandom } from '../random.ts'
import { list, megabytes, print, table } from '../report.ts'
import { type Service, startService } from '../service.ts'
import { timeEach } from '../timings.ts'
import { uploadFile } from '../upload.ts'
import { type Seen, watchProcesses } from '../watch-processes.ts'
import { makeSamples } from './make-samples.ts'
import { readSamples, type Sample, spoil } from './sample.ts'
import { count, createTally, type Tally } from './tally.ts'

const PICTURES = ['png', 'jpg', 'webp', 'gif', 'tif', 'bmp']
/**
 * Caches and V8's heap fill with the first thousands of documents: 15,000 files of 15 formats left
 * 283 MB, 8,000 files 307 MB.
 */
const MAX_GROWTH_MB = 400
const PAUSE_AFTER_FORMAT_MS = 3000
const MAX_SENTENCES = 8

type FormatResult = { format: string; tally: Tally; seen: Seen; afterMb: number | null; elapsedS: number }
type Trial = {
  format: string
  samples: readonly Sample[]
  files: number
  clients: number
  seed: number
  keep: string | undefined
}

/**
 * `[folder] [--files 1000] [--formats pdf,docx] [--clients 4] [--seed 1] [--keep folder]`: sends
 * mutated copies of small files, from the folder or generated, to a new service. False when a file
 * was answered 5xx or not at all, was read as empty without a warning, or was refused without a
 * reason. Also false when the service died or kept memory. `--keep` saves such files.
 */
export async function runFuzzBench(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      files: { type: 'string', default: '1000' },
      formats: { type: 'string' },
      clients: { type: 'string', default: '4' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'string' },
    },
  })
  const [folder] = positionals
  const samples = folder === undefined ? await makeSamples() : await readSamples(folder)
  const formats = values.formats?.split(',') ?? [...samples.keys()]
  const given = {
    files: Number(values.files),
    clients: Number(values.clients),
    seed: Number(values.seed),
    keep: values.keep,
  }
  if (given.keep !== undefined) mkdirSync(given.keep, { recursive: true })
  print(`${given.files} spoiled files a format, ${given.clients} at a time, seed ${given.seed}. ${describeMachine()}`)
  const data = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  const service = await startService(data)
  const beforeMb = service.rss()
  const results: FormatResult[] = []
  try {
    for (const format of formats) {
      const result = await tryFormat(service, { format, samples: samples.get(format) ?? [], ...given })
      results.push(result)
      printFormat(result)
    }
    printSummary(service, results, beforeMb)
    return isGood(service, results, beforeMb)
  } finally {
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function tryFormat(
  service: Service,
  { format, samples, files, clients, seed, keep }: Trial,
): Promise<FormatResult> {
  const memoryId = await makeMemory(service, format)
  const tally = createTally()
  const watch = watchProcesses(service)
  const started = performance.now()
  const whole = await listWhole(service, { memoryId, format, samples })
  const numbers = whole.length === 0 ? [] : Array.from({ length: files }, (_, index) => index)
  await timeEach(numbers, clients, async (index) => {
    const { bytes, how } = spoil(whole, createRandom(seed * 1_000_003 + index))
    const filename = `${index}.${format}`
    const content = new Blob([new Uint8Array(bytes)])
    const outcome = await uploadFile(service, memoryId, { filename, content, isImage: PICTURES.includes(format) })
    const complaint = count(tally, `${filename} (${how})`, outcome)
    if (keep !== undefined && (complaint !== null || isUnknownDamage(outcome.message))) {
      writeFileSync(join(keep, `seed-${seed}-${filename}`), bytes)
    }
    if (!service.isAlive()) throw new Error(`the service died of ${filename} or one of its neighbours: ${how}`)
  })
  const elapsedS = (performance.now() - started) / 1000
  await service.send('DELETE', `/v1/memories/${memoryId}`)
  await pause(PAUSE_AFTER_FORMAT_MS)
  return { format, tally, seen: watch.stop(), afterMb: service.rss(), elapsedS }
}

/**
 * The samples that are readable unmodified: a locked file hides its content from every mutation.
 */
async function listWhole(
  service: Service,
  { memoryId, format, samples }: { memoryId: string } & Pick<Trial, 'format' | 'samples'>,
): Promise<Sample[]> {
  const whole: Sample[] = []
  for (const sample of samples) {
    const content = new Blob([new Uint8Array(sample.bytes)])
    const isImage = PICTURES.includes(format)
    const { end } = await uploadFile(service, memoryId, { filename: sample.name, content, isImage })
    if (end !== 'refused' && end !== 'failed') whole.push(sample)
  }
  return whole
}

/** An unintended exception of a reader: harmless, but a fault of the reader. */
function isUnknownDamage(message: string | null): boolean {
  return message?.includes('unexpected content') ?? false
}

function isGood(service: Service, results: readonly FormatResult[], beforeMb: number | null): boolean {
  const complaints = results.flatMap(({ tally }) => [...tally.broken, ...tally.silent, ...tally.unclear])
  const grownMb = (results.at(-1)?.afterMb ?? 0) - (beforeMb ?? 0)
  return complaints.length === 0 && service.isAlive() && service.faults().length === 0 && grownMb <= MAX_GROWTH_MB
}

function printFormat({ format, tally }: FormatResult): void {
  const sentences = [...tally.sentences].sort((a, b) => b[1] - a[1]).slice(0, MAX_SENTENCES)
  print(
    list(
      format,
      sentences.map(([sentence, times]) => `${times} × ${sentence}`),
    ),
  )
  const complaints = [...tally.broken, ...tally.silent, ...tally.unclear]
  if (complaints.length > 0) print(list(`${format}: must not be`, complaints))
}

function printSummary(service: Service, results: readonly FormatResult[], beforeMb: number | null): void {
  const head = [
    'format',
    'files',
    'ends',
    '5xx or no answer',
    'files/s',
    'slowest',
    'service, most / after',
    'largest child',
  ]
  print(table('Spoiled files', head, results.map(summaryRow)))
  const died = service.isAlive() ? 'is alive' : 'has died'
  print(
    `The service ${died}; it had ${megabytes(beforeMb)} before, ${megabytes(service.rss())} now, ${megabytes(service.peakRss())} at most.`,
  )
  print(list('Errors in its log', service.faults()))
}

function summaryRow({ format, tally, seen, afterMb, elapsedS }: FormatResult): string[] {
  const ends = [...tally.ends].sort().map(([end, times]) => `${end}: ${times}`)
  const files = [...tally.ends.values()].reduce((total, times) => total + times, 0)
  return [
    format,
    String(files),
    ends.join(', '),
    String(tally.broken.length),
    (files / elapsedS).toFixed(1),
    `${(tally.slowest.elapsedMs / 1000).toFixed(1)} s: ${tally.slowest.file}`,
    `${megabytes(seen.serviceMb)} / ${megabytes(afterMb)}`,
    seen.childMb === null ? 'none' : megabytes(seen.childMb),
  ]
}
