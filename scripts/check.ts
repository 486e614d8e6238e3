/** `npm run check`: types, lint and format, each with its own tool; exits non-zero when one of them complains. */
import { spawnSync } from 'node:child_process'

const steps: readonly (readonly [string, readonly string[]])[] = [
  ['types', ['node_modules/typescript/bin/tsc']],
  ['types of the console', ['node_modules/typescript/bin/tsc', '-p', 'src/console']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.']],
]

let failed = 0
for (const [name, args] of steps) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
