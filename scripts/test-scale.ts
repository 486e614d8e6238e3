/**
 * `npm run test:scale`: runs the test files under `test/scale`, which load real services for minutes. Each has a process of its own with
 * bounded time, and what it leaves running ends with it. What measures speed runs alone, the others two at a time, those that
 * take longest first, and what only waits beside them. Servers, kills and a shared machine are not the same twice: a file that fails is run once more, alone,
 * and both outputs are shown. File names as arguments run those files.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { whyNoCeph } from '../test/scale/support/ceph-server.ts'
import { whyNoFailingFsync } from '../test/scale/support/failing-fsync.ts'
import { whyNoPooler } from '../test/scale/support/pooler.ts'
import { whyNoPostgres } from '../test/scale/support/postgres-server.ts'
import { whyNoSettableClock } from '../test/scale/support/settable-clock.ts'

/** Longer than the longest takes on a busy machine; more for those that are told to do more. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10)
const ALONE = ['speed']
/** With three on two cores each took half as long again. */
const AT_ONCE = 2
/** Mostly until leases of the dead have run out; one after the other, beside the others. */
const WAITING = ['nodes', 'webhook-nodes']
/** Over a minute and a quarter each, the longest first. */
const LONGEST = [
  'rolling-restart',
  's3-service',
  'slow-clients',
  'postgres-suite',
  's3-memory-file',
  'kill-nodes',
  'package',
  'failing-disk',
  'leave-full-disk',
  'reembed-nodes',
]
const logs = mkdtempSync(join(tmpdir(), 'recollect-scale-'))
const running = new Set<ChildProcess>()

/** Runs one file, prints what it printed when it has ended, and tells whether it passed. */
async function run(file: string): Promise<boolean> {
  const started = performance.now()
  const log = join(logs, `${basename(file)}.log`)
  // A file, not a pipe: a process that is left behind would hold a pipe open.
  const output = openSync(log, 'w')
  const options = ['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${MINUTES * 60_000}`]
  const child = spawn(process.execPath, [...options, file], { detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  running.add(child)
  const patience = setTimeout(() => killGroup(child), MINUTES * 60_000)
  const [status] = await once(child, 'exit')
  clearTimeout(patience)
  killGroup(child)
  running.delete(child)
  process.stdout.write(readFileSync(log))
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${status === 0 ? 'passed' : 'FAILED'} ${file} in ${seconds} s\n`)
  return status === 0
}

/** Ends a file's process and all that it started and left. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}

/** Runs files, so many at a time; returns those that failed. */
async function runAll(files: readonly string[], atOnce: number): Promise<string[]> {
  const [waiting, failed] = [[...files], [] as string[]]
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (!(await run(file))) failed.push(file)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return failed
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) killGroup(child)
    process.exit(1)
  })
}
const chosen = process.argv.slice(2)
// Here, since two files that find them missing would both install them.
if (chosen.length !== 1)
  for (const install of [whyNoPostgres, whyNoPooler, whyNoCeph, whyNoSettableClock, whyNoFailingFsync]) install()
const all = chosen.length > 0 ? chosen : globSync('test/scale/*.test.ts').sort()
const filesOf = (names: readonly string[]) =>
  names.flatMap((name) => all.filter((file) => basename(file, '.test.ts') === name))
const [alone, waiting, longest] = [filesOf(ALONE), filesOf(WAITING), filesOf(LONGEST)]
const others = all.filter((file) => ![...alone, ...waiting, ...longest].includes(file))
const failedAlone = await runAll(alone, 1)
const failedBeside = await Promise.all([runAll(waiting, 1), runAll([...longest, ...others], AT_ONCE)])
const failed = [...failedAlone, ...failedBeside.flat()]
const failedTwice = await runAll(failed, 1)
rmSync(logs, { recursive: true })
if (failed.length > 0)
  process.stdout.write(`Failed once: ${failed.join(' ')}\nFailed twice: ${failedTwice.join(' ')}\n`)
process.exitCode = failedTwice.length > 0 ? 1 : 0
