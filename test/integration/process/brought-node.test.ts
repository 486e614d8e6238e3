/**
 * The Node of `npm start` and `recollect`: the version of the lockfile with its flags, or a message
 * with what to do.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { copyCheckout, markInstalled, NODE_PACKAGES } from './checkout-copy.ts'

const RUN = join(import.meta.dirname, '../../../scripts/run.mjs')
const OLD_NODE = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.9.0"})'
const LANCE = `@lancedb/lancedb-${process.platform}-${process.arch}${{ linux: '-gnu', win32: '-msvc' }[String(process.platform)] ?? ''}`
const PATIENCE_MS = 30_000

test('the Node of the lockfile is run, not the one of the machine', (context) => {
  const { folder, run } = makeCheckout(context)
  for (const name of NODE_PACKAGES) {
    install(folder, name, { name })
    mkdirSync(join(folder, 'node_modules', name, 'bin'))
    symlinkSync('/bin/echo', join(folder, 'node_modules', name, 'bin/node'))
  }
  const { stdout, status } = run('some.ts')
  assert.equal(status, 0)
  const flags = '--max-semi-space-size=16 --initial-old-space-size=64 --heap-growing-percent=100 --disable-sigusr1'
  assert.equal(stdout, `${flags} some.ts\n`)
})

test('without it a new enough Node of the machine runs, else a message says what to do', (context) => {
  const { run } = makeCheckout(context)
  assert.equal(realpathSync(run('--print', 'process.execPath').stdout.trim()), realpathSync(process.execPath))
  const { stderr, status } = run.on(['--import', OLD_NODE], 'some.ts')
  assert.equal(status, 1)
  assert.match(stderr, /Recollect needs Node 24, this is Node 20\.9\.0, .*run it with a newer Node\.\n$/s)
})

test('a part of Lance that the lockfile has no hash of is never run: a message says how to take it', (context) => {
  const { folder, run } = makeCheckout(context)
  install(folder, '@lancedb/lancedb', { name: '@lancedb/lancedb', version: '9.8.7' })
  install(folder, `@lancedb/lancedb/node_modules/${LANCE}`, { name: 'empty-npm-package' })
  const { stderr, status } = run('--print', '1')
  assert.equal(status, 1)
  assert.match(stderr, /^Recollect needs @lancedb\/lancedb-.* so it was left out\./)
  assert.ok(stderr.includes(`npm pkg delete "overrides.@lancedb/lancedb.${LANCE}"`))
  assert.ok(stderr.includes('@lancedb/lancedb@9.8.7'))
})

test('SIGUSR1 opens no debugger in the service or its launcher', async (context) => {
  if (process.platform === 'win32') return context.skip('has no such signal')
  const script = 'console.log(process.pid); process.stdin.resume()'
  const child = spawn(process.execPath, [RUN, '--eval', script], { stdio: 'pipe' })
  let output = ''
  child.stderr.on('data', (piece: Buffer) => {
    output += piece.toString('utf8')
  })
  const [pid] = await once(child.stdout, 'data')
  process.kill(Number(pid), 'SIGUSR1')
  child.kill('SIGUSR1')
  const later = spawnSync(process.execPath, ['--eval', ''], { timeout: PATIENCE_MS })
  assert.equal(later.status, 0)
  child.stdin.end()
  assert.deepEqual(await once(child, 'close'), [0, null])
  assert.equal(output, '')
})

type Result = { stdout: string; stderr: string; status: number | null }

/**
 * A checkout in which all is installed, less the packages, and where an installation does nothing.
 */
function makeCheckout(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-runtime-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = copyCheckout(folder, 'mkdir node_modules\n')
  markInstalled(folder)
  const on = (flags: readonly string[], ...args: readonly string[]): Result =>
    spawnSync(process.execPath, [...flags, join(folder, 'scripts/run.mjs'), ...args], {
      env,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    })
  return { folder, run: Object.assign((...args: readonly string[]) => on([], ...args), { on }) }
}

function install(folder: string, name: string, manifest: object): void {
  mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify(manifest))
}
