/**
 * Runs a module in a process without kernel isolation, as in containers whose filter blocks seccomp
 * and Landlock: `node without-sandbox.ts MODULE …`.
 */

import { openKernel } from '../../../src/parsers/sandbox/kernel.ts'
import { getCallNumber, SANDBOX_CALLS } from '../../../src/parsers/sandbox/seccomp-filter.ts'

/** prctl(2): PR_SET_NO_NEW_PRIVS. */
const SET_NO_NEW_PRIVILEGES = 38
const ALLOW = 0x7fff0000
const REFUSE = 0x00050001

const kernel = openKernel()
const refused = [SANDBOX_CALLS.seccomp, SANDBOX_CALLS.landlock_create_ruleset].flatMap((call) => [
  [0x15, 0, 1, getCallNumber(call, kernel.processor) ?? 0],
  [0x06, 0, 0, REFUSE],
])
const program = [[0x20, 0, 0, 0], ...refused, [0x06, 0, 0, ALLOW]]
const bytes = Buffer.concat(
  program.map(([code = 0, ifTrue = 0, ifFalse = 0, operand = 0]) => {
    const instruction = Buffer.from([code, 0, ifTrue, ifFalse, 0, 0, 0, 0])
    instruction.writeUInt32LE(operand, 4)
    return instruction
  }),
)
kernel.prctl(SET_NO_NEW_PRIVILEGES, 1)
kernel.setFilter(1, bytes)
// The module finds its own path in the usual place.
process.argv.splice(1, 1)
await import(process.argv[1] ?? '')
