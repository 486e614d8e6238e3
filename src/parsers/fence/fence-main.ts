/**
 * What a child process loads before anything else (`node --require`). Threads that run already are not held by a limit of reading, and the rings of io_uring that Node has
 * opened by now do what no filter sees. So the fence is put up, and the process becomes Node once more: all of that Node is behind it from its first call on.
 * Loaded by `--require`, this comes before the first message of the parent is read, which then waits for the second Node.
 */
import { realpathSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { openKernel, type Program } from './kernel.ts'
import { type ChildStart, type FenceReport, raiseFence, reasonOf } from './raise-fence.ts'

/** Where `child_process.fork` puts the channel to the parent, behind input, output and errors. */
const CHANNEL = 3

// A thread of a child without a fence loads this as well.
if (isMainThread) enter()

function enter(): void {
  const [node = '', main = '', given = ''] = process.argv
  const start = JSON.parse(given) as ChildStart
  const again = tryToRaise(start)
  if ('calls' in again) {
    // Without a fence: better a file that is read as before than none.
    process.argv[2] = JSON.stringify({ ...start, fence: again })
    return
  }
  const { program, fence } = again
  const options = process.execArgv.slice(0, process.execArgv.indexOf('--require'))
  program.start(
    [node, ...options, main, JSON.stringify({ ...start, fence })],
    [...start.environment, `NODE_CHANNEL_FD=${CHANNEL}`, 'NODE_CHANNEL_SERIALIZATION_MODE=advanced'],
  )
}

/** The program to become, behind the fence; only what came of it where there is none. */
function tryToRaise({ readable }: ChildStart): { program: Program; fence: FenceReport } | FenceReport {
  try {
    const kernel = openKernel()
    for (const descriptor of [0, 1, 2, CHANNEL]) kernel.keepOpen(descriptor)
    const program = kernel.prepareProgram(realpathSync(process.execPath))
    const fence = raiseFence(kernel, { readable, program })
    return fence.calls !== null && fence.reading !== null ? fence : { program, fence }
  } catch (error) {
    const reason = reasonOf(error)
    return { calls: reason, reading: reason }
  }
}
