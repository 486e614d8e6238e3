/**
 * `npm test`: runs every test file with Node's own runner. `npm run test:scale` runs those under `test/scale`,
 * which load the real service for minutes, one after the other, since one of them measures speed. `npm run test:browser` runs those
 * under `test/browser` in a real browser, which takes the machine's cores for itself.
 * Extra arguments are file names or options of `node --test`, so `npm test -- src/ids.test.ts` runs one file.
 */
import { spawnSync } from 'node:child_process'

const [suite, ...rest] = process.argv.slice(2)
const isAlone = suite === 'scale' || suite === 'browser'
const chosen = isAlone ? rest : process.argv.slice(2)
const patterns = isAlone
  ? [`test/${suite}/**/*.test.ts`]
  : ['{src,bench}/**/*.test.ts', 'test/{integration,spec,house}/**/*.test.ts']
const options = isAlone ? ['--test-concurrency=1'] : []
const files = chosen.some((arg) => !arg.startsWith('-')) ? chosen : [...chosen, ...patterns]
const { status } = spawnSync(process.execPath, ['--test', ...options, ...files], { stdio: 'inherit' })
process.exitCode = status ?? 1
