/**
 * `npm test`: runs every test file with Node's own runner; `npm run test:browser` those under `test/browser` in a real browser. As many
 * files run at a time as there are cores, two at least, since each side of a test often waits for the other. A machine that is busy with
 * something else can fail a test that starts services: a file that fails is run once more, alone, and both outcomes are shown.
 * Extra arguments are file names or options of `node --test`, so `npm test -- src/ids.test.ts` runs one file.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const SUITES: Readonly<Record<string, readonly string[]>> = {
  browser: ['test/browser/**/*.test.ts'],
  all: ['{src,bench}/**/*.test.ts', 'test/{integration,spec,house}/**/*.test.ts'],
}
/** A test that waits for what never comes says so in the end; the longest takes a third of it. */
const LONGEST_MS = 300_000
const AT_ONCE = Math.max(2, availableParallelism())
/** A file is over with its tests, whatever it left open. */
const OPTIONS = ['--test-force-exit']

const [suite = 'all', ...chosen] = process.argv.slice(2)
const options = [...OPTIONS, ...chosen.filter((argument) => argument.startsWith('-'))]
const named = chosen.filter((argument) => !argument.startsWith('-'))
const files = globSync(named.length > 0 ? named : (SUITES[suite] ?? [])).sort()
const failed = await runFiles(files, AT_ONCE)
const failedTwice = failed.length > 0 ? await runFiles(failed, 1) : []
if (failed.length > 0) console.log(`Failed once: ${failed.join(' ')}\nFailed twice: ${failedTwice.join(' ')}`)
process.exit(files.length > 0 && failedTwice.length === 0 ? 0 : 1)

/** Runs the files, so many at a time, and prints what became of them; returns those in which something failed. */
async function runFiles(files: readonly string[], concurrency: number): Promise<string[]> {
  const failed = new Set<string>()
  const tests = run({ files, concurrency, timeout: LONGEST_MS, execArgv: options })
  tests.on('test:fail', ({ file, name }) => failed.add(file ?? name))
  tests.compose(spec).pipe(process.stdout)
  for await (const _ of tests);
  return [...failed]
}
