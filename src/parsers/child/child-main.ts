import { Worker } from 'node:worker_threads'
import type { ChildStart } from '../sandbox/restrict-process.ts'
import type { FromChild, Tasks, ToChild } from './protocol.ts'
import { serializeError, serveTasks } from './serve-tasks.ts'

/** Kills the process when its parent process changes. */
const WATCH = `
const { workerData } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL') }, 1000)
`

/**
 * A child process of the service. Runs tasks, knows no secrets of the service, and may be killed at
 * any time.
 */
const { tasksModule, parentPid, sandbox } = JSON.parse(process.argv[2] ?? '') as ChildStart

// A terminal sends these signals to the whole process group; the parent decides when a child ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
// Some libraries throw outside of their promises, in an unknown state.
process.on('uncaughtException', (error) => {
  process.send?.({ type: 'failed', error: serializeError(error) } satisfies FromChild, () => process.exit(1))
})

// The parent's id is passed in: the parent may already be gone here.
watchParent(parentPid)
const { tasks } = (await import(tasksModule)) as { tasks: Tasks }
const receive = serveTasks(tasks, (message) => process.send?.(message))
process.on('message', (message) => receive(message as ToChild))
process.send?.({ type: 'ready', sandbox } satisfies FromChild)

/**
 * Ends the process when the parent process is gone. Runs in a separate thread: a busy main thread
 * would never notice the closed channel and would run forever after the service was killed.
 */
function watchParent(parentPid: number): void {
  new Worker(WATCH, {
    eval: true,
    env: {},
    workerData: parentPid,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref()
}
