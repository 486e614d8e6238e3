import { Worker } from 'node:worker_threads'
import type { ChildStart } from '../fence/raise-fence.ts'
import type { FromChild, Tasks, ToChild } from './protocol.ts'
import { serveTasks, toFailure } from './serve-tasks.ts'

/** Kills this process when its parent is another than the one that started it. */
const WATCH = `
const { workerData } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL') }, 1000)
`

/** A child process of the service: does tasks for it, knows none of its secrets, and may be killed at any time. */
const { tasksModule, parentPid, fence } = JSON.parse(process.argv[2] ?? '') as ChildStart

// The whole process group gets these from a terminal; the parent decides when a child ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
// Some libraries throw outside of their promises. What state they left behind nobody knows.
process.on('uncaughtException', (error) => {
  process.send?.({ type: 'failed', error: toFailure(error) } satisfies FromChild, () => process.exit(1))
})

// Told by the parent: it may be gone before this line is reached.
watchParent(parentPid)
const { tasks } = (await import(tasksModule)) as { tasks: Tasks }
const receive = serveTasks(tasks, (message) => process.send?.(message))
process.on('message', (message) => receive(message as ToChild))
process.send?.({ type: 'ready', fence } satisfies FromChild)

/**
 * Ends this process when its parent, of that process id, is gone. In a thread of its own: one that computes without an end would never notice that its channel
 * was closed, and go on for ever after the service was killed.
 */
function watchParent(parentPid: number): void {
  new Worker(WATCH, {
    eval: true,
    env: {},
    workerData: parentPid,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref()
}
