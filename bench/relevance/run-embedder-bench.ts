import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStaticEmbedder } from '../../src/models/local/static-model.ts'
import { describeMachine } from '../machine.ts'
import { print, table } from '../report.ts'

const PROCESSES = 7
const DIRECTORY = join(import.meta.dirname, '..', '..', 'embedder')
const MEGABYTE = 1e6
const MAX = { readyMs: 150, tableMegabytes: 40 } as const

/** A process with the embedder, until its first vector. */
type Opening = { readyMs: number; cpuMs: number; tableMegabytes: number; processMegabytes: number }

/**
 * `embedder`: opens the built-in embedder in new processes, one after the other. Prints the times
 * until the first vector, and the memory. False above a limit.
 */
export async function runEmbedderBench(): Promise<boolean> {
  const openings = Array.from({ length: PROCESSES }, openInProcess)
  const middle = (name: keyof Opening) =>
    openings.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(PROCESSES / 2)] ?? 0
  const rows = (Object.keys(LABELS) as (keyof Opening)[]).map((name) => {
    const all = openings.map((one) => one[name])
    return [LABELS[name], Math.min(...all), middle(name), Math.max(...all)].map((cell) =>
      typeof cell === 'number' ? cell.toFixed(0) : cell,
    )
  })
  print(describeMachine())
  print(table(`The embedder in ${PROCESSES} new processes`, ['', 'least', 'median', 'most'], rows))
  return middle('readyMs') <= MAX.readyMs && middle('tableMegabytes') <= MAX.tableMegabytes
}

const LABELS = {
  readyMs: `ready, ms (at most ${MAX.readyMs})`,
  cpuMs: 'processor time, ms',
  tableMegabytes: `table and its work areas, MB (at most ${MAX.tableMegabytes})`,
  processMegabytes: 'growth of the process, MB',
} as const

function openInProcess(): Opening {
  const script = `import(${JSON.stringify(import.meta.filename)}).then((bench) => bench.printOpening())`
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', '-e', script], { encoding: 'utf8' })) as Opening
}

/** Opens the embedder, embeds a text, and prints an {@link Opening} as JSON. */
export async function printOpening(): Promise<void> {
  const before = readPrivateBytes()
  const [started, usage] = [performance.now(), process.cpuUsage()]
  const embedder = await createStaticEmbedder({ directory: DIRECTORY })
  await embedder.embed(['How long is the notice period?'], 'query')
  const readyMs = performance.now() - started
  const { user, system } = process.cpuUsage(usage)
  const processMegabytes = (readPrivateBytes() - before) / MEGABYTE
  const tableMegabytes = (await embedder.openTable()).memory.buffer.byteLength / MEGABYTE
  const opening: Opening = { readyMs, cpuMs: (user + system) / 1000, tableMegabytes, processMegabytes }
  process.stdout.write(JSON.stringify(opening))
}

/** Memory without mapped files, after a garbage collection. */
function readPrivateBytes(): number {
  globalThis.gc?.()
  return 1024 * Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN)
}
