/** The bundle that `npm start` runs, and the start from the sources. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { bundleFolder } from '../../../scripts/bundle-folder.mjs'
import { copyCheckout, markInstalled } from './checkout-copy.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RUN = join(ROOT, 'scripts/run.mjs')
const PATIENCE_MS = 60_000

test('the folder of the bundle follows the content of sources and lockfile, not times and tests', (context) => {
  const { folder } = makeSources(context)
  const first = bundleFolder(folder)
  assert.match(first, /\/dist-[0-9a-f]{16}$/)
  utimesSync(join(folder, 'src/main.ts'), new Date(0), new Date(0))
  writeFileSync(join(folder, 'src/main.test.ts'), 'test')
  assert.equal(bundleFolder(folder), first)
  const seen = new Set([first])
  for (const change of [
    () => appendFileSync(join(folder, 'src/main.ts'), ' '),
    () => appendFileSync(join(folder, 'package-lock.json'), ' '),
    () => renameSync(join(folder, 'src/main.ts'), join(folder, 'src/other.ts')),
    () => writeFileSync(join(folder, 'src/console.css'), 'a {}'),
  ]) {
    change()
    seen.add(bundleFolder(folder))
  }
  assert.equal(seen.size, 5)
})

test('a bundle of other sources never runs; without a bundle the sources run, and a sentence says so', (context) => {
  const { folder, env } = makeSources(context)
  writeFileSync(join(folder, 'src/main.ts'), 'console.log("sources")')
  const bundle = bundleFolder(folder)
  mkdirSync(bundle)
  writeFileSync(join(bundle, 'main.js'), 'console.log("bundle", ...process.argv.slice(2))')
  const run = (...args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/run.mjs'), ...args], {
      env,
      cwd: folder,
      encoding: 'utf8',
    })
    return {
      stdout,
      isTold: /The bundle was not made\. .+ Recollect starts from the sources, more slowly\.\n/.test(stderr),
    }
  }
  assert.deepEqual(run('src/main.ts', 'a', '--b'), { stdout: 'bundle a --b\n', isTold: false })
  assert.deepEqual(run(join(folder, 'src/main.ts')), { stdout: 'bundle\n', isTold: false })
  assert.deepEqual(run('--no-warnings', 'src/main.ts'), { stdout: 'sources\n', isTold: false })
  writeFileSync(join(folder, 'src/main.ts'), 'console.log("changed")')
  // The script that makes the bundle is not there.
  assert.deepEqual(run('src/main.ts'), { stdout: 'changed\n', isTold: true })
})

test('the command line runs from the bundle, with its compile cache', () => {
  const version = spawnSync(process.execPath, [RUN, 'src/cli/main.ts', '--version'], { cwd: ROOT, encoding: 'utf8' })
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  assert.ok(existsSync(join(bundleFolder(ROOT), 'cli/main.js')))
  assert.ok(existsSync(join(bundleFolder(ROOT), 'compile-cache')))
})

test('with an option of Node the service starts from the sources, and stops', async (context) => {
  const data = mkdtempSync(join(tmpdir(), 'recollect-sources-'))
  context.after(() => rmSync(data, { recursive: true, force: true }))
  const settings = { RECOLLECT_DATA_DIR: data, RECOLLECT_PORT: '0' }
  const child = spawn(process.execPath, [RUN, '--no-warnings', 'src/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: data, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  let output = ''
  for await (const piece of child.stdout) {
    output += piece
    if (/is ready on http/.test(output)) child.kill('SIGTERM')
  }
  clearTimeout(late)
  assert.match(output, /is ready on http/)
  assert.match(output, /"stopped"/)
})

/** A checkout in which all is installed, with one source. */
function makeSources(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bundle-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = copyCheckout(folder, 'exit 9\n')
  markInstalled(folder)
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/main.ts'), 'one')
  for (const name of ['bundle-service.ts', 'bundle-places.ts']) writeFileSync(join(folder, 'scripts', name), 'throw 1')
  return { folder, env }
}
