import { closeSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { buildFilter } from './filter-program.ts'
import type { Kernel, Program } from './kernel.ts'

/** What the system keeps a child from: `null` where it does, else a sentence that says why it does not. */
export type FenceReport = {
  /** Network, writing, programs, other processes. */
  calls: string | null
  /** Reading of what is no matter of a reader. */
  reading: string | null
}

/** linux/prctl.h: no program that is started gets further rights, without which no filter is accepted. */
const SET_NO_NEW_PRIVILEGES = 38
/** linux/seccomp.h: SECCOMP_FILTER_FLAG_TSYNC, for all threads of the process. */
const ALL_THREADS = 1

/**
 * Gives up, for this process and for good, what a reader of files has no use for: the network, writing, starting programs but `program`, other processes, and
 * reading anything but `readable` and the program's own files. Needs no rights. Where the system does not offer one of the two, the other holds all the same.
 */
export function raiseFence(
  kernel: Kernel,
  { readable, program }: { readable: readonly string[]; program: Program },
): FenceReport {
  const reason = reasonAgainst(() => kernel.prctl(SET_NO_NEW_PRIVILEGES, 1))
  if (reason !== null) return { calls: reason, reading: reason }
  // The filter comes last: it may refuse what the other one needs.
  const reading = reasonAgainst(() => limitReading(kernel, readable))
  const filter = buildFilter(kernel.processor, { pid: process.pid, programAt: program.address })
  const calls = reasonAgainst(() => kernel.setFilter(ALL_THREADS, filter))
  return { calls, reading }
}

function reasonAgainst(act: () => void): string | null {
  try {
    act()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** The first line of what was thrown: the loader of packages lists who asked for them behind it. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

/** linux/landlock.h: LANDLOCK_ACCESS_FS_EXECUTE, …_READ_FILE and …_READ_DIR. */
const EXECUTE = 1n << 0n
const READ_FILE = 1n << 2n
const READ_FOLDER = 1n << 3n
/** The last kind of access to files that each version brought, from version 1 on: all before it are known as well. */
const LAST_ACCESS = [12n, 13n, 14n, 14n, 15n] as const
/** Ports, from version 4 on: LANDLOCK_ACCESS_NET_BIND_TCP and …_CONNECT_TCP. */
const ALL_PORTS = 3n
const PORTS_SINCE = 4
/** Abstract sockets and signals to others, from version 6 on: LANDLOCK_SCOPE_…. */
const ALL_SCOPES = 3n
const SCOPES_SINCE = 6

/**
 * What programs read beside their own files: libraries that are loaded later, fonts, and what the C library and Node want to know of the machine. Not `/etc`,
 * `/proc` and `/dev` as a whole, where secrets of others stand.
 */
const SYSTEM_PLACES = [
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
 * From now on this thread, and what it starts or becomes, reads nothing but files in `places`, whose names it has to know, the program, its packages and parts of the
 * system, and writes nothing. Threads that ran before are not held by it. Throws `KernelRefusal` where the kernel has no Landlock.
 */
function limitReading(kernel: Kernel, places: readonly string[]): void {
  const version = kernel.landlockVersion()
  const ruleset = kernel.createRuleset(describeRuleset(version))
  try {
    // Not listed: what others send lies beside the file that is read, under names that nobody guesses.
    for (const place of places) allow(kernel, ruleset, { place, rights: READ_FILE })
    for (const place of [...listOwnPlaces(), ...SYSTEM_PLACES])
      allow(kernel, ruleset, { place, rights: READ_FILE | READ_FOLDER })
    for (const place of listMappedFiles()) allow(kernel, ruleset, { place, rights: EXECUTE | READ_FILE })
    kernel.restrictSelf(ruleset, 0)
  } finally {
    closeSync(ruleset)
  }
}

/** struct landlock_ruleset_attr: what is refused unless a rule allows it. Versions know a part of it more each. */
function describeRuleset(version: number): Buffer {
  const last = LAST_ACCESS[Math.min(version, LAST_ACCESS.length) - 1] ?? 0n
  const parts = [(1n << (last + 1n)) - 1n]
  if (version >= PORTS_SINCE) parts.push(ALL_PORTS)
  if (version >= SCOPES_SINCE) parts.push(ALL_SCOPES)
  const bytes = Buffer.alloc(parts.length * 8)
  for (const [index, part] of parts.entries()) bytes.writeBigUInt64LE(part, index * 8)
  return bytes
}

/** Node itself with its libraries, which it needs to start anew. */
function listMappedFiles(): Set<string> {
  const maps = readFileSync('/proc/self/maps', 'utf8')
  return new Set(Array.from(maps.matchAll(/^\S+ \S+ \S+ \S+ \d+ +(\/.+)$/gm), ([, path = '']) => path))
}

/** Allows what `rights` names of a file, or of all in a folder. */
function allow(kernel: Kernel, ruleset: number, { place, rights }: { place: string; rights: bigint }): void {
  const file = openIfThere(place)
  if (file === null) return
  try {
    // struct landlock_path_beneath_attr, which has no gaps.
    const rule = Buffer.alloc(12)
    // A rule for a file that names a right of folders is refused.
    rule.writeBigUInt64LE(fstatSync(file).isDirectory() ? rights : rights & ~READ_FOLDER, 0)
    rule.writeInt32LE(file, 8)
    kernel.addRule(ruleset, rule)
  } finally {
    closeSync(file)
  }
}

/** What is not there, or may not be read, needs no leave. */
function openIfThere(place: string): number | null {
  try {
    return openSync(place, 'r')
  } catch {
    return null
  }
}

/** The folders of the program and of every package it may load: beside it, above it, and where links lead. */
function listOwnPlaces(): string[] {
  const require = createRequire(import.meta.url)
  const sources = dirname(dirname(import.meta.dirname))
  const packages = require.resolve.paths('any') ?? []
  const linked = ['sharp', '@hyzyla/pdfium', 'tesseract.js'].flatMap((name) => findFolderOfPackages(require, name))
  return [sources, `${dirname(sources)}/package.json`, ...packages, ...linked]
}

/** Where packages are linked, as some installers do it, they load what stands beside their real place. */
function findFolderOfPackages(require: NodeJS.Require, name: string): string[] {
  try {
    const place = realpathSync(require.resolve(name))
    const end = place.lastIndexOf('/node_modules/')
    return end === -1 ? [dirname(place)] : [place.slice(0, end + '/node_modules'.length)]
  } catch {
    return []
  }
}

/** What a child is told when it starts, as JSON in its first argument. */
export type ChildStart = {
  /** URL of the module whose `tasks` it does. */
  tasksModule: string
  parentPid: number
  /** Folders and files that it reads, beside the program's own. */
  readable: readonly string[]
  /** Its environment, as `NAME=value`. */
  environment: readonly string[]
  /** What came of the fence; absent before it is put up. */
  fence?: FenceReport
}
