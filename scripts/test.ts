/**
 * `npm test`: runs every test file with Node's own runner; `npm run test:browser` those under `test/browser` in a real browser. One
 * file more than there are cores runs at a time, since each side of a test often waits for the other. A machine that is busy with
 * something else can fail a test that starts services: a file that fails is run once more, alone, and both outcomes are shown.
 * Extra arguments are file names or options of `node --test`, so `npm test -- src/ids.test.ts` runs one file.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const SUITES: Readonly<Record<string, readonly string[]>> = {
  browser: ['test/browser/**/*.test.ts'],
  all: ['{src,bench}/**/*.test.ts', 'test/{integration,spec,house}/**/*.test.ts'],
}
/** A test that waits for what never comes says so in the end; the longest takes a third of it. */
const LONGEST_MS = 600_000
const AT_ONCE = availableParallelism() + 1
/** A file is over with its tests, whatever it left open; it ends without waiting for its output, which is therefore written at once. */
const OPTIONS = ['--test-force-exit', `--import=${new URL('write-at-once.ts', import.meta.url)}`]

const [suite = 'all', ...chosen] = process.argv.slice(2)
const options = [...OPTIONS, ...chosen.filter((argument) => argument.startsWith('-'))]
const named = chosen.filter((argument) => !argument.startsWith('-'))
const files = globSync(named.length > 0 ? named : (SUITES[suite] ?? [])).sort()
const failed = await runFiles(files, AT_ONCE)
const failedTwice = failed.length > 0 ? await runFiles(failed, 1) : []
if (failed.length > 0) console.log(`Failed once: ${failed.join(' ')}\nFailed twice: ${failedTwice.join(' ')}`)
process.exit(files.length > 0 && failedTwice.length === 0 ? 0 : 1)

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
