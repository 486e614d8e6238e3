import { closeSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Kernel, Program } from './kernel.ts'
import { buildFilter } from './seccomp-filter.ts'

/** Outcome of the sandbox: `null` for a part that applies, else the reason why not. */
export type SandboxReport = {
  /** Network, writing, programs, other processes. */
  calls: string | null
  /** Reading of other files. */
  reading: string | null
}

/** linux/prctl.h: executed programs gain no privileges; required for filters. */
const SET_NO_NEW_PRIVILEGES = 38
/** linux/seccomp.h: SECCOMP_FILTER_FLAG_TSYNC, for all threads of the process. */
const ALL_THREADS = 1

/**
 * Permanently restricts this process: no network, no writing, no programs except `program`, no
 * other processes. Reading is limited to `readable` and the program's own files.
 *
 * Needs no privileges. The two parts are independent: if one is unsupported, the other still
 * applies.
 */
export function restrictProcess(
  kernel: Kernel,
  { readable, program }: { readable: readonly string[]; program: Program },
): SandboxReport {
  const reason = tryStep(() => kernel.prctl(SET_NO_NEW_PRIVILEGES, 1))
  if (reason !== null) return { calls: reason, reading: reason }
  // The filter comes last, because it may block calls of the other part.
  const reading = tryStep(() => limitReading(kernel, readable))
  const filter = buildFilter(kernel.processor, { pid: process.pid, programAt: program.address })
  const calls = tryStep(() => kernel.setFilter(ALL_THREADS, filter))
  return { calls, reading }
}

function tryStep(act: () => void): string | null {
  try {
    act()
    return null
  } catch (error) {
    return readReason(error)
  }
}

/** Returns the first line of the error: the module loader appends the requiring modules. */
export function readReason(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

/** linux/landlock.h: LANDLOCK_ACCESS_FS_EXECUTE, …_READ_FILE and …_READ_DIR. */
const EXECUTE = 1n << 0n
const READ_FILE = 1n << 2n
const READ_FOLDER = 1n << 3n
/** Last kind of file access per Landlock version, from version 1; includes all earlier kinds. */
const LAST_ACCESS = [12n, 13n, 14n, 14n, 15n] as const
/** Ports, from version 4 on: LANDLOCK_ACCESS_NET_BIND_TCP and …_CONNECT_TCP. */
const ALL_PORTS = 3n
const PORTS_SINCE_VERSION = 4
/** Abstract sockets and signals to other processes, from version 6 on: LANDLOCK_SCOPE_…. */
const ALL_SCOPES = 3n
const SCOPES_SINCE_VERSION = 6

/**
 * Paths that programs read besides their own: lazily loaded libraries, fonts, system information
 * for the C library and Node. Not all of `/etc`, `/proc` and `/dev`, which contain secrets.
 */
const SYSTEM_PATHS = [
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/usr/share',
  '/lib',
  '/lib64',
  '/etc/ld.so.cache',
  '/etc/fonts',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/openssl.cnf',
  '/etc/localtime',
  '/proc/self',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/sys/vm/overcommit_memory',
  '/sys/devices/system/cpu',
  '/sys/fs/cgroup',
  '/sys/kernel/mm/transparent_hugepage',
  '/dev/null',
  '/dev/urandom',
]

/**
 * Limits reading by this thread, its threads and executed programs to known files in `places`, the
 * program, its packages and parts of the system. Writing is blocked. Threads started before are not
 * covered. Throws `KernelRefusal` without Landlock.
 */
function limitReading(kernel: Kernel, places: readonly string[]): void {
  const version = kernel.landlockVersion()
  const ruleset = kernel.createRuleset(describeRuleset(version))
  try {
    // READ_FILE only: the folder also holds files of other callers, under unguessable names, which
    // must not be listed.
    for (const place of places) allowPath(kernel, ruleset, { place, rights: READ_FILE })
    for (const place of [...listProgramPaths(), ...SYSTEM_PATHS])
      allowPath(kernel, ruleset, { place, rights: READ_FILE | READ_FOLDER })
    for (const place of listMappedFiles()) allowPath(kernel, ruleset, { place, rights: EXECUTE | READ_FILE })
    kernel.restrictSelf(ruleset, 0)
  } finally {
    closeSync(ruleset)
  }
}

/**
 * struct landlock_ruleset_attr: accesses refused unless a rule allows them. Later versions have
 * more fields.
 */
function describeRuleset(version: number): Buffer {
  const last = LAST_ACCESS[Math.min(version, LAST_ACCESS.length) - 1] ?? 0n
  const parts = [(1n << (last + 1n)) - 1n]
  if (version >= PORTS_SINCE_VERSION) parts.push(ALL_PORTS)
  if (version >= SCOPES_SINCE_VERSION) parts.push(ALL_SCOPES)
  const bytes = Buffer.alloc(parts.length * 8)
  for (const [index, part] of parts.entries()) bytes.writeBigUInt64LE(part, index * 8)
  return bytes
}

/** Node and its libraries, needed to execute Node again. */
function listMappedFiles(): Set<string> {
  const maps = readFileSync('/proc/self/maps', 'utf8')
  return new Set(Array.from(maps.matchAll(/^\S+ \S+ \S+ \S+ \d+ +(\/.+)$/gm), ([, path = '']) => path))
}

/** Allows `rights` on a file, or on everything in a folder. */
function allowPath(kernel: Kernel, ruleset: number, { place, rights }: { place: string; rights: bigint }): void {
  const file = openIfThere(place)
  if (file === null) return
  try {
    // struct landlock_path_beneath_attr, without padding.
    const rule = Buffer.alloc(12)
    // The kernel rejects rules for files with rights of folders.
    rule.writeBigUInt64LE(fstatSync(file).isDirectory() ? rights : rights & ~READ_FOLDER, 0)
    rule.writeInt32LE(file, 8)
    kernel.addRule(ruleset, rule)
  } finally {
    closeSync(file)
  }
}

/** Returns `null` for paths that do not exist or cannot be read; no rule is needed. */
function openIfThere(place: string): number | null {
  try {
    return openSync(place, 'r')
  } catch {
    return null
  }
}

/** Folders of the program and of every loadable package: inside, above, and at link targets. */
function listProgramPaths(): string[] {
  const require = createRequire(import.meta.url)
  const sources = dirname(dirname(import.meta.dirname))
  const packages = require.resolve.paths('any') ?? []
  const linked = ['sharp', '@hyzyla/pdfium', 'tesseract.js'].flatMap((name) => findFolderOfPackages(require, name))
  const root = dirname(sources)
  // Recognition data may also be installed in the project that the service is started in.
  const data = [`${root}/ocr-data`, `${process.cwd()}/node_modules/@tesseract.js-data`]
  return [sources, `${root}/package.json`, ...packages, ...linked, ...data]
}

/**
 * Some installers link packages; a linked package loads its dependencies from the link target's
 * folder.
 */
function findFolderOfPackages(require: NodeJS.Require, name: string): string[] {
  try {
    const place = realpathSync(require.resolve(name))
    const end = place.lastIndexOf('/node_modules/')
    return end === -1 ? [dirname(place)] : [place.slice(0, end + '/node_modules'.length)]
  } catch {
    return []
  }
}

/** Start parameters of a child, as JSON in its first argument. */
export type ChildStart = {
  /** URL of the module that exports the child's `tasks`. */
  tasksModule: string
  parentPid: number
  /** Readable folders and files besides the program's own. */
  readable: readonly string[]
  /** The environment, as `NAME=value`. */
  environment: readonly string[]
  /** Outcome of the sandbox; absent before it was applied. */
  sandbox?: SandboxReport
}
