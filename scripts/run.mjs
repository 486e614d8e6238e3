/**
 * Runs a script of the project on the Node the project brings (the npm package `node`), whatever Node the
 * machine has, and installs the dependencies first when they are missing or older than the lockfile.
 * Plain JavaScript for Node 20: it must run before anything is installed.
 *
 * Usage: node scripts/run.mjs <arguments for Node>
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const runtime = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * V8's room for new objects: half of it saves 20 MB and costs a search a tenth more processor time. And what the rest may grow to before it is gone through for
 * the first time: what a start leaves is most of it, and the first searches would wait for that.
 */
const HEAP = ['--max-semi-space-size=16', '--initial-old-space-size=64']

/**
 * glibc's pools are few (120 MB less after a load), and what is large goes back when it is freed: by itself glibc raises these limits to
 * 32 and 64 MB (mallopt(3)), and keeps (86 MB less after 40,000 chunks, no more processor time).
 */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Compiled code is kept from start to start (a third of its time). */
function environment() {
  const cache = join(root, 'node_modules', '.cache', 'recollect')
  return { NODE_COMPILE_CACHE: cache, ...MEMORY, ...process.env }
}

/** True when every package of the lockfile is installed and the project's own Node is there. */
function isInstalled() {
  const stamp = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(stamp) || !existsSync(runtime)) return false
  return statSync(stamp).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

function install() {
  process.stderr.write('Installing what is missing (npm ci), once ...\n')
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (result.status === 0 && existsSync(runtime)) return
  process.stderr.write('The installation failed. Check that npm reaches its registry, then run the command again.\n')
  process.exit(result.status || 1)
}

// Asked before the installation, which takes a while: npm may be stopped during it.
const parent = process.ppid
if (!isInstalled()) install()

const child = spawn(runtime, [...HEAP, ...process.argv.slice(2)], { stdio: 'inherit', env: environment() })
let isAskedToStop = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isAskedToStop = true
    // ^C on a terminal reaches the child by itself; a second one would look like impatience and cut the stop short.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
// The shell between npm and this script passes no SIGTERM on: without this, a stopped `npm start` would leave the
// service running. Only under npm; whoever starts this script by hand may well leave it behind on purpose.
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (isAskedToStop || process.ppid === parent) return
    isAskedToStop = true
    child.kill('SIGTERM')
  }, 500).unref()
}
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
