/**
 * `npm test`: runs every test file with Node's own runner; `npm run test:browser` those under `test/browser` in a real browser. Tests beside their source
 * need nothing of their own, and go together in a process a core: a process each would take them twice as long. All others have one each, one file more at a time
 * than there are cores, since each side of a test often waits for the other. A machine that is busy with something else can fail a test that starts services: a file
 * that fails is run once more, alone, and both outcomes are shown. Extra arguments are file names or options of `node --test`, so `npm test -- src/ids.test.ts` runs one file.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const SUITES: Readonly<Record<string, readonly string[]>> = {
  browser: ['test/browser/**/*.test.ts'],
  all: ['test/{integration,spec,house}/**/*.test.ts'],
}
const BESIDE_SOURCE = '{src,bench}/**/*.test.ts'
/** A test that waits for what never comes says so in the end; the longest takes a third of it. */
const LONGEST_MS = 600_000
const CORES = availableParallelism()
const AT_ONCE = CORES + 1
/** A file is over with its tests, whatever it left open; it ends without waiting for its output, which is therefore written at once. */
const OPTIONS = ['--test-force-exit', `--import=${new URL('write-at-once.ts', import.meta.url)}`]

const [suite = 'all', ...chosen] = process.argv.slice(2)
const options = [...OPTIONS, ...chosen.filter((argument) => argument.startsWith('-'))]
const named = chosen.filter((argument) => !argument.startsWith('-'))
const files = globSync(named.length > 0 ? named : (SUITES[suite] ?? [])).sort()
const together = suite === 'all' && named.length === 0 ? globSync(BESIDE_SOURCE).sort() : []
const failed = [...(await runTogether(together)), ...(await runFiles(files, AT_ONCE))]
const failedTwice = failed.length > 0 ? await runFiles(failed, 1) : []
if (failed.length > 0) console.log(`Failed once: ${failed.join(' ')}\nFailed twice: ${failedTwice.join(' ')}`)
process.exit(files.length > 0 && failedTwice.length === 0 ? 0 : 1)

/** Runs files that may share a process, dealt out to as many as there are cores; returns all of a process in which something failed. */
async function runTogether(files: readonly string[]): Promise<string[]> {
  const hands = Array.from({ length: CORES }, (_, core) => files.filter((_, index) => index % CORES === core))
  const failed = hands.map(async (hand) => {
    if (hand.length === 0) return []
    const own = ['--test', '--test-isolation=none', '--test-reporter=spec', `--test-timeout=${LONGEST_MS}`]
    const child = spawn(process.execPath, [...own, ...options, ...hand], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // A loop without an end keeps the runner, which shares its process, from ending it.
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    })
    child.stdout.pipe(process.stdout, { end: false })
    const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    // Without its summary something ended the process before all had run.
    return status === 0 && /^ℹ fail 0$/mu.test(output) ? [] : hand
  })
  return (await Promise.all(failed)).flat()
}

/** Runs the files, so many at a time, and prints what became of them; returns those in which something failed or which were not heard to their end. */
async function runFiles(files: readonly string[], concurrency: number): Promise<string[]> {
  const failed = new Set<string>()
  const own = new Set(files.map((file) => resolve(file)))
  const unheard = new Set(own)
  const tests = run({ files, concurrency, timeout: LONGEST_MS, execArgv: options })
  // A test that another file defines fails in the name of that file; the summary is that of the one that ran.
  tests.on('test:summary', ({ file, success }) => {
    if (file === undefined) return
    unheard.delete(resolve(file))
    if (!success) failed.add(resolve(file))
  })
  // One that breaks before its first test has no summary.
  tests.on('test:fail', ({ file }) => {
    if (file !== undefined && own.has(resolve(file))) failed.add(resolve(file))
  })
  tests.compose(spec).pipe(process.stdout)
  for await (const _ of tests);
  return [...new Set([...failed, ...unheard])]
}
