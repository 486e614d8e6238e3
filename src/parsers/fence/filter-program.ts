import {
  AUDIT_ARCHITECTURE,
  type CallNumbers,
  FIRST_UNLISTED,
  FORBIDDEN,
  JUDGED,
  numberOf,
  type Processor,
  UNKNOWN,
} from './system-calls.ts'

/** linux/bpf_common.h: what an instruction does. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06
/** linux/seccomp.h: answers, and where struct seccomp_data has its parts. Of a 64-bit argument the low half comes first on both processors. */
const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const FAIL_WITH = 0x00050000
const NUMBER_AT = 0
const ARCHITECTURE_AT = 4
const ARGUMENTS_AT = 16
const ARGUMENT_BYTES = 8
/** asm-generic/errno.h */
const EPERM = 1
const EACCES = 13
const ENOSYS = 38

/** fcntl.h: O_WRONLY | O_RDWR, O_CREAT, O_TRUNC; the same on both processors. */
const WRITING = 0o3 | 0o100 | 0o1000
/** linux/sched.h: CLONE_THREAD. Without it a process is made. */
const IS_THREAD = 0x00010000
/** asm-generic/ioctls.h: TIOCSTI and TIOCLINUX put keystrokes into a terminal. */
const TYPING = [0x5412, 0x541c]

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

const allow: Instruction = [RETURN, 0, 0, ALLOW]
const refuse = (error: number): Instruction => [RETURN, 0, 0, FAIL_WITH | error]
const load = (at: number): Instruction => [LOAD, 0, 0, at]
const loadArgument = (index: number): Instruction => load(ARGUMENTS_AT + index * ARGUMENT_BYTES)

/** Whom a filter is for: the process, and where in its memory the path of the one program stands that it may become. */
type FilterOptions = { pid: number; programAt: bigint }

/**
 * The program that seccomp(2) runs before every system call of a process: `struct sock_filter` by `struct sock_filter`. It lets a process compute, read
 * files, make threads, talk over what is open already, and end itself. It refuses the network, writing, programs, and other processes.
 */
export function buildFilter(processor: Processor, { pid, programAt }: FilterOptions): Buffer {
  const program: Instruction[] = [
    load(ARCHITECTURE_AT),
    [JUMP_IF_EQUAL, 1, 0, AUDIT_ARCHITECTURE[processor]],
    [RETURN, 0, 0, KILL_PROCESS],
    load(NUMBER_AT),
    [JUMP_IF_AT_LEAST, 0, 1, FIRST_UNLISTED],
    refuse(ENOSYS),
  ]
  const add = (call: CallNumbers, judgement: readonly Instruction[]) => {
    const number = numberOf(call, processor)
    if (number !== null) program.push([JUMP_IF_EQUAL, 0, judgement.length, number], ...judgement)
  }
  for (const call of Object.values(UNKNOWN)) add(call, [refuse(ENOSYS)])
  for (const call of Object.values(FORBIDDEN)) add(call, [refuse(EPERM)])
  add(JUDGED.open, unlessAnyBit(1, WRITING, EACCES))
  add(JUDGED.openat, unlessAnyBit(2, WRITING, EACCES))
  add(JUDGED.clone, [loadArgument(0), [JUMP_IF_ANY_BIT, 0, 1, IS_THREAD], allow, refuse(EPERM)])
  for (const call of [JUDGED.kill, JUDGED.tgkill, JUDGED.rt_sigqueueinfo, JUDGED.rt_tgsigqueueinfo]) {
    add(call, onlyIf(0, [pid]))
  }
  add(JUDGED.prlimit64, onlyIf(0, [0, pid]))
  add(JUDGED.execve, onlyAt(programAt))
  add(JUDGED.ioctl, [loadArgument(1), ...TYPING.flatMap(refuseIfEqual), allow])
  return encode([...program, allow])
}

function unlessAnyBit(argument: number, bits: number, error: number): Instruction[] {
  return [loadArgument(argument), [JUMP_IF_ANY_BIT, 0, 1, bits], refuse(error), allow]
}

function onlyIf(argument: number, values: readonly number[]): Instruction[] {
  const choices = values.flatMap((value): Instruction[] => [[JUMP_IF_EQUAL, 0, 1, value], allow])
  return [loadArgument(argument), ...choices, refuse(EPERM)]
}

/** A filter sees addresses, not what stands there. */
function onlyAt(address: bigint): Instruction[] {
  const low = Number(address & 0xffffffffn)
  const high = Number(address >> 32n)
  return [
    loadArgument(0),
    [JUMP_IF_EQUAL, 0, 3, low],
    load(ARGUMENTS_AT + ARGUMENT_BYTES / 2),
    [JUMP_IF_EQUAL, 0, 1, high],
    allow,
    refuse(EPERM),
  ]
}

function refuseIfEqual(value: number): Instruction[] {
  return [[JUMP_IF_EQUAL, 0, 1, value], refuse(EPERM)]
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    const at = index * 8
    bytes.writeUInt16LE(code, at)
    bytes.writeUInt8(ifTrue, at + 2)
    bytes.writeUInt8(ifFalse, at + 3)
    bytes.writeUInt32LE(operand >>> 0, at + 4)
  }
  return bytes
}
