/** Processors with known system call numbers, in Node's names. */
export type Processor = 'x64' | 'arm64'

/** System call number on x86_64 and arm64; `null` if the processor has no such call. */
export type CallNumbers = readonly [x64: number, arm64: number | null]

/**
 * linux/audit.h: the kernel's name of the architecture. Other architectures have other call
 * numbers.
 */
export const AUDIT_ARCHITECTURE: Readonly<Record<Processor, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/**
 * Numbers of asm/unistd_64.h and asm-generic/unistd.h. From 424 on, numbers are the same
 * everywhere.
 */
export function getCallNumber(call: CallNumbers, processor: Processor): number | null {
  return processor === 'x64' ? call[0] : call[1]
}

/**
 * Calls that a reader never needs: network, programs, other processes, changes to files, system
 * setup.
 */
export const BLOCKED_CALLS: Readonly<Record<string, CallNumbers>> = {
  // Network, and sockets of other processes.
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  accept: [43, 202],
  accept4: [288, 242],
  bind: [49, 200],
  listen: [50, 201],
  // Programs.
  execveat: [322, 281],
  fork: [57, null],
  vfork: [58, null],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  kcmp: [312, 272],
  tkill: [200, 130],
  setpriority: [141, 140],
  // Changes to files other than opening for writing.
  creat: [85, null],
  truncate: [76, 45],
  ftruncate: [77, 46],
  fallocate: [285, 47],
  unlink: [87, null],
  unlinkat: [263, 35],
  rmdir: [84, null],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  link: [86, null],
  linkat: [265, 37],
  symlink: [88, null],
  symlinkat: [266, 36],
  mkdir: [83, null],
  mkdirat: [258, 34],
  mknod: [133, null],
  mknodat: [259, 33],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  utime: [132, null],
  utimes: [235, null],
  utimensat: [280, 88],
  futimesat: [261, null],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  setxattrat: [463, 463],
  removexattrat: [466, 466],
  file_setattr: [469, 469],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // Shared resources other than files.
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  semctl: [66, 191],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  // System setup, and kernel subsystems with past privilege escalations.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  vhangup: [153, 58],
}

/**
 * Reported as unknown, so that callers fall back to an older call. Their arguments are in memory,
 * which a filter cannot inspect; io_uring bypasses the filter entirely.
 */
export const UNKNOWN_CALLS: Readonly<Record<string, CallNumbers>> = {
  openat2: [437, 437],
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
}

/** Calls from this number on are newer than this list. Linux 6.17 ends at 469. */
const FIRST_UNLISTED = 470

/** Calls decided by their arguments. */
export const CONDITIONAL_CALLS = {
  open: [2, null],
  openat: [257, 56],
  clone: [56, 220],
  kill: [62, 129],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  prlimit64: [302, 261],
  ioctl: [16, 29],
  execve: [59, 221],
} as const satisfies Readonly<Record<string, CallNumbers>>

/** Calls that apply the sandbox. */
export const SANDBOX_CALLS = {
  prctl: [157, 167],
  seccomp: [317, 277],
  landlock_create_ruleset: [444, 444],
  landlock_add_rule: [445, 445],
  landlock_restrict_self: [446, 446],
  fcntl: [72, 25],
  execve: [59, 221],
} as const satisfies Readonly<Record<string, CallNumbers>>

/** linux/bpf_common.h: instruction codes. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06
/**
 * linux/seccomp.h: return values and offsets of struct seccomp_data. The low half of a 64-bit
 * argument comes first on both processors.
 */
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
const WRITE_FLAGS = 0o3 | 0o100 | 0o1000
/** linux/sched.h: CLONE_THREAD. Without this flag a process is created. */
const CLONE_THREAD = 0x00010000
/** asm-generic/ioctls.h: TIOCSTI and TIOCLINUX put keystrokes into a terminal. */
const TERMINAL_INPUT_IOCTLS = [0x5412, 0x541c]

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

const allow: Instruction = [RETURN, 0, 0, ALLOW]
const refuse = (error: number): Instruction => [RETURN, 0, 0, FAIL_WITH | error]
const load = (at: number): Instruction => [LOAD, 0, 0, at]
const loadArgument = (index: number): Instruction => load(ARGUMENTS_AT + index * ARGUMENT_BYTES)

/** The process, and the memory address of the path of the only program it may execute. */
type FilterOptions = { pid: number; programAt: bigint }

/**
 * Builds the seccomp(2) program, an array of `struct sock_filter`, that runs before every system
 * call. Allows computing, reading files, threads, open descriptors, and exit. Refuses network,
 * writing, programs and other processes.
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
    const number = getCallNumber(call, processor)
    if (number !== null) program.push([JUMP_IF_EQUAL, 0, judgement.length, number], ...judgement)
  }
  for (const call of Object.values(UNKNOWN_CALLS)) add(call, [refuse(ENOSYS)])
  for (const call of Object.values(BLOCKED_CALLS)) add(call, [refuse(EPERM)])
  add(CONDITIONAL_CALLS.open, allowUnlessAnyBit(1, WRITE_FLAGS, EACCES))
  add(CONDITIONAL_CALLS.openat, allowUnlessAnyBit(2, WRITE_FLAGS, EACCES))
  add(CONDITIONAL_CALLS.clone, [loadArgument(0), [JUMP_IF_ANY_BIT, 0, 1, CLONE_THREAD], allow, refuse(EPERM)])
  for (const call of [
    CONDITIONAL_CALLS.kill,
    CONDITIONAL_CALLS.tgkill,
    CONDITIONAL_CALLS.rt_sigqueueinfo,
    CONDITIONAL_CALLS.rt_tgsigqueueinfo,
  ]) {
    add(call, allowOnlyIf(0, [pid]))
  }
  add(CONDITIONAL_CALLS.prlimit64, allowOnlyIf(0, [0, pid]))
  add(CONDITIONAL_CALLS.execve, allowOnlyAt(programAt))
  add(CONDITIONAL_CALLS.ioctl, [loadArgument(1), ...TERMINAL_INPUT_IOCTLS.flatMap(refuseIfEqual), allow])
  return encode([...program, allow])
}

function allowUnlessAnyBit(argument: number, bits: number, error: number): Instruction[] {
  return [loadArgument(argument), [JUMP_IF_ANY_BIT, 0, 1, bits], refuse(error), allow]
}

function allowOnlyIf(argument: number, values: readonly number[]): Instruction[] {
  const choices = values.flatMap((value): Instruction[] => [[JUMP_IF_EQUAL, 0, 1, value], allow])
  return [loadArgument(argument), ...choices, refuse(EPERM)]
}

/** A filter compares addresses, not the memory at the address. */
function allowOnlyAt(address: bigint): Instruction[] {
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
