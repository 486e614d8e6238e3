/**
 * Installs the packages of a checkout: beside the installed ones, which it then replaces. What is
 * installed keeps working until then. Plain JavaScript for Node 20: it runs before anything else.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { findNode, MIN_NODE_MAJOR, NODE_PACKAGES } from '../bin/runtime.mjs'

/** In `node_modules`: the hash of the lockfile, and the installed set of its packages. */
const STAMP = '.recollect.json'
/** Beside `node_modules`, followed by the id of the installing process. */
const UNFINISHED = '.install-'

/** Development dependencies that are built into the console. */
export const CONSOLE_PACKAGES = ['@preact/signals', 'lucide', 'preact']

/** Development dependencies that a start needs, for the bundle and the console. */
const BUILD_PACKAGES = [...CONSOLE_PACKAGES, 'esbuild']

/**
 * Files that neither running nor bundling reads, a third of the packages. They are types, source
 * maps, pages, tests and headers of Node. Others are for other runtimes, or builds and data that
 * are not used.
 */
const UNUSED = [
  /\.(?:[cm]?ts|tsx|map|mdx)$/,
  /\/(?!licen[cs]e|notice|copying)[^/]+\.(?:md|markdown)$/i,
  /\/(?:tests?|__tests__|benchmarks?|docs|examples?)\//,
  /\/node-[^/]+\/(?:include|share)\//,
  /\/bare-[^/]+\/prebuilds\//,
  /\/tesseract\.js-core\/[^/]+\.wasm\.js$/,
  /\/tesseract\.js-core\/tesseract-core(?:-lstm)?\.(?:js|wasm)$/,
  /\/@hyzyla\/pdfium\/dist\/[^/]*base64[^/]*$/,
  /\/eld\/src\/ngrams\/(?:large|medium|small)\.js$/,
  /\/lucide\/dist\/(?:cjs|umd)\//,
  /\/zlibjs\/bin\/[^/]+\.dev\./,
  /\/@tesseract\.js-data\/eng\/4\.0\.0\//,
]

/**
 * Installs the packages of a set, unless they are installed: `run` for the programs, `all` for
 * tests and tools. Returns a message for the user, or `null`. Throws an {@link InstallError} if
 * nothing that fits is installed either.
 */
