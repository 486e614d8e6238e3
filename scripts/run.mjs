/**
 * Runs a script of the project on the Node that the project needs (`bin/runtime.mjs`). Installs the
 * packages that are missing. The programs `src/main.ts` and `src/cli/main.ts` run from a bundle,
 * which is made when the sources change. With options of Node they run from the sources. Plain
 * JavaScript for Node 20: this script must run before anything is installed.
 *
 * Usage: node scripts/run.mjs <arguments for Node>
 */
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainMissing, findNode, ignoreDebugSignal, MEMORY_SETTINGS, NODE_FLAGS } from '../bin/runtime.mjs'
import { bundleFolder } from './bundle-folder.mjs'
import { InstallError, installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Files in the folder of a bundle, by source. */
const PROGRAMS = { [join('src', 'main.ts')]: 'main.js', [join('src', 'cli', 'main.ts')]: 'cli/main.js' }
const MIN_NODE_MAJOR = 20

/** The file of the bundle for a program; `undefined` for other scripts. */
function findProgram(argument) {
  return PROGRAMS[relative(root, resolve(argument))]
}

function install(set) {
  if (Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR)
    fail(`Recollect needs Node ${MIN_NODE_MAJOR} or newer, this is Node ${process.versions.node}.`)
  try {
    const told = installPackages(root, set)
    if (told !== null) process.stderr.write(`${told}\n`)
  } catch (error) {
    if (!(error instanceof InstallError)) throw error
    fail(error.message)
  }
  const missing = explainMissing()
  if (missing !== null) fail(missing)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/**
 * Arguments for Node, and the compile cache, which saves a fifth of each start. If no bundle can be
 * made, the sources run.
 */
function planStart([script = '', ...rest]) {
  const program = findProgram(script)
  const folder = program === undefined ? null : bundleFolder(root)
  if (folder !== null && (existsSync(folder) || makeBundle()))
    return { args: [join(folder, program), ...rest], cache: join(folder, 'compile-cache') }
  return { args: process.argv.slice(2), cache: join(root, 'node_modules', '.cache', 'recollect') }
}

/** Returns false, with a sentence for the user, if the bundle cannot be made. */
function makeBundle() {
  if (!isWritable(root)) return tellSlowStart(`${root} cannot be written.`)
  process.stderr.write('Bundling the sources, once ...\n')
  const args = [...NODE_FLAGS, join(root, 'scripts', 'bundle-service.ts')]
  const { status } = spawnSync(findNode(), args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return status === 0 || tellSlowStart('It failed as above.')
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function tellSlowStart(reason) {
  process.stderr.write(`The bundle was not made. ${reason} Recollect starts from the sources, more slowly.\n`)
  return false
}

ignoreDebugSignal()
// Read before the installation, which takes a while: npm may be stopped meanwhile.
const parent = process.ppid
install(process.argv.slice(2).some(findProgram) ? 'run' : 'all')
const { args, cache } = planStart(process.argv.slice(2))

const child = spawn(findNode(), [...NODE_FLAGS, ...args], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: cache, ...MEMORY_SETTINGS, ...process.env },
})
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
