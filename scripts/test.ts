/**
 * `npm test`: runs every test file with Node's own runner. `npm run test:scale` runs those under `test/scale`,
 * which load the real service for minutes, one after the other, since one of them measures speed. `npm run test:browser` runs those
 * under `test/browser` in a real browser, two at a time: each has a service and a browser of its own, which mostly wait for each other.
 * Extra arguments are file names or options of `node --test`, so `npm test -- src/ids.test.ts` runs one file.
 */
import { spawnSync } from 'node:child_process'

const [suite, ...rest] = process.argv.slice(2)
const AT_ONCE: Readonly<Record<string, number>> = { scale: 1, browser: 2 }
const atOnce = AT_ONCE[suite ?? '']
const chosen = atOnce === undefined ? process.argv.slice(2) : rest
const patterns = atOnce
  ? [`test/${suite}/**/*.test.ts`]
  : ['{src,bench}/**/*.test.ts', 'test/{integration,spec,house}/**/*.test.ts']
const options = atOnce ? [`--test-concurrency=${atOnce}`] : []
const files = chosen.some((arg) => !arg.startsWith('-')) ? chosen : [...chosen, ...patterns]
const { status } = spawnSync(process.execPath, ['--test', ...options, ...files], { stdio: 'inherit' })
process.exitCode = status ?? 1
