/** The installation of `npm start` and `npm test` in a checkout, with a fake npm. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { copyCheckout, markInstalled } from './checkout-copy.ts'

const PATIENCE_MS = 30_000
/** Installs a package `new`, and leaves what it was asked for in the checkout. */
const INSTALLS = `
[ "$1" = ci ] || exit 0
echo "$*" >> ../asked
cp package.json ../asked.json
mkdir -p node_modules/new/docs
echo '{}' > node_modules/new/package.json
echo 'type X = 1' > node_modules/new/index.d.ts
echo page > node_modules/new/docs/page.md
echo terms > node_modules/new/LICENSE.md
`
/** Notes each call in the checkout. */
const NO_REGISTRY =
  'echo "$*" > ../called; echo "npm error code ENOTFOUND\nnpm error network request to https://registry.invalid/x failed" >&2; exit 1\n'
const NO_SPACE = 'echo "npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write" >&2; exit 1\n'
const VERSION = (version: string) =>
  `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`

test('what is installed is told by the hash of the lockfile, not by times of files', (context) => {
  const checkout = makeCheckout(context, 'exit 9\n')
  markInstalled(checkout.folder)
  const future = new Date(Date.now() + 1_000_000)
  utimesSync(join(checkout.folder, 'package-lock.json'), future, future)
  assert.deepEqual(checkout.run(), { status: 0, stdout: 'ran\n', stderr: '' })
})

test('a changed lockfile is installed beside, and replaces the packages when it is complete', (context) => {
  const checkout = makeCheckout(context, `test -e ../node_modules/old && touch ../old-was-there\n${INSTALLS}`)
  checkout.installOld()
  checkout.changeLockfile()
  const { status, stderr } = checkout.run()
  assert.deepEqual({ status, stderr }, { status: 0, stderr: 'Installing the packages (npm ci), once ...\n' })
  assert.deepEqual(checkout.packages(), ['new'])
  assert.ok(existsSync(join(checkout.folder, 'old-was-there')))
  assert.deepEqual(checkout.leftovers(), [])
  assert.equal(checkout.run().stderr, '')
})

test('with the registry out of reach, what is installed starts, and a sentence says so', (context) => {
  const checkout = makeCheckout(context, NO_REGISTRY)
  checkout.installOld()
  checkout.changeLockfile()
  const { status, stdout, stderr } = checkout.run()
  assert.deepEqual({ status, stdout }, { status: 0, stdout: 'ran\n' })
  assert.equal(
    stderr,
    'Installing the packages (npm ci), once ...\n' +
      'The packages were not installed: npm does not reach its registry. ' +
      'Check the network and the registry in the settings of npm. ' +
      'Recollect goes on with the packages that are installed.\n',
  )
  assert.deepEqual(checkout.packages(), ['old'])
  assert.deepEqual(checkout.leftovers(), [])
  // It waits for no further attempts of npm ci.
  assert.match(readFileSync(join(checkout.folder, 'called'), 'utf8'), /^ping /)
})

test('without packages, one sentence names a missing registry, a full disk or a missing npm', (context) => {
  const reasons = [
    [NO_REGISTRY, /^The packages were not installed: npm does not reach its registry\. Check .+\.$/],
    [
      NO_SPACE,
      /^The packages were not installed: the disk of \/.+ is full\. Free 1 GB\. Then run the command again\.$/,
    ],
    ['rm -f ../npm; exec ../npm\n', /^The packages were not installed: npm failed as above\./],
  ] as const
  for (const [npm, sentence] of reasons) {
    const checkout = makeCheckout(context, npm)
    const { status, stdout, stderr } = checkout.run()
    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
    assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', sentence)
    assert.deepEqual(checkout.leftovers(), [])
  }
  const checkout = makeCheckout(context, '')
  rmSync(join(checkout.folder, 'npm'))
  assert.match(checkout.run({ PATH: checkout.folder }).stderr, /npm is not found\. Install Node with npm\./)
})

test('a disk that is really full is named', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-full-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const mount = `mount -t tmpfs -o size=3m tmpfs '${folder}'`
  if (spawnSync('unshare', ['-rm', 'sh', '-c', mount], { stdio: 'ignore' }).status !== 0)
    return context.skip('this machine lets no process mount a disk')
  const source = mkdtempSync(join(tmpdir(), 'recollect-source-'))
  context.after(() => rmSync(source, { recursive: true, force: true }))
  const copied = copyCheckout(source, 'head -c 4000000 /dev/zero > big || { echo "npm error ENOSPC" >&2; exit 1; }\n')
  const script = `${mount} && cp -r '${source}'/. '${folder}' && cd '${folder}' && exec '${process.execPath}' scripts/run.mjs -p 1`
  const env = { PATH: `${folder}:${copied['PATH']}` }
  const { status, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script], { env, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /The packages were not installed: the disk of .+ is full\. Free 1 GB\. Then run the command again\.\n$/,
  )
})

test('an installation that is killed leaves what is installed, and the next start ends it', async (context) => {
  if (process.platform === 'win32') return context.skip('needs a shell')
  const checkout = makeCheckout(context, '[ "$1" = ci ] || exit 0; touch ../began; exec sleep 60\n')
  checkout.installOld()
  checkout.changeLockfile()
  const child = checkout.start()
  await until(() => existsSync(join(checkout.folder, 'began')))
  await killGroup(child)
  assert.deepEqual(checkout.packages(), ['old'])
  assert.equal(checkout.leftovers().length, 1)
  checkout.setNpm(INSTALLS)
  assert.equal(checkout.run().status, 0)
  assert.deepEqual(checkout.packages(), ['new'])
  assert.deepEqual(checkout.leftovers(), [])
})