export function installPackages(root, set) {
  recover(root)
  if (isInstalled(root, set)) return null
  const folder = join(root, `${UNFINISHED}${process.pid}`)
  try {
    process.stderr.write('Installing the packages (npm ci), once ...\n')
    stage(root, folder, set)
    // Another process may have installed them meanwhile.
    if (!isInstalled(root, set)) swap(root, folder)
    return null
  } catch (error) {
    const reason = explain(error, root)
    if (!isUsable(root, set)) throw new InstallError(`${reason} Then run the command again.`)
    return `${reason} Recollect goes on with the packages that are installed.`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A message for the user. */
export class InstallError extends Error {}

/** True if the packages of this lockfile are installed. No times of files are compared. */
function isInstalled(root, set) {
  if (findNode() === null) return false
  const stamp = readJson(join(root, 'node_modules', STAMP))
  if (stamp !== null) return stamp.lockfile === hashLockfile(root) && hasSet(stamp, set)
  if (!matchesLockfile(root)) return false
  try {
    writeStamp(root, join(root, 'node_modules'), 'all')
  } catch {
    // The user who runs it may not write there. Then every start compares again, in 20 ms.
  }
  return true
}

/** True if packages of another lockfile are there, which may do. */
function isUsable(root, set) {
  const stamp = readJson(join(root, 'node_modules', STAMP))
  const isThere = stamp === null ? existsSync(join(root, 'node_modules/.package-lock.json')) : hasSet(stamp, set)
  return isThere && findNode() !== null
}

function hasSet(stamp, set) {
  return stamp.set === 'all' || stamp.set === set
}

/**
 * True after an `npm ci` by hand: npm's record has every package with the hash of the lockfile. npm
 * writes the record last. Optional packages are for other systems.
 */
function matchesLockfile(root) {
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages
  const wanted = Object.entries(readJson(join(root, 'package-lock.json')).packages)
  if (installed === undefined) return false
  return wanted.every(([path, { optional, integrity }]) => {
    return path === '' || optional || installed[path]?.integrity === integrity
  })
}

function hashLockfile(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function writeStamp(root, modules, set) {
  writeFileSync(join(modules, STAMP), JSON.stringify({ lockfile: hashLockfile(root), set }))
}

/** Installs into a folder beside. The stamp is written last. */
function stage(root, folder, set) {
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(folder, name))
  if (set === 'run') leaveOut(folder)
  // npm ci tries again for minutes, for which a start with usable packages should not wait.
  if (isUsable(root, set)) requireRegistry(folder)
  const { status, stderr } = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
  const modules = join(folder, 'node_modules')
  if (status !== 0 || !existsSync(modules)) throw new Error(stderr || `npm ended with ${status}`)
  if (set === 'run') removeUnused(modules)
  writeStamp(root, modules, set)
}

/** Throws if the registry is out of reach. Some registries answer with an error, which will do. */
function requireRegistry(folder) {
  const { status, stderr } = npm(['ping', '--fetch-retries=0', '--fetch-timeout=10000'], folder)
  if (status !== 0 && NO_REGISTRY.test(stderr)) throw new Error(stderr)
}

function npm(args, cwd) {
  const result = spawnSync('npm', [...args, '--no-update-notifier', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (result.error) throw result.error
  return result
}

/** npm leaves out what the manifest and the lockfile do not ask for. */
function leaveOut(folder) {
  const hasNode = Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR
  const manifest = readJson(join(folder, 'package.json'))
  const lockfile = readJson(join(folder, 'package-lock.json'))
  for (const { devDependencies, optionalDependencies } of [manifest, lockfile.packages['']]) {
    for (const name of Object.keys(devDependencies)) if (!BUILD_PACKAGES.includes(name)) delete devDependencies[name]
    if (hasNode) for (const name of Object.values(NODE_PACKAGES)) delete optionalDependencies[name]
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile))
}

function removeUnused(modules) {
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (UNUSED.some((form) => form.test(path.slice(modules.length).replaceAll('\\', '/')))) rmSync(path)
  }
}

function swap(root, folder) {
  const modules = join(root, 'node_modules')
  if (existsSync(modules)) renameSync(modules, join(folder, 'replaced'))
  renameSync(join(folder, 'node_modules'), modules)
}

/** Ends or undoes the work of processes that were killed. */
function recover(root) {
  const modules = join(root, 'node_modules')
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(UNFINISHED))) {
    if (isRunning(Number(name.slice(UNFINISHED.length)))) continue
    const finished = ['node_modules', 'replaced'].map((part) => join(root, name, part))
    const found = finished.find((part) => existsSync(join(part, STAMP)) || part.endsWith('replaced'))
    if (!existsSync(modules) && found !== undefined && existsSync(found)) renameSync(found, modules)
    rmSync(join(root, name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** In messages of npm that reached no registry. */
const NO_REGISTRY =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET\w*|E?50[234])\b|network/i

/** Sentences for failures of npm and of the system. */
const REASONS = [
  [/\bENOSPC\b|\bEDQUOT\b/, (root) => `The packages were not installed: the disk of ${root} is full. Free 1 GB.`],
  [
    NO_REGISTRY,
    () =>
      'The packages were not installed: npm does not reach its registry. ' +
      'Check the network and the registry in the settings of npm.',
  ],
  [/\b(?:EACCES|EPERM|EROFS)\b/, (root) => `The packages were not installed: ${root} cannot be written.`],
  [/\bspawn\w* npm\b.*ENOENT/, () => 'The packages were not installed: npm is not found. Install Node with npm.'],
]

function explain(error, root) {
  const [, describe] = REASONS.find(([form]) => form.test(error.message)) ?? []
  if (describe !== undefined) return describe(root)
  process.stderr.write(`${error.message.trim()}\n`)
  return 'The packages were not installed: npm failed as above.'
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
