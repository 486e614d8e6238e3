/**
 * Runs batches of test files with Node's test runner, each batch in a separate process, several at
 * a time. The output of a batch is printed when the batch ends. A failed file runs once more,
 * alone, after all others: a busy machine can fail a test that starts services. Files that pass the
 * second time are reported as flaky. More than `MAX_FLAKY_FILES` flaky files fail the run, since a
 * test that passes half of the time guards nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { mapConcurrent } from '../src/concurrency/map-concurrent.ts'

/** Test files that share a process. */
export type Batch = readonly string[]

/** A queue of batches, processed `atOnce` batches at a time, in parallel with the other lanes. */
export type Lane = { batches: readonly Batch[]; atOnce: number }

export type TestRunOptions = {
  /** Minutes until a batch is killed; the longest file takes a third of this limit. */
  maxMinutes: number
  /** Options of `node --test`. */
  nodeOptions: readonly string[]
}

const MAX_FLAKY_FILES = 3

/**
 * Runs stages one after the other and the lanes of a stage in parallel. Returns the exit status: 0
 * or 1.
 */
export async function runStages(stages: readonly (readonly Lane[])[], options: TestRunOptions): Promise<number> {
  const logs = mkdtempSync(join(tmpdir(), 'recollect-tests-'))
  const running = new Set<ChildProcess>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const child of running) killGroup(child)
      process.exit(1)
    })
  }
  const runLane = async ({ batches, atOnce }: Lane): Promise<string[]> =>
    (await mapConcurrent(batches, atOnce, (batch) => runBatch(batch, { ...options, logs, running }))).flat()
  const failed: string[] = []
  for (const lanes of stages) failed.push(...(await Promise.all(lanes.map(runLane))).flat())
  const failedTwice = await runLane({ batches: failed.map((file) => [file]), atOnce: 1 })
  rmSync(logs, { recursive: true })
  return report(failed, failedTwice)
}

/** Prints the files that failed once and the files that failed twice. */
function report(failed: readonly string[], failedTwice: readonly string[]): number {
  const flaky = failed.filter((file) => !failedTwice.includes(file))
  if (flaky.length > 0) console.log(`\nFlaky, ${flaky.length} of at most ${MAX_FLAKY_FILES}:\n  ${flaky.join('\n  ')}`)
  if (failedTwice.length > 0) console.log(`\nFailed twice:\n  ${failedTwice.join('\n  ')}`)
  return failedTwice.length > 0 || flaky.length > MAX_FLAKY_FILES ? 1 : 0
}

type Running = TestRunOptions & { logs: string; running: Set<ChildProcess> }

/** Runs a batch. Returns the files with failures, or all files where the report names none. */
async function runBatch(batch: Batch, { maxMinutes, nodeOptions, logs, running }: Running): Promise<string[]> {
  const started = performance.now()
  const log = join(logs, `${batch[0]?.replaceAll('/', '-')}.log`)
  // A file, not a pipe: a leftover process would keep a pipe open, and unread output of a pipe is
  // lost with the process.
  const output = openSync(log, 'w')
  const timeout = `--test-timeout=${maxMinutes * 60_000}`
  const own = ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=spec', timeout]
  const stdio = ['ignore', output, output] as const
  const child = spawn(process.execPath, [...own, ...nodeOptions, ...batch], { detached: true, stdio: [...stdio] })
  closeSync(output)
  running.add(child)
  // An endless loop in a test also blocks the runner, which shares the process.
  const deadline = setTimeout(() => killGroup(child), maxMinutes * 60_000)
  const [status] = await once(child, 'exit')
  clearTimeout(deadline)
  killGroup(child)
  running.delete(child)
  const text = readFileSync(log, 'utf8')
  process.stdout.write(text)
  // A report without its summary means that the process ended early.
  const hasPassed = status === 0 && /^ℹ fail 0$/mu.test(text)
  const what = batch.length === 1 ? batch[0] : `${batch.length} files`
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${hasPassed ? 'passed' : 'FAILED'} ${what} in ${seconds} s\n`)
  return hasPassed ? [] : failedFiles(text, batch)
}

/** The files that the report names by `test at <file>:<line>:<column>`. */
function failedFiles(text: string, batch: Batch): string[] {
  const named = [...text.matchAll(/^test at (.+?):\d+:\d+$/gmu)].map((match) => relative('.', resolve(match[1] ?? '')))
  const known = batch.filter((file) => named.includes(relative('.', resolve(file))))
  return /^ℹ fail \d+$/mu.test(text) && known.length > 0 ? known : [...batch]
}

/** Kills the process of a batch and all remaining descendants. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}
