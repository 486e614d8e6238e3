/**
 * `npm run check`: types, lint, format, architecture rules and unit tests, as many at a time as
 * there are cores. Exits non-zero when a step fails. `-- --figures` prints the figures of the tree
 * beside their bounds, `-- --figures --all` also every breach. `-- --write` prints the generated
 * pages and formats the tree.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { mapConcurrent } from '../src/concurrency/map-concurrent.ts'
import { listFigures } from '../test/architecture/figures.ts'
import { listWordFigures } from '../test/architecture/plain-words.ts'
import { listProjectFiles } from '../test/architecture/project-files.ts'

const TSC = 'node_modules/typescript/bin/tsc'
const STEPS: readonly (readonly [string, readonly string[]])[] = [
  ['types', [TSC]],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.']],
  ['unused exports', ['node_modules/knip/bin/knip.js', '--no-progress', '--include=exports,types']],
  ['types of the console', [TSC, '-p', 'src/console']],
  ['architecture rules', ['scripts/test.ts', 'architecture']],
  ['unit tests', ['scripts/test.ts', 'unit']],
]
/** In sequence: printing a page reads the sources that the formatter rewrites. */
const WRITING_STEPS: typeof STEPS = [
  ['generated pages', ['scripts/docs.ts']],
  ['format', ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--colors=off', '.']],
]

if (process.argv.includes('--figures')) printFigures(process.argv.includes('--all'))
else if (process.argv.includes('--write')) process.exitCode = await runSteps(WRITING_STEPS, 1)
else process.exitCode = await runSteps(STEPS, availableParallelism())

async function runSteps(steps: typeof STEPS, atOnce: number): Promise<number> {
  const outcomes = await mapConcurrent(steps, atOnce, passes)
  const failed = steps.filter((_, index) => !outcomes[index]).map(([name]) => name)
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}

/** Runs a step and prints its time, and the output of a failed step. */
async function passes([name, args]: (typeof STEPS)[number]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok  ' : `${output}${errors}FAIL`} ${name} (${seconds} s)\n`)
  return status === 0
}

function printFigures(showsAll: boolean): void {
  const files = listProjectFiles()
  for (const { name, value, bound, holds, breaches } of [...listFigures(files), ...listWordFigures(files)]) {
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}: ${value} (${bound})`)
    if (showsAll) for (const breach of breaches) console.log(`       ${breach}`)
  }
}
