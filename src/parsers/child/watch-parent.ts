import { Worker } from 'node:worker_threads'

const WATCH = `
const { workerData } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL') }, 1000)
`

/**
 * Ends this process when its parent, of that process id, is gone. In a thread of its own: one that computes without an end would never notice that its channel
 * was closed, and go on for ever after the service was killed.
 */
export function watchParent(parentPid: number): void {
  new Worker(WATCH, {
    eval: true,
    env: {},
    workerData: parentPid,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref()
}
