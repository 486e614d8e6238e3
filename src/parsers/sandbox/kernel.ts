import { createRequire } from 'node:module'
import { type CallNumbers, getCallNumber, type Processor, SANDBOX_CALLS } from './seccomp-filter.ts'

/** System calls of this process. Throws {@link KernelRefusal} if the kernel returns an error. */
export type Kernel = {
  processor: Processor
  prctl(option: number, value: number): void
  /** Installs a filter; `flags` and program as in seccomp(2). */
  setFilter(flags: number, program: Buffer): void
  /** Returns the kernel's Landlock version. */
  landlockVersion(): number
  /** A descriptor of a new set of rules. */
  createRuleset(attributes: Buffer): number
  addRule(ruleset: number, attributes: Buffer): void
  restrictSelf(ruleset: number, flags: number): void
  /** Keeps a descriptor open across execve. */
  keepOpen(descriptor: number): void
  /** Makes ready to become a program. */
  prepareProgram(path: string): Program
}

/** A program that can replace this process. */
export type Program = {
  /** Memory address of the program's path. */
  address: bigint
  /** Never returns; throws if the kernel refuses. `environment` has entries `NAME=value`. */
  start(given: readonly string[], environment: readonly string[]): never
}

/** A failed call, with its name and error number. */
class KernelRefusal extends Error {
  constructor(call: string, errno: number) {
    super(`${call} failed with error ${errno}`)
    this.name = 'KernelRefusal'
  }
}

/** The used part of koffi, whose binary packages have no types. */
type Koffi = {
  load(library: null): { func(prototype: string): (...given: readonly unknown[]) => number }
  struct(name: string, members: Readonly<Record<string, string>>): unknown
  errno(): number
  alloc(type: 'char', length: number): unknown
  encode(pointer: unknown, type: 'char', text: string, length: number): void
  address(pointer: unknown): bigint
}

/** linux/seccomp.h: SECCOMP_SET_MODE_FILTER. */
const SET_FILTER = 1
/** linux/landlock.h: LANDLOCK_CREATE_RULESET_VERSION and LANDLOCK_RULE_PATH_BENEATH. */
const GET_VERSION = 1
const PATH_BENEATH = 1
/** fcntl.h: F_SETFD; value 0 clears FD_CLOEXEC. */
const SET_DESCRIPTOR_FLAGS = 2
/** struct sock_filter */
const INSTRUCTION_BYTES = 8

/** Binds the calls. Throws on an unknown processor or if the binary package is not installed. */
export function openKernel(): Kernel {
  const processor = process.arch
  if (process.platform !== 'linux' || (processor !== 'x64' && processor !== 'arm64'))
    throw new Error(`there is none for ${process.platform} on ${processor}`)
  // Only the binary: the package `koffi` runs an install script.
  const koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${processor}`) as Koffi
  const library = koffi.load(null)
  koffi.struct('FilterProgram', { length: 'uint16_t', filter: 'const void *' })
  const withNumbers = library.func('long syscall(long number, long a, long b, long c, long d, long e)')
  const withProgram = library.func('long syscall(long number, long operation, long flags, FilterProgram *program)')
  const withBytes = library.func('long syscall(long number, const void *bytes, long size, long flags)')
  const withTexts = library.func('long syscall(long number, void *path, const char **given, const char **environment)')
  const withRule = library.func('long syscall(long number, long ruleset, long type, const void *rule, long flags)')

  function call(name: keyof typeof SANDBOX_CALLS, by: typeof withNumbers, ...given: readonly unknown[]): number {
    const numbers: CallNumbers = SANDBOX_CALLS[name]
    const answer = by(getCallNumber(numbers, processor as Processor), ...given)
    // With TSYNC, seccomp returns the id of a thread with different filters.
    if (answer < 0 || (name === 'seccomp' && answer !== 0)) throw new KernelRefusal(name, koffi.errno())
    return answer
  }

  return {
    processor,
    prctl: (option, value) => void call('prctl', withNumbers, option, value, 0, 0, 0),
    setFilter: (flags, program) => {
      const filter = { length: program.length / INSTRUCTION_BYTES, filter: program }
      call('seccomp', withProgram, SET_FILTER, flags, filter)
    },
    landlockVersion: () => call('landlock_create_ruleset', withBytes, null, 0, GET_VERSION),
    createRuleset: (attributes) => call('landlock_create_ruleset', withBytes, attributes, attributes.length, 0),
    addRule: (ruleset, rule) => void call('landlock_add_rule', withRule, ruleset, PATH_BENEATH, rule, 0),
    restrictSelf: (ruleset, flags) => void call('landlock_restrict_self', withNumbers, ruleset, flags, 0, 0, 0),
    keepOpen: (descriptor) => void call('fcntl', withNumbers, descriptor, SET_DESCRIPTOR_FLAGS, 0, 0, 0),
    prepareProgram(path) {
      const bytes = Buffer.from(`${path}\0`).toString('latin1')
      const pointer = koffi.alloc('char', bytes.length)
      koffi.encode(pointer, 'char', bytes, bytes.length)
      return {
        address: BigInt(koffi.address(pointer)),
        start(given, environment) {
          call('execve', withTexts, pointer, [...given, null], [...environment, null])
          throw new Error('a program was started and this one goes on')
        },
      }
    },
  }
}
