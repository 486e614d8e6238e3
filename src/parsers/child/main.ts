/** A child process of the service: does tasks for it, knows none of its secrets, and may be killed at any time. */
import type { ChildStart } from '../fence/child-start.ts'
import type { FromChild, ToChild } from './protocol.ts'
import { serveTasks, toFailure } from './serve-tasks.ts'
import type { Tasks } from './task.ts'
import { watchParent } from './watch-parent.ts'

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
