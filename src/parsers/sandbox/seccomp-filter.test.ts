import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  AUDIT_ARCHITECTURE,
  BLOCKED_CALLS,
  buildFilter,
  CONDITIONAL_CALLS,
  getCallNumber,
  type Processor,
  UNKNOWN_CALLS,
} from './seccomp-filter.ts'

const OWN = 4711
const PROGRAM_AT = 0x7f12_3456_789an
const ALLOW = 'allow'

/** Executes the filter for a call as the kernel would (linux/filter.h). */
function judge(processor: Processor, number: number, given: readonly (number | bigint)[] = [], architecture?: number) {
  const program = buildFilter(processor, { pid: OWN, programAt: PROGRAM_AT })
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(architecture ?? AUDIT_ARCHITECTURE[processor], 4)
  for (const [index, value] of given.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  let held = 0
  for (let at = 0; at < program.length; at += 8) {
    const [code, operand] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)]
    const jump = (isTrue: boolean) => 8 * program.readUInt8(at + (isTrue ? 2 : 3))
    if (code === 0x06) return operand === 0x7fff0000 ? ALLOW : operand
    if (code === 0x20) held = data.readUInt32LE(operand)
    else if (code === 0x15) at += jump(held === operand)
    else if (code === 0x35) at += jump(held >= operand)
    else if (code === 0x45) at += jump((held & operand) !== 0)
    else assert.fail(`an instruction that is not known: ${code}`)
  }
  return assert.fail('the program has no end')
}

const EPERM = 0x50001
const EACCES = 0x5000d
const ENOSYS = 0x50026

for (const processor of ['x64', 'arm64'] as const) {
  const call = (name: keyof typeof CONDITIONAL_CALLS) =>
    getCallNumber(CONDITIONAL_CALLS[name], processor) ?? assert.fail(name)

  describe(`the filter of system calls on ${processor}`, () => {
    it('blocks all listed calls and allows those of a reader', () => {
      for (const [name, numbers] of Object.entries(BLOCKED_CALLS)) {
        const number = getCallNumber(numbers, processor)
        if (number !== null) assert.equal(judge(processor, number), EPERM, name)
      }
      for (const numbers of Object.values(UNKNOWN_CALLS)) {
        assert.equal(judge(processor, getCallNumber(numbers, processor) ?? 0), ENOSYS)
      }
      // read, mmap, futex, exit_group
      for (const number of processor === 'x64' ? [0, 9, 202, 231] : [63, 222, 98, 94]) {
        assert.equal(judge(processor, number), ALLOW)
      }
    })

    it('opens files for reading only', () => {
      assert.equal(judge(processor, call('openat'), [0, 0, 0o2000000]), ALLOW)
      for (const flags of [1, 2, 0o100, 0o1000, 0o2000001]) {
        assert.equal(judge(processor, call('openat'), [0, 0, flags]), EACCES)
      }
    })

    it('creates threads but no processes, and executes a single program', () => {
      assert.equal(judge(processor, call('clone'), [0x3d0f00]), ALLOW)
      assert.equal(judge(processor, call('clone'), [17]), EPERM)
      assert.equal(judge(processor, call('execve'), [PROGRAM_AT]), ALLOW)
      assert.equal(judge(processor, call('execve'), [PROGRAM_AT + 1n]), EPERM)
      assert.equal(judge(processor, call('execve'), [PROGRAM_AT + (1n << 32n)]), EPERM)
    })

    it('signals and limits only itself, and types nothing into a terminal', () => {
      for (const name of ['kill', 'tgkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo'] as const) {
        assert.equal(judge(processor, call(name), [OWN]), ALLOW)
        for (const other of [0, 1, OWN + 1, 0xffffffff]) assert.equal(judge(processor, call(name), [other]), EPERM)
      }
      assert.equal(judge(processor, call('prlimit64'), [0]), ALLOW)
      assert.equal(judge(processor, call('prlimit64'), [1]), EPERM)
      assert.equal(judge(processor, call('ioctl'), [0, 0x5401]), ALLOW)
      assert.equal(judge(processor, call('ioctl'), [0, 0x5412]), EPERM)
    })

    it('blocks newer calls, and kills callers with another architecture', () => {
      for (const number of [470, 0x40000000 + 41]) assert.equal(judge(processor, number), ENOSYS)
      assert.equal(judge(processor, 0, [], 0x40000003), 0x80000000)
    })
  })
}

describe('open', () => {
  it('is restricted to reading', () => {
    assert.equal(judge('x64', CONDITIONAL_CALLS.open[0], [0, 0o2000000]), ALLOW)
    assert.equal(judge('x64', CONDITIONAL_CALLS.open[0], [0, 1]), EACCES)
  })
})