test('a start between the two steps of the exchange takes the complete packages, or the old ones', (context) => {
  for (const isComplete of [true, false]) {
    const checkout = makeCheckout(context, NO_REGISTRY)
    checkout.installOld()
    const gone = spawnSync('true').pid
    const unfinished = join(checkout.folder, `.install-${gone}`)
    mkdirSync(join(unfinished, 'node_modules/new'), { recursive: true })
    const { status } = spawnSync('mv', [join(checkout.folder, 'node_modules'), join(unfinished, 'replaced')])
    assert.equal(status, 0)
    if (isComplete) {
      markInstalled(checkout.folder)
      const stamp = readFileSync(join(checkout.folder, 'node_modules/.recollect.json'))
      rmSync(join(checkout.folder, 'node_modules'), { recursive: true })
      writeFileSync(join(unfinished, 'node_modules/.recollect.json'), stamp)
    }
    assert.equal(checkout.run().stdout, 'ran\n')
    assert.deepEqual(checkout.packages(), [isComplete ? 'new' : 'old'])
    assert.deepEqual(checkout.leftovers(), [])
  }
})

test('npm start leaves out tools for tests, Node where a new enough one runs, and files never read', (context) => {
  const checkout = makeCheckout(context, INSTALLS)
  checkout.runProgram()
  const manifest = JSON.parse(readFileSync(join(checkout.folder, 'asked.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.devDependencies), ['@preact/signals', 'esbuild', 'lucide', 'preact'])
  assert.ok(Object.keys(manifest.dependencies).includes('fastify'))
  const optional = Object.keys(manifest.optionalDependencies)
  assert.ok(optional.length > 0 && !optional.some((name) => name.startsWith('node-')))
  assert.deepEqual(readdirSync(join(checkout.folder, 'node_modules/new')).sort(), [
    'LICENSE.md',
    'docs',
    'package.json',
  ])
  assert.deepEqual(readdirSync(join(checkout.folder, 'node_modules/new/docs')), [])
  checkout.runProgram(['--import', VERSION('20.9.0')])
  const older = JSON.parse(readFileSync(join(checkout.folder, 'asked.json'), 'utf8'))
  assert.ok(Object.keys(older.optionalDependencies).some((name) => name.startsWith('node-')))
})

test('npm test installs everything after npm start, and npm start nothing after npm test', (context) => {
  const checkout = makeCheckout(context, INSTALLS)
  markInstalled(checkout.folder, 'run')
  checkout.runProgram()
  assert.ok(!existsSync(join(checkout.folder, 'asked')))
  checkout.run()
  checkout.runProgram()
  assert.equal(readFileSync(join(checkout.folder, 'asked'), 'utf8').split('\n').length - 1, 1)
  assert.ok(existsSync(join(checkout.folder, 'node_modules/new/index.d.ts')))
})

test('packages that npm ci installed by hand are taken when each has the hash of the lockfile', (context) => {
  for (const isSame of [true, false]) {
    const checkout = makeCheckout(context, INSTALLS)
    const { packages } = JSON.parse(readFileSync(join(checkout.folder, 'package-lock.json'), 'utf8'))
    if (!isSame) packages['node_modules/fastify'].integrity = 'sha512-other'
    mkdirSync(join(checkout.folder, 'node_modules'))
    writeFileSync(join(checkout.folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
    assert.equal(checkout.run().status, 0)
    assert.equal(existsSync(join(checkout.folder, 'asked')), !isSame)
  }
})

test('a Node that is too old to install is named in one sentence', (context) => {
  const checkout = makeCheckout(context, INSTALLS)
  const { status, stderr } = checkout.run({}, ['--import', VERSION('18.20.0')])
  assert.deepEqual(
    { status, stderr },
    { status: 1, stderr: 'Recollect needs Node 20 or newer, this is Node 18.20.0.\n' },
  )
})

function makeCheckout(context: TestContext, npm: string) {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-installation-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const environment = copyCheckout(folder, npm)
  const script = join(folder, 'scripts/run.mjs')
  writeFileSync(join(folder, 'script.mjs'), 'console.log("ran")')
  function run(env: NodeJS.ProcessEnv = {}, flags: readonly string[] = [], program = join(folder, 'script.mjs')) {
    const given = { env: { ...environment, ...env }, encoding: 'utf8', timeout: PATIENCE_MS } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, script, program], given)
    return { status, stdout, stderr }
  }
  return {
    folder,
    run,
    /** Starts the service, whose sources are not there. */
    runProgram: (flags: readonly string[] = []) => run({}, flags, join(folder, 'src/main.ts')),
    start: () =>
      spawn(process.execPath, [script, join(folder, 'script.mjs')], {
        env: environment,
        detached: true,
        stdio: 'ignore',
      }),
    setNpm: (text: string) => writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${text}`, { mode: 0o755 }),
    installOld() {
      markInstalled(folder)
      mkdirSync(join(folder, 'node_modules/old'))
    },
    changeLockfile: () => appendFileSync(join(folder, 'package-lock.json'), ' '),
    packages: () => readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    leftovers: () => readdirSync(folder).filter((name) => name.startsWith('.install-')),
  }
}

async function killGroup(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? assert.fail('it did not start')), 'SIGKILL')
  await ended
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!isSo()) {
    assert.ok(Date.now() < end, 'it took too long')
    await setTimeout(50)
  }
}
