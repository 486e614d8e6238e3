/**
 * Entry of the sandbox, loaded by a child process before anything else (`node --require`).
 *
 * Landlock does not cover threads that already run, and Node's open io_uring rings bypass seccomp.
 * The sandbox is therefore applied and the process executes Node again, so that the second Node is
 * covered from its first call.
 *
 * `--require` runs before the parent's first message is read; the message waits for the second
 * Node.
 */
import { realpathSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { openKernel, type Program } from './kernel.ts'
import { type ChildStart, readReason, restrictProcess, type SandboxReport } from './restrict-process.ts'

/** File descriptor of the channel to the parent in `child_process.fork`. */
const CHANNEL = 3

// Threads of an unsandboxed child load this module too.
if (isMainThread) enterSandbox()

function enterSandbox(): void {
  const [node = '', main = '', given = ''] = process.argv
  const start = JSON.parse(given) as ChildStart
  const again = applySandbox(start)
  if ('calls' in again) {
    // Without a sandbox the file is still read.
    process.argv[2] = JSON.stringify({ ...start, sandbox: again })
    return
  }
  const { program, sandbox } = again
  const options = process.execArgv.slice(0, process.execArgv.indexOf('--require'))
  program.start(
    [node, ...options, main, JSON.stringify({ ...start, sandbox })],
    [...start.environment, `NODE_CHANNEL_FD=${CHANNEL}`, 'NODE_CHANNEL_SERIALIZATION_MODE=advanced'],
  )
}

/**
 * Returns the program to execute inside the sandbox; only the report if no part of the sandbox
 * applies.
 */
function applySandbox({ readable }: ChildStart): { program: Program; sandbox: SandboxReport } | SandboxReport {
  try {
    const kernel = openKernel()
    for (const descriptor of [0, 1, 2, CHANNEL]) kernel.keepOpen(descriptor)
    const program = kernel.prepareProgram(realpathSync(process.execPath))
    const sandbox = restrictProcess(kernel, { readable, program })
    return sandbox.calls !== null && sandbox.reading !== null ? sandbox : { program, sandbox }
  } catch (error) {
    const reason = readReason(error)
    return { calls: reason, reading: reason }
  }
}
