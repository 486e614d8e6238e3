/**
 * `npm test`: all tests except browser and load tests. `npm run test:unit` runs the unit tests,
 * `npm run test:spec` the tests over HTTP, `npm test -- browser` the console in a real browser.
 * `npm test -- --changed` runs the tests that import a file changed since the main branch, directly
 * or indirectly. File names and options of `node --test` may follow: `npm test -- src/ids.test.ts`.
 */
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { bundleService } from './bundle-service.ts'
import { changedTests } from './changed-tests.ts'
import { type Batch, runStages } from './test-files.ts'

const CORES = availableParallelism()
/**
 * Files of a folder that share a process: loading the product for each file would take as long as
 * its tests.
 */
const FILES_OF_A_FOLDER = 12
const STARTS_SERVICE = /^test\/(?:spec|integration|browser)\//

/** The files of a suite, and the way they share processes. */
type Suite = { files: string; toBatches: (files: readonly string[]) => Batch[]; atOnce: number }

/** One batch more than cores: the test and the service often wait for each other. */
const BUSY = CORES + 1
const UNIT: Suite = { files: '{src,bench}/**/*.test.ts', toBatches: dealOut, atOnce: CORES }
const ARCHITECTURE: Suite = { files: 'test/architecture/*.test.ts', toBatches: byFolder, atOnce: BUSY }
const SPEC: Suite = { files: 'test/spec/*.test.ts', toBatches: bySharedService, atOnce: BUSY }
const INTEGRATION: Suite = { files: 'test/integration/**/*.test.ts', toBatches: byFolder, atOnce: BUSY }
const BROWSER: Suite = { files: 'test/browser/**/*.test.ts', toBatches: apart, atOnce: BUSY }
const SUITES: Readonly<Record<string, readonly Suite[]>> = {
  unit: [UNIT],
  architecture: [ARCHITECTURE],
  spec: [SPEC],
  integration: [INTEGRATION],
  browser: [BROWSER],
}

const given = process.argv.slice(2)
const isOption = (argument: string) => argument.startsWith('-')
const suites = given.flatMap((argument) => SUITES[argument] ?? [])
const named = given.filter((argument) => !isOption(argument) && SUITES[argument] === undefined)
const changed = given.includes('--changed') ? changedTests() : null
const find = (pattern: string | string[]) =>
  globSync(pattern)
    .filter((file) => changed === null || changed.has(file))
    .sort()
const lanes =
  named.length > 0
    ? [{ batches: apart(find(named)), atOnce: BUSY }]
    : lanesOf(suites.length > 0 ? suites : [UNIT, ARCHITECTURE, SPEC, INTEGRATION])
const nodeOptions = given.filter((argument) => isOption(argument) && argument !== '--changed')
const isEmpty = lanes.every(({ batches }) => batches.length === 0)
if (isEmpty) console.log('No test file is chosen.')
// Files given by name run the source: bundling the service would take as long.
const startsService = lanes.some(({ batches }) => batches.flat().some((file) => STARTS_SERVICE.test(file)))
if (named.length === 0 && startsService) process.env['SERVICE_BUNDLE'] = await bundleService()
const status = await runStages(
  lanes.map((lane) => [lane]),
  { maxMinutes: 10, nodeOptions },
)
process.exit(isEmpty && changed === null ? 1 : status)

/** Unit tests run first. All other suites share one queue, so no core idles between suites. */
function lanesOf(chosen: readonly Suite[]) {
  const [units, others] = [chosen.filter((suite) => suite === UNIT), chosen.filter((suite) => suite !== UNIT)]
  return [units, others]
    .filter((group) => group.length > 0)
    .map((group) => ({
      batches: group.flatMap(({ files, toBatches }) => toBatches(find(files))),
      atOnce: Math.max(...group.map(({ atOnce }) => atOnce)),
    }))
}

function apart(files: readonly string[]): Batch[] {
  return files.map((file) => [file])
}

/** As many batches as there are cores. */
function dealOut(files: readonly string[]): Batch[] {
  const hands = Array.from({ length: CORES }, (_, core) => files.filter((_, index) => index % CORES === core))
  return hands.filter((hand) => hand.length > 0)
}

/** Groups the files that use the shared service; every other file gets a separate batch. */
function bySharedService(files: readonly string[]): Batch[] {
  const shares = (file: string) => readFileSync(file, 'utf8').includes(' useSharedService(')
  return [...dealOut(files.filter(shares)), ...apart(files.filter((file) => !shares(file)))]
}

function byFolder(files: readonly string[]): Batch[] {
  const folders = Object.values(Object.groupBy(files, dirname)) as string[][]
  return folders.flatMap((folder) =>
    Array.from({ length: Math.ceil(folder.length / FILES_OF_A_FOLDER) }, (_, batch) =>
      folder.slice(batch * FILES_OF_A_FOLDER, (batch + 1) * FILES_OF_A_FOLDER),
    ),
  )
}
