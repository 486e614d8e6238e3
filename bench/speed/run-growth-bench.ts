import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'
import { ms } from '../timings.ts'
import { areKept, atMost, type Bound, reportBounds } from './bounds.ts'
import { drawGrowth } from './draw-growth.ts'
import { growMemory, type Stage } from './grow-memory.ts'
import { boundsOfFinds } from './measure-finds.ts'
import { openSentences } from './open-sentences.ts'

const FIRST = 1000
const FACTOR = 10
/** Of smaller memories the database's log is most. */
const MIN_WEIGHED = 10_000
const PLOT = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks-growth.svg')

/**
 * `[folder with real texts] [--to 1000000] [--plot docs/benchmarks-growth.svg]`: grows one memory
 * by factors of ten and measures each size, as a table and a plot. Prints; false when a requirement
 * is missed.
 */
export async function runGrowthBench(args: string[]): Promise<boolean> {
  const options = { to: { type: 'string', default: '1000000' }, plot: { type: 'string', default: PLOT } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const sentences = openSentences(positionals[0])
  const folder = mkdtempSync(join(tmpdir(), 'recollect-growth-'))
  const stages: Stage[] = []
  try {
    print(`Texts ${sentences.description}. ${describeMachine()}`)
    for await (const stage of growMemory(join(folder, 'data'), { sizes: sizesUpTo(Number(values.to)), sentences })) {
      stages.push(stage)
      print(row(stage).join(' | '))
    }
    print(table('Growth', HEAD, stages.map(row)))
    writeFileSync(values.plot, drawGrowth(stages))
    print(reportBounds(stages.flatMap(boundsOf)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return areKept(stages.flatMap(boundsOf))
}

function sizesUpTo(most: number): number[] {
  const sizes: number[] = []
  for (let size = FIRST; size < most; size *= FACTOR) sizes.push(size)
  return [...sizes, most]
}

const HEAD = [
  'chunks',
  'hybrid, p50 / p95 ms (over Lance)',
  'lexical',
  'semantic',
  'added, chunks/s',
  'upkeep after, s',
  'bytes a chunk',
  'memory now / most, MB',
]

function row({ chunks, perSecond, upkeepSeconds, bytesAChunk, megabytes, finds }: Stage): string[] {
  const latencies = finds.map(
    ({ ours, raw }) => `${ms(ours.p50)} / ${ms(ours.p95)} (${(ours.p50 / raw.p50).toFixed(1)})`,
  )
  return [
    String(chunks),
    ...latencies,
    perSecond.toFixed(0),
    upkeepSeconds.toFixed(0),
    bytesAChunk.toFixed(0),
    `${megabytes.now} / ${megabytes.most}`,
  ]
}

function boundsOf({ chunks, bytesAChunk, finds }: Stage): Bound[] {
  if (chunks < MIN_WEIGHED) return []
  const onDisk = atMost(`a chunk on disk of ${chunks}`, { seen: bytesAChunk / 1000, limit: 3.2, unit: ' KB' })
  return [...boundsOfFinds(finds, chunks), onDisk]
}
