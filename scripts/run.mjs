/**
 * Runs a script of the project on the Node that the project ships (`bin/runtime.mjs`), independent
 * of the Node on the machine. Installs dependencies that are missing or older than the lockfile.
 * Plain JavaScript for Node 20: this script must run before anything is installed.
 *
 * Usage: node scripts/run.mjs <arguments for Node>
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainMissing, findNode, ignoreDebugSignal, MEMORY_SETTINGS, NODE_FLAGS } from '../bin/runtime.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The compile cache saves a third of each start. */
function environment() {
  const cache = join(root, 'node_modules', '.cache', 'recollect')
  return { NODE_COMPILE_CACHE: cache, ...MEMORY_SETTINGS, ...process.env }
}

/**
 * True when every package of the lockfile is installed. npm treats a Node that failed to download
 * as an omitted package.
 */
function isInstalled() {
  const stamp = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(stamp) || findNode() === null) return false
  return statSync(stamp).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

function install() {
  process.stderr.write('Installing what is missing (npm ci), once ...\n')
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const result = spawnSync('npm', ['ci', '--ignore-scripts', ...quiet], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (result.status === 0) return
  process.stderr.write('The installation failed. Check that npm reaches its registry, then run the command again.\n')
  process.exit(result.status || 1)
}

ignoreDebugSignal()
// Read before the installation, which takes a while: npm may be stopped meanwhile.
const parent = process.ppid
if (!isInstalled()) install()
const missing = explainMissing()
if (missing !== null) {
  process.stderr.write(`${missing}\n`)
  process.exit(1)
}

const child = spawn(findNode(), [...NODE_FLAGS, ...process.argv.slice(2)], { stdio: 'inherit', env: environment() })
let isAskedToStop = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isAskedToStop = true
    // A terminal sends ^C to the child directly. A second signal would cut the stop short.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
// The shell between npm and this script does not forward SIGTERM. Without this check, a stopped
// `npm start` would leave the service running. Only under npm: a user may start this script in the
// background on purpose.
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
